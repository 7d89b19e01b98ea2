// Decides in which turns a strategy is called: only once its history is complete, and with `every` only when a candle has finished.
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { type Resolution, resolutionText, spanOf } from '../domain/candle.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';
import type { World } from '../world/world.ts';
import type { History, Strategy } from './contract.ts';

/** A number of finished candles of one length. */
export interface CandlesWanted {
  readonly span: Millis;
  readonly count: number;
}

/** Candles that a market does not have yet. */
export interface MissingCandles extends CandlesWanted {
  readonly market: Market;
  readonly found: number;
}

const MAX_CANDLES = 5_000;
/** Default for how long a call waits for markets that a gate holds. */
const LONGEST_DELAY: Millis = 60_000;

/** Returns the candles that a strategy wants before its first turn. Throws a UserError for an invalid resolution or number. */
export function historyOf<P>({ name, history }: Strategy<P>, params: P): readonly CandlesWanted[] {
  const declared: History | undefined = typeof history === 'function' ? history(params) : history;
  return Object.entries(declared?.candles ?? {}).map(([resolution, count]) => {
    const span = spanOf(resolution, `history of the strategy ${name}`);
    if (Number.isInteger(count) && count >= 1 && count <= MAX_CANDLES) return { span, count };
    throw new UserError({
      code: 'history',
      message: `the strategy ${name} wants ${String(count)} candles of ${resolution}; a whole number from 1 to ${MAX_CANDLES} is expected`,
      hint: "write for example history: { candles: { '1h': 200 } }",
    });
  });
}

/** Returns the length of the candles at whose end a strategy is called; undefined if it is called in every turn. */
export function everyOf<P>({ name, every }: Strategy<P>, params: P): Millis | undefined {
  const resolution: Resolution | undefined = typeof every === 'function' ? every(params) : every;
  return resolution === undefined ? undefined : spanOf(resolution, `every of the strategy ${name}`);
}

/** Waits for the history of a strategy. */
export class WarmUp {
  readonly #wanted: readonly CandlesWanted[];
  #begun = false;
  #completeAt: Millis | undefined;

  constructor(wanted: readonly CandlesWanted[]) {
    this.#wanted = wanted;
  }

  get wanted(): readonly CandlesWanted[] {
    return this.#wanted;
  }

  /** The time of the turn in which the history was complete; undefined before. */
  get completeAt(): Millis | undefined {
    return this.#completeAt;
  }

  /** True from the turn on in which every market has all wanted candles. */
  isComplete(world: World): boolean {
    if (this.#completeAt !== undefined) return true;
    if (!this.#begun) {
      this.#begun = true;
      for (const { id } of world.markets.values()) for (const { span, count } of this.#wanted) world.candles.keep(id, span, count);
    }
    if (this.missing(world).length > 0) return false;
    this.#completeAt = world.now;
    return true;
  }

  missing(world: World): readonly MissingCandles[] {
    return [...world.markets.values()].flatMap((market) =>
      this.#wanted
        .map(({ span, count }) => ({ market, span, count, found: world.candles.of(market.id, span).length }))
        .filter(({ found, count }) => found < count),
    );
  }
}

/** `BTCUSDC has 37 of 200 candles of 1h`. */
export const missingText = ({ market, span, count, found }: MissingCandles): string =>
  `${market.symbol} has ${found} of ${count} candles of ${resolutionText(span)}`;

/** Decides in which turns a strategy with `every` is called. */
export class CandleCalls {
  readonly #span: Millis;
  readonly #longestDelay: Millis;
  /** The newest finished candle of each market at the last call. */
  readonly #seen = new Map<MarketId, Millis>();
  #dueSince: Millis | undefined;

  constructor(span: Millis, longestDelay = LONGEST_DELAY) {
    this.#span = span;
    this.#longestDelay = longestDelay;
  }

  /**
   * True once when a market has a newer finished candle than before, in the first turn in which all markets are open (held by no gate), or after the longest
   * delay. Candles that finish while it waits share one call. The first candle that is seen counts as new.
   */
  isDue(world: World, open: ReadonlySet<MarketId>): boolean {
    for (const id of world.marketIds) {
      const newest = world.candles.series(id, this.#span)?.newest?.start;
      if (newest === undefined || newest === this.#seen.get(id)) continue;
      this.#seen.set(id, newest);
      this.#dueSince ??= world.now;
    }
    if (this.#dueSince === undefined || (open.size < world.marketIds.size && world.now - this.#dueSince < this.#longestDelay)) return false;
    this.#dueSince = undefined;
    return true;
  }
}
