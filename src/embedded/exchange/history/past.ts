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

/** Returns the newest `count` ended candles of a length, oldest first. Candles of all lengths consist of the same minutes. */
export function pastCandles(
  { seed, symbol, price, end, moves = EVEN_MOVES }: Past,
  { span, count }: { span: Millis; count: number },
): readonly Candle[] {
  const rng = rngFrom(seed).fork(`past of ${symbol}`);
  const news = rngFrom(seed).fork('past of all markets');
  const ownShare = Math.sqrt(1 - moves.common);
  const newsShare = Math.sqrt(moves.common);
  const windows: Candle[] = [];
  let close: number = price;
  let window: Candle | undefined;
  for (let start = end - (end % MINUTE) - MINUTE; ; start -= MINUTE) {
    const volatility = moves.volatilityAt(start);
    const open = close / (1 + volatility * (ownShare * rng.normal() + (newsShare === 0 ? 0 : newsShare * news.normal())));
    const up = 1 + (volatility * Math.abs(rng.normal())) / 2;
    const down = 1 - (volatility * Math.abs(rng.normal())) / 2;
    const minute = {
      start,
      open: whole(open),
      high: whole(Math.max(open, close) * up),
      low: whole(Math.min(open, close) * down),
      close: whole(close),
      volume: lots(Math.round(2 * VOLUME * rng.next())),
    };
    close = open;
    const first = start - (start % span);
    if (window?.start === first) window = extended(window, minute);
    else {
      if (window !== undefined && windows.push(window) === count) return windows.reverse();
      window = first + span <= end ? { ...minute, start: first } : undefined;
    }
  }
}

/** Returns the window extended by an earlier candle. */
const extended = (window: Candle, { open, high, low, volume = lots(0) }: Candle): Candle => ({
  start: window.start,
  open,
  high: ticks(Math.max(window.high, high)),
  low: ticks(Math.min(window.low, low)),
  close: window.close,
  volume: lots((window.volume ?? 0) + volume),
});

const whole = (price: number): Ticks => ticks(Math.max(1, Math.round(price)));

/** Maximum number of minutes generated for one list: 400 days. */
const MAX_MINUTES = 400 * 1_440;
const MAX_CANDLES = 5_000;

/** Puts the past before a list of candles. Created for one market when it begins. */
export class CandlesWithPast {
  readonly #past: Past;
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
    const before = this.#all(span);
    const begun = before.at(-1)?.start === oldest.start ? before.at(-1) : undefined;
    const joined = begun === undefined ? oldest : extended(oldest, begun);
    return [...own.slice(0, -1), joined, ...before.slice(0, begun === undefined ? undefined : -1).toReversed()];
  }

  /** Returns the windows that ended before the market began, and the started one; oldest first. */
  #all(span: Millis): readonly Candle[] {
    const known = this.#before.get(span);
    if (known !== undefined) return known;
    const { end } = this.#past;
    const count = Math.min(MAX_CANDLES, Math.floor((MAX_MINUTES * MINUTE) / span));
    const running = (end % span) / MINUTE;
    const minutes = running === 0 ? [] : pastCandles(this.#past, { span: MINUTE, count: running });
    const begun = minutes.length === 0 ? [] : [{ ...minutes.reduceRight(extended), start: end - (end % span) }];
    const made = [...pastCandles(this.#past, { span, count }), ...begun];
    this.#before.set(span, made);
    return made;
  }
}
