// A candle of a market's price, and the lengths that candles can have.
import type { Millis } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { DAY, MINUTE } from '../base/spans.ts';
import { suggestion } from '../base/text/nearest.ts';
import type { Lots, Ticks } from './numbers.ts';

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

/** The length of candles, such as `1m`, `15m`, `4h` or `1d`: whole minutes that divide a day. Candles begin at multiples of it, in UTC. */
export type Resolution = `${number}m` | `${number}h` | '1d';

const MINUTES_PER_DAY = DAY / MINUTE;
const LENGTHS = Array.from({ length: MINUTES_PER_DAY }, (_, index) => index + 1).filter((minutes) => MINUTES_PER_DAY % minutes === 0);
const namesOf = (minutes: number): readonly string[] => [
  `${minutes}m`,
  ...(minutes % 60 === 0 ? [`${minutes / 60}h`] : []),
  ...(minutes === MINUTES_PER_DAY ? ['1d'] : []),
];
const SPANS: ReadonlyMap<string, Millis> = new Map(
  LENGTHS.flatMap((minutes) => namesOf(minutes).map((name): [string, Millis] => [name, minutes * MINUTE])),
);

/** The length in milliseconds. Throws a UserError `resolution` for an invalid text. */
export function spanOf(resolution: string): Millis {
  const span = SPANS.get(resolution);
  if (span !== undefined) return span;
  throw new UserError({
    code: 'resolution',
    message: `"${resolution}" is not a length of candles: expected whole minutes or hours that divide a day, such as 1m, 15m, 1h, 4h or 1d`,
    hint: suggestion(resolution, [...SPANS.keys()]),
  });
}

/** The shortest usual text for a length: `1h`, not `60m`; in seconds if it is not one of whole minutes. */
export function resolutionText(span: Millis): string {
  const found = [...SPANS].findLast(([, length]) => length === span);
  return found === undefined ? `${span / 1_000} s` : found[0];
}
