// Lists that come in pages of fifty, the newest first, by a page number that counts from 1.
import { Problem } from './problem.ts';

export type Query = ReadonlyMap<string, string>;

export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMoreData: boolean;
}

const SIZE = 50;

/** The page that the query names; of `oldestFirst`, turned round. */
export function pageOf<T>(oldestFirst: readonly T[], page: number): Page<T> {
  const newestFirst = oldestFirst.toReversed();
  return { items: newestFirst.slice((page - 1) * SIZE, page * SIZE), hasMoreData: newestFirst.length > page * SIZE };
}

export const pageIn = (query: Query): number => countIn(query, 'page') ?? 1;

/** A whole number from 1 on. */
export function countIn(query: Query, name: string): number | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new Problem('malformed', `${name} ${text} is not a whole number from 1 on`);
  return Number(text);
}
