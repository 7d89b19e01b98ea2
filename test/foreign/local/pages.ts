// Paginated lists: pages of fifty, newest first, numbered from 1.
import { ApiError } from './api-error.ts';

export type Query = ReadonlyMap<string, string>;

export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMoreData: boolean;
}

const SIZE = 50;

/** Returns one page of a list, newest first. */
export function pageOf<T>(oldestFirst: readonly T[], page: number): Page<T> {
  const newestFirst = oldestFirst.toReversed();
  return { items: newestFirst.slice((page - 1) * SIZE, page * SIZE), hasMoreData: newestFirst.length > page * SIZE };
}

export const pageIn = (query: Query): number => countIn(query, 'page') ?? 1;

/** Returns an integer of at least 1 from the query; undefined if it is absent. */
export function countIn(query: Query, name: string): number | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new ApiError('malformed', `${name} ${text} is not a whole number from 1 on`);
  return Number(text);
}
