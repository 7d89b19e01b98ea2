// A candle of a market's price, and the lengths that candles can have.
import { DAY, HOUR, MINUTE, type Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { suggestion } from '../../base/text/phrases.ts';
import type { Lots, Ticks } from './numbers.ts';

/** The prices of a market within one span. */
export interface Candle {
  /** A whole multiple of its length since the Unix epoch. */
  readonly start: Millis;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  /** Traded volume in base units; undefined if unknown. */
  readonly volume?: Lots | undefined;
}

/** All numbers of minutes and of hours that divide a day. */
const MINUTES = [
  1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 30, 32, 36, 40, 45, 48, 60, 72, 80, 90, 96, 120, 144, 160, 180, 240, 288, 360, 480,
  720, 1440,
] as const;
const HOURS = [1, 2, 3, 4, 6, 8, 12, 24] as const;

/** The length of candles, such as `1m`, `15m`, `4h` or `1d`: whole minutes that divide a day. Candles begin at multiples of it, in UTC. */
export type Resolution = `${(typeof MINUTES)[number]}m` | `${(typeof HOURS)[number]}h` | '1d';

/** By name, the usual name of a length last. */
const SPANS: ReadonlyMap<string, Millis> = new Map<Resolution, Millis>([
  ...MINUTES.map((count) => [`${count}m`, count * MINUTE] as const),
  ...HOURS.map((count) => [`${count}h`, count * HOUR] as const),
  ['1d', DAY],
]);

/** The usual name of each length. */
const NAMES: ReadonlyMap<Millis, string> = new Map([...SPANS].map(([name, span]) => [span, name]));

/** The length in milliseconds. Throws a UserError `resolution` for an invalid text; `of` says where it came from. */
export function spanOf(resolution: string, of?: string): Millis {
  const span = SPANS.get(resolution);
  if (span !== undefined) return span;
  throw new UserError({
    code: 'resolution',
    message: `${of === undefined ? '' : `${of}: `}"${resolution}" is not a length of candles: expected whole minutes or hours that divide a day, such as 1m, 15m, 1h, 4h or 1d`,
    hint: suggestion(resolution, [...SPANS.keys()]),
  });
}

/** The shortest usual text for a length: `1h`, not `60m`; in seconds if it is not one of whole minutes. */
export const resolutionText = (span: Millis): string => NAMES.get(span) ?? `${span / 1_000} s`;
