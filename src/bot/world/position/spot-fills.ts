// Our trades in one spot market, and which of them the newest account does not include yet.
import type { Millis } from '../../../base/clock.ts';
import { type Side, signOf } from '../../domain/book.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, type Micros, micros, type Ticks } from '../../domain/numbers.ts';
import { type Fill, positionChange } from '../../domain/order.ts';

/** Base tokens and quote money that an account lacks, signed: the amounts to add to its balances. */
export interface MissingAmounts {
  readonly base: Lots;
  readonly quote: Micros;
}

/** A trade that a receipt reports and the exchange's record of trades does not yet. */
export interface Unlisted {
  readonly side: Side;
  readonly size: Lots;
  /** The order's limit price; the trade was at this price or better. */
  readonly price: Ticks;
}

/** A running sum of the trades since the process began. */
interface Sum {
  readonly base: number;
  readonly quote: number;
  readonly reportedAt: Millis;
}

const NOTHING: MissingAmounts = { base: lots(0), quote: micros(0) };
/** Accounts older than this are stale, so older sums are not needed. */
const REMEMBERED: Millis = 60_000;

export class SpotFills {
  readonly #market: Market;
  /** Oldest first; never empty. */
  #sums: Sum[] = [{ base: 0, quote: 0, reportedAt: 0 }];

  constructor(market: Market) {
    this.#market = market;
  }

  add(fill: Fill, reportedAt: Millis): void {
    this.#sums = [
      ...this.#sums.filter((sum, index) => sum.reportedAt > reportedAt - REMEMBERED || index === this.#sums.length - 1),
      this.#sumAfter(this.#last, fill, reportedAt),
    ];
  }

  /**
   * Returns the sum of the trades that the account lacks: those after the longest prefix of trades that explains the balance. `held` is the account's
   * balance, `before` the position before the first fill. Example: `before` is 10, then trades of +2 and +3: a balance of 12 lacks the +3. Returns zeros
   * if no prefix explains the balance: the account is newer than the fills received, or the balance was changed otherwise.
   */
  lacking({ held, before, unlisted }: { held: Lots; before: Lots; unlisted: readonly Unlisted[] }): MissingAmounts {
    let [sum, shown] = [this.#last, this.#sumOf(held - before)];
    for (const trade of unlisted) {
      sum = this.#sumAfter(sum, trade, 0);
      if (sum.base === held - before) shown = sum;
    }
    return shown === undefined || shown === sum ? NOTHING : { base: lots(sum.base - shown.base), quote: micros(sum.quote - shown.quote) };
  }

  get #last(): Sum {
    return this.#sums[this.#sums.length - 1] as Sum;
  }

  /** Returns the newest sum with this change of the balance; undefined if there is none. */
  #sumOf(change: number): Sum | undefined {
    return this.#sums.findLast(({ base }) => base === change);
  }

  #sumAfter(
    { base, quote }: Sum,
    { side, size, price, baseFee, fee = micros(0) }: Unlisted & Pick<Fill, 'fee' | 'baseFee'>,
    reportedAt: Millis,
  ): Sum {
    const cost = signOf(side) * this.#market.notional(price, size) + (baseFee === undefined ? fee : 0);
    return { base: base + positionChange({ side, size, baseFee }), quote: quote - cost, reportedAt };
  }
}
