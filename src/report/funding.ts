// Funding of an account's positions, folded from what each poll showed.
import type { Account, Position } from '../domain/account.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';
import { MICROS_PER_UNIT, type Micros, micros } from '../domain/numbers.ts';

/**
 * Funding is owed on a position until a fill in it settles it into the balance. That it did shows in the funding index of the position, which also
 * tells what was paid and settled between two polls, or in its size and entry. A position without an index shows all its funding for ever. What the
 * first account owes is from before the run.
 */
export class Funding {
  readonly #markets: ReadonlyMap<MarketId, Market>;
  readonly #last = new Map<MarketId, Position>();
  #settled = 0;
  #before = 0;
  #sawAccount = false;

  constructor(markets: Iterable<Market>) {
    this.#markets = new Map([...markets].map((market) => [market.id, market]));
  }

  see({ positions }: Account): void {
    const gone = new Set(this.#last.keys());
    for (const position of positions) {
      const before = this.#last.get(position.market);
      if (before !== undefined) this.#settled += this.#settledBetween(before, position);
      this.#last.set(position.market, position);
      gone.delete(position.market);
    }
    for (const market of gone) {
      const last = this.#last.get(market);
      if (last?.fundingIndex === undefined) continue;
      this.#settled += last.fundingPaymentPnl;
      this.#last.delete(market);
    }
    if (!this.#sawAccount) this.#before = this.#owed();
    this.#sawAccount = true;
  }

  /** Positive when earned. */
  get total(): Micros {
    return micros(this.#settled + this.#owed() - this.#before);
  }

  #owed(): number {
    return [...this.#last.values()].reduce((sum, { fundingPaymentPnl }) => sum + fundingPaymentPnl, 0);
  }

  #settledBetween(before: Position, after: Position): number {
    const owed = before.fundingPaymentPnl;
    if (before.fundingIndex === undefined) return 0;
    const moved = (after.fundingIndex ?? before.fundingIndex) - before.fundingIndex; // a flat position may show none
    if (moved === 0) return before.size === after.size && before.entry === after.entry ? 0 : owed;
    const size = this.#markets.get(before.market)?.size(before.size) ?? 0;
    const paid = -size * moved * MICROS_PER_UNIT;
    return Math.abs(paid - owed) < 2 ? owed : Math.floor(paid); // the exchange's own rounding where nothing was missed
  }
}
