// The account's profit in the markets of the run: fills at their prices, positions at the mark price, less fees, plus funding.
import type { Account } from '../../domain/account.ts';
import type { FillsSeen, InfoSeen } from '../../domain/event.ts';
import { Funding, type FundingCarry } from '../../domain/funding.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, type Ticks } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';
import { signOf } from '../../domain/side.ts';

/** The state that a later process continues from. */
export interface ProfitCarry {
  /** Millionths of the quote token: the proceeds of sales, less the cost of purchases and fees. */
  readonly cash: number;
  /** Signed. */
  readonly held: readonly (readonly [MarketId, Lots])[];
}

/**
 * Profit is counted from fills, so a deposit or withdrawal does not count as profit. A position from before the run counts from the first mark price
 * seen.
 */
export class Profit {
  readonly #markets: ReadonlyMap<MarketId, Market>;
  readonly #held = new Map<MarketId, number>();
  /** The part of the position before the first fill of this process that `#held` includes. */
  readonly #counted = new Map<MarketId, number>();
  /** Markets in which `#held` is the position before the run plus the fills since. */
  readonly #valued = new Set<MarketId>();
  readonly #marks = new Map<MarketId, Ticks>();
  readonly #funding: Funding;
  #cash = 0;

  constructor(markets: Iterable<Market>) {
    const all = [...markets];
    this.#markets = new Map(all.map((market) => [market.id, market]));
    this.#funding = new Funding(all);
  }

  /** Called before any event. */
  resume({ cash, held }: ProfitCarry, funding: FundingCarry | undefined): void {
    this.#cash = cash;
    for (const [market, size] of held) {
      this.#held.set(market, size);
      this.#counted.set(market, size);
    }
    if (funding !== undefined) this.#funding.resume(funding);
  }

  carry(): ProfitCarry {
    return { cash: this.#cash, held: [...this.#held].map(([market, size]) => [market, lots(size)] as const) };
  }

  /** The position; undefined while the position before the run is not known. */
  held(market: MarketId): Lots | undefined {
    return this.#valued.has(market) ? lots(this.#held.get(market) ?? 0) : undefined;
  }

  filled({ fills }: FillsSeen): void {
    for (const fill of fills) this.#fill(fill);
  }

  infoSeen({ infos }: InfoSeen): void {
    for (const { market, mark, index } of infos) {
      const price = mark ?? index;
      if (price !== undefined) this.#marks.set(market, price);
    }
  }

  accountSeen(account: Account): void {
    this.#funding.see(account);
  }

  /**
   * Takes the positions before the first fill of this process, by market. The part that is not counted yet is treated as bought or sold at the
   * current mark price; so is a deposit of base tokens, which changes the baseline later.
   */
  value(baselines: ReadonlyMap<MarketId, Lots>): void {
    for (const [id, size] of baselines) {
      const [market, mark] = [this.#markets.get(id), this.#marks.get(id)];
      if (market === undefined || mark === undefined) continue;
      this.#valued.add(id);
      const uncounted = lots(size - (this.#counted.get(id) ?? 0));
      if (uncounted === 0) continue;
      this.#counted.set(id, size);
      this.#held.set(id, (this.#held.get(id) ?? 0) + uncounted);
      this.#cash -= market.notional(mark, uncounted);
    }
  }

  /** The value of a number of lots at the mark price; undefined while the mark price is not known. */
  worth(id: MarketId, size: Lots): number | undefined {
    const mark = this.#marks.get(id);
    return mark === undefined ? undefined : this.#markets.get(id)?.notional(mark, size);
  }

  /** Profit in millionths of the quote token since the run began; undefined while the mark price of a position is not known. */
  get total(): number | undefined {
    let sum = this.#cash + this.#funding.total;
    for (const [id, size] of this.#held) {
      if (size === 0) continue;
      const worth = this.worth(id, lots(size));
      if (worth === undefined) return undefined;
      sum += worth;
    }
    return sum;
  }

  #fill({ market: id, side, price, size, fee = 0 }: Pick<Fill, 'market' | 'side' | 'price' | 'size'> & { fee?: number | undefined }): void {
    const market = this.#markets.get(id);
    if (market === undefined) return;
    this.#cash -= signOf(side) * market.notional(price, size) + fee;
    this.#held.set(id, (this.#held.get(id) ?? 0) + signOf(side) * size);
  }
}
