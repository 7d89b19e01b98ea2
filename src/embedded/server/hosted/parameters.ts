// Reads parameters of a path or a query of the hosted API. Every fault is a 400 that says what was expected.
import type { Millis } from '../../../base/clock.ts';
import { badRequest } from '../../../base/server/reply.ts';
import { SIDES, type Side } from '../../../bot/domain/book.ts';

export const MAX_PAGE = 50;

const U32 = 2n ** 32n - 1n;
const U64 = 2n ** 64n - 1n;

/** Reads an id of a market or an account. */
export const idOf = (text: string, name: string): number => Number(unsigned(text, { name, max: U32 }));

/** Reads a cursor. Returns it as the plain decimal text of a u64. */
export const cursorOf = (text: string, name: string): string => unsigned(text, { name, max: U64 }).toString();

/** Reads the size of a page, at least 1. Values above 50 are reduced to 50. */
export function pageSizeOf(text: string, name: string): number {
  const size = unsigned(text, { name, max: U64 });
  if (size === 0n) throw badRequest(`${name} is 0; expected 1 to ${MAX_PAGE}`);
  return Math.min(Number(size), MAX_PAGE);
}

/** Throws if a parameter that must be given is not. */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw badRequest(`${name} is missing`);
  return value;
}

export function sideOf(text: string, name: string): Side {
  const side = SIDES.find((known) => known === text);
  if (side === undefined) throw badRequest(`${name} is neither ${SIDES.join(' nor ')}`);
  return side;
}

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

export function timeOf(text: string, name: string): Millis {
  const day = RFC_3339.exec(text)?.[1];
  const time = Date.parse(text.toUpperCase());
  if (day === undefined || !Number.isFinite(time) || !isDay(day))
    throw badRequest(`${name} is not an RFC 3339 time such as 2026-01-31T12:00:00Z`);
  return time;
}

/** Checks the day, because Date.parse reads 30 February as 1 March. */
const isDay = (day: string): boolean => {
  const midnight = new Date(`${day}T00:00:00Z`);
  return midnight.getUTCDate() === Number(day.slice(-2)); // NaN if there is no such month
};

function unsigned(text: string, { name, max }: { name: string; max: bigint }): bigint {
  const value = /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value > max) throw badRequest(`${name} is not a whole number between 0 and ${max}`);
  return value;
}
