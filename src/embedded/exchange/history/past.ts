// The past of a market of the embedded exchange: candles from before its start, generated from a seed on the first request.
import { MINUTE, type Millis } from '../../../base/clock.ts';
import { rngFrom } from '../../../base/rng.ts';
import type { Candle } from '../../../bot/domain/candle.ts';
import { lots, type Ticks, ticks } from '../../../bot/domain/numbers.ts';

export interface Past {
  readonly seed: string;
  /** Markets with different names have different pasts. */
  readonly symbol: string;
  /** The price at which the past ends: the close of its last minute. */
  readonly price: Ticks;
  /** When it ends. */
  readonly end: Millis;
  /** How its prices move; default: `EVEN_MOVES`. */
  readonly moves?: PastMoves | undefined;
}

export interface PastMoves {
  /** Standard deviation of the price in the minute from `start`, as a fraction. */
  readonly volatilityAt: (start: Millis) => number;
  /** Correlation between the moves of two markets of one seed. */
  readonly common: number;
}

/** About 36 % a year, without correlation of markets. */
const EVEN_MOVES: PastMoves = { volatilityAt: () => 0.0005, common: 0 };
/** Mean volume of a minute. */
const VOLUME = 10_000;

/**
 * Returns the newest `count` ended candles of a length, oldest first. Generates minutes backwards from the end, and joins them to candles, until `count`
 * candles are complete. Candles of all lengths consist of the same minutes.
 */
export function pastCandles(
  { seed, symbol, price, end, moves = EVEN_MOVES }: Past,
  { span, count }: { span: Millis; count: number },
): readonly Candle[] {
  const ownRng = rngFrom(seed).fork(`past of ${symbol}`);
  const commonRng = rngFrom(seed).fork('past of all markets');
  const ownWeight = Math.sqrt(1 - moves.common);
  const commonWeight = Math.sqrt(moves.common);
  const candles: Candle[] = [];
  let close: number = price;
  /** The candle that the minutes so far are the end of; undefined while they belong to one that has not ended. */
  let candle: Candle | undefined;
  for (let start = end - (end % MINUTE) - MINUTE; ; start -= MINUTE) {
    const volatility = moves.volatilityAt(start);
    const move = ownWeight * ownRng.normal() + (commonWeight === 0 ? 0 : commonWeight * commonRng.normal());
    const open = close / (1 + volatility * move);
    const up = 1 + (volatility * Math.abs(ownRng.normal())) / 2;
    const down = 1 - (volatility * Math.abs(ownRng.normal())) / 2;
    const minute = {
      start,
      open: whole(open),
      high: whole(Math.max(open, close) * up),
      low: whole(Math.min(open, close) * down),
      close: whole(close),
      volume: lots(Math.round(2 * VOLUME * ownRng.next())),
    };
    close = open;
    const candleStart = start - (start % span);
    if (candle?.start === candleStart) candle = withEarlier(candle, minute);
    else {
      if (candle !== undefined && candles.push(candle) === count) return candles.reverse();
      candle = candleStart + span <= end ? { ...minute, start: candleStart } : undefined;
    }
  }
}

/** Returns the candle with an earlier part of it added. */
const withEarlier = (candle: Candle, { open, high, low, volume = lots(0) }: Candle): Candle => ({
  start: candle.start,
  open,
  high: ticks(Math.max(candle.high, high)),
  low: ticks(Math.min(candle.low, low)),
  close: candle.close,
  volume: lots((candle.volume ?? 0) + volume),
});

const whole = (price: number): Ticks => ticks(Math.max(1, Math.round(price)));

/** Maximum number of minutes generated for one list: 400 days. */
const MAX_MINUTES = 400 * 1_440;
const MAX_CANDLES = 5_000;

/** Puts the past before a list of candles. Created for one market when it begins. */
export class CandlesWithPast {
  readonly #past: Past;
  /** The generated candles by length. */
  readonly #before = new Map<Millis, readonly Candle[]>();

  /** `first`: the market's own first minute; the past ends at its start. */
  constructor({ first, ...past }: Omit<Past, 'price' | 'end'> & { readonly first: Candle }) {
    this.#past = { ...past, price: first.open, end: first.start };
  }

  /**
   * `own`: the market's own candles of a length; both lists are newest first. Returned unchanged if the oldest is not the candle in which the market
   * began.
   */
  of(span: Millis, own: readonly Candle[]): readonly Candle[] {
    const { end } = this.#past;
    const oldest = own.at(-1);
    if (span % MINUTE !== 0 || oldest?.start !== end - (end % span)) return own;
    const before = this.#candlesBefore(span);
    const partial = before.at(-1)?.start === oldest.start ? before.at(-1) : undefined;
    const joined = partial === undefined ? oldest : withEarlier(oldest, partial);
    return [...own.slice(0, -1), joined, ...before.slice(0, partial === undefined ? undefined : -1).toReversed()];
  }

  /** Returns the candles that ended before the market began, and the part before its beginning of the candle in which it began; oldest first. */
  #candlesBefore(span: Millis): readonly Candle[] {
    const kept = this.#before.get(span);
    if (kept !== undefined) return kept;
    const { end } = this.#past;
    const count = Math.min(MAX_CANDLES, Math.floor((MAX_MINUTES * MINUTE) / span));
    const minutesIntoCandle = (end % span) / MINUTE;
    const minutes = minutesIntoCandle === 0 ? [] : pastCandles(this.#past, { span: MINUTE, count: minutesIntoCandle });
    const partialCandle = minutes.length === 0 ? [] : [{ ...minutes.reduceRight(withEarlier), start: end - (end % span) }];
    const made = [...pastCandles(this.#past, { span, count }), ...partialCandle];
    this.#before.set(span, made);
    return made;
  }
}
