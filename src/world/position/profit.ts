// What the account has earned in the markets of the run: fills at their prices, positions at the mark price, less fees, plus funding.
import type { Account } from '../../domain/account.ts';
import type { FillsSeen, InfoSeen } from '../../domain/event.ts';
import { Funding, type FundingCarry } from '../../domain/funding.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, type Ticks } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';
import { signOf } from '../../domain/side.ts';

/** As a later process goes on with it. */
export interface ProfitCarry {
  /** Millionths of the quote token: what sales brought in, less what purchases and fees cost. */
  readonly cash: number;
  /** Signed. */
  readonly held: readonly (readonly [MarketId, Lots])[];
}

/** Profit is counted from fills, so that a deposit or a withdrawal is none. What was held before the run counts from the first mark price that was seen. */
export class Profit {
  readonly #markets: ReadonlyMap<MarketId, Market>;
  readonly #held = new Map<MarketId, number>();
  /** What of the position before the first fill of this process is in `#held`. */
  readonly #counted = new Map<MarketId, number>();
  /** Markets in which `#held` is what the account held before and the fills since. */
  readonly #valued = new Set<MarketId>();
  readonly #marks = new Map<MarketId, Ticks>();
  readonly #funding: Funding;
  #cash = 0;

  constructor(markets: Iterable<Market>) {
    const all = [...markets];
    this.#markets = new Map(all.map((market) => [market.id, market]));
    this.#funding = new Funding(all);
  }

  /** Before any event. */
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

  /** Undefined before what was held at first is known. */
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
   * What was held before the first fill of this process, by market. What of it was not counted yet is taken as bought or sold at the mark price of this
   * moment; so is a deposit of base tokens, which changes it later.
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

  /** Of base tokens in lots, what the mark price makes of them; undefined while it is not known. */
  worth(id: MarketId, size: Lots): number | undefined {
    const mark = this.#marks.get(id);
    return mark === undefined ? undefined : this.#markets.get(id)?.notional(mark, size);
  }

  /** Millionths of the quote token since the run began; undefined while the mark price of something held is not known. */
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
