// Reads parameters of a path or a query of the local API. Every fault is a 400 that says what was expected.
import type { Millis } from '../../../base/clock.ts';
import { badRequest } from '../../../base/server/reply.ts';
import { isDecimalText } from '../../../base/text/decimal.ts';
import type { OrderId } from '../../../bot/domain/ids.ts';
import { CANDLE_RESOLUTIONS, isCandleResolution } from '../../../venues/wire/json/local.ts';

/** Reads the number of a page. Pages count from 1, the newest; 0 is also the newest, for clients that count from 0. */
export const pageNumberOf = (text: string, name: string): number => Math.max(1, whole(text, name));

/** Reads a number of levels per side. */
export function depthOf(text: string, name: string): number {
  const depth = whole(text, name);
  if (depth === 0) throw badRequest(`${name} is 0; expected the number of levels a side`);
  return depth;
}

/** Reads the length of a candle, in seconds. */
export function resolutionOf(text: string, name: string): Millis {
  const seconds = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
  if (!isCandleResolution(seconds)) throw badRequest(`${name} "${text}" is not the length of a candle; expected ${CANDLE_RESOLUTIONS}`);
  return seconds * 1000;
}

/** Reads a time in seconds since the Unix epoch. */
export const secondsOf = (text: string, name: string): Millis => whole(text, name) * 1000;

export function booleanOf(text: string, name: string): boolean {
  if (text !== 'true' && text !== 'false') throw badRequest(`${name} "${text}" is neither true nor false`);
  return text === 'true';
}

export function orderIdOf(text: string, name: string): OrderId {
  if (!/^\d{1,20}$/.test(text)) throw badRequest(`${name} "${text}" is not a whole number`);
  return BigInt(text).toString();
}

export function amountOf(text: string, name: string): number {
  if (!isDecimalText(text) || Number(text) <= 0) throw badRequest(`${name} "${text}" is not a positive decimal`);
  return Number(text);
}

export const textOf = (text: string): string => text;

function whole(text: string, name: string): number {
  if (!/^\d{1,10}$/.test(text)) throw badRequest(`${name} "${text}" is not a whole number`);
  return Number(text);
}
