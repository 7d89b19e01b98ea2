// The account's profit in the markets of the run: fills at their prices, positions at the mark price, minus fees, plus funding.
// The only sum of profit: the loss limits and the guards read it, and each turn carries it to the summary, the displays, the metrics and the limits of
// a fleet. The realised profit of single fills in a report: `report/accounting/position-pnl.ts`.
import { AccountFunding, type FundingCarry } from '../../domain/accounting/account-funding.ts';
import { type Correction, type FillTerms, MarketFills, NO_FILLS } from '../../domain/accounting/market-fills.ts';
import type { SizeChange } from '../../domain/accounting/settled-funding.ts';
import type { AccountSeen, InfoSeen } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, type Micros, micros, type Ticks } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';

/** The state that a later process continues from. */
export interface ProfitCarry {
  /** Proceeds of sales minus purchases and fees, in millionths of the quote token. */
  readonly cash: number;
  /** Signed positions. */
  readonly held: readonly (readonly [MarketId, Lots])[];
  /** The newest known total, in millionths of the quote token. */
  readonly profit?: number | undefined;
  /** The cash and the newest known profit of each market; absent with one market, and in journals of earlier versions. */
  readonly byMarket?: readonly MarketCarry[] | undefined;
}

export interface MarketCarry {
  readonly market: MarketId;
  readonly cash: number;
  readonly profit: number;
}

/**
 * The profit of every market and of the account, counted from fills: a deposit or withdrawal does not count as profit. A position from before the
 * run counts from the mark price at which the run first saw it. While the account is flat, profit changes by nothing but fees and funding.
 */
export class Profit {
  readonly #markets: ReadonlyMap<MarketId, Market>;
  readonly #sums = new Map<MarketId, MarketFills>();
  /** The part of the position before the first fill of this process that `#sums` includes. */
  readonly #counted = new Map<MarketId, number>();
  /** Markets in which `#sums` has the position before the run plus the fills since. */
  readonly #valued = new Set<MarketId>();
  readonly #marks = new Map<MarketId, Ticks>();
  readonly #funding: AccountFunding;
  /** Cash of earlier processes, in all markets. */
  #before = 0;
  #beforeBy: readonly MarketCarry[] = [];
  #newest: Micros = micros(0);
  /**
   * The profit at the start of the run: 0 if all of it is of fills of this process. Undefined for a later process, and with a position from before the
   * run, whose first mark price may be wrong.
   */
  opening: 0 | undefined = 0;
  /** The total; `stale` after an event that may change it. */
  #total: number | undefined | 'stale' = 'stale';

  constructor(markets: Iterable<Market>) {
    const all = [...markets];
    this.#markets = new Map(all.map((market) => [market.id, market]));
    this.#funding = new AccountFunding(all);
  }

  /** Must be called before any event. `booked`: the latest fills; the account that `funding` is of may lack some of them. */
  resume({ cash, held, profit = 0, byMarket = [] }: ProfitCarry, funding?: FundingCarry, booked: readonly SizeChange[] = []): void {
    this.#before = cash;
    this.#beforeBy = byMarket;
    this.#newest = micros(profit);
    this.opening = undefined;
    this.#total = 'stale';
    for (const [id, size] of held) {
      const market = this.#markets.get(id);
      if (market === undefined) continue;
      this.#sums.set(id, new MarketFills(market, { ...NO_FILLS, position: size }));
      this.#counted.set(id, size);
    }
    if (funding !== undefined) this.#funding.resume(funding);
    this.#funding.filled(booked);
  }

  carry(): ProfitCarry {
    const held = [...this.#sums].map(([market, { position }]) => [market, position] as const);
    return { cash: this.#cash, held, profit: this.newest, ...(this.#markets.size > 1 && { byMarket: this.#carryBy() }) };
  }

  /**
   * The profit of each market, in millionths of the quote token. Their sum may differ from the total by what is not known of single markets: the cash
   * that a journal of an earlier version has only as a sum, and a position whose mark price is not known.
   */
  byMarket(): ReadonlyMap<MarketId, number> {
    return new Map(
      [...this.#markets.keys()].map((id) => {
        const worth = this.worth(id, this.#sums.get(id)?.position ?? lots(0)) ?? 0;
        return [id, this.#cashOf(id) + this.#funding.of(id) + worth];
      }),
    );
  }

  /** The position; undefined while the position before the run is not known. */
  held(market: MarketId): Lots | undefined {
    return this.#valued.has(market) ? (this.#sums.get(market)?.position ?? lots(0)) : undefined;
  }

  filled({ fills }: { readonly fills: readonly (FillTerms & SizeChange)[] }): void {
    for (const fill of fills) this.#of(fill.market)?.add(fill);
    this.#funding.filled(fills);
    this.#total = 'stale';
  }

  corrected(correction: Correction & { readonly fill: Pick<Fill, 'market'> }): void {
    this.#of(correction.fill.market)?.correct(correction);
    this.#total = 'stale';
  }

  infoSeen(event: InfoSeen): void {
    this.#funding.infoSeen(event);
    const { infos } = event;
    for (const { market, mark, index } of infos) {
      const price = mark ?? index;
      if (price !== undefined) this.#marks.set(market, price);
    }
    this.#total = 'stale';
  }

  accountSeen(event: AccountSeen): void {
    this.#funding.accountSeen(event);
    this.#total = 'stale';
  }

  /**
   * Takes the positions before the first fill of this process, by market. The part not counted yet is treated as traded at the current mark price; so
   * is a later deposit of base tokens, which changes the baseline.
   */
  value(baselines: ReadonlyMap<MarketId, Lots>): void {
    for (const [id, size] of baselines) {
      const mark = this.#marks.get(id);
      if (mark === undefined || !this.#markets.has(id)) continue;
      this.#valued.add(id);
      const uncounted = lots(size - (this.#counted.get(id) ?? 0));
      if (uncounted === 0) continue;
      this.#counted.set(id, size);
      this.#of(id)?.hold(uncounted, mark);
      this.opening = undefined;
      this.#total = 'stale';
    }
  }

  /** The value of a number of lots at the mark price; undefined while the mark price is not known. */
  worth(id: MarketId, size: Lots): number | undefined {
    const mark = this.#marks.get(id);
    return mark === undefined ? undefined : this.#markets.get(id)?.notional(mark, size);
  }

  /** Profit in millionths of the quote token since the run began; undefined while the mark price of a position is not known. */
  get total(): number | undefined {
    if (this.#total === 'stale') this.#total = this.#sum();
    return this.#total;
  }

  /** The funding in the total. */
  get funding(): AccountFunding {
    return this.#funding;
  }

  /** The newest total that was known, for displays; of an earlier process before this one knows it. */
  get newest(): Micros {
    const { total } = this;
    if (total !== undefined) this.#newest = micros(total);
    return this.#newest;
  }

  #sum(): number | undefined {
    let sum = this.#cash + this.#funding.total;
    for (const [id, { position }] of this.#sums) {
      if (position === 0) continue;
      const worth = this.worth(id, position);
      if (worth === undefined) return undefined;
      sum += worth;
    }
    return sum;
  }

  #carryBy(): readonly MarketCarry[] {
    const profits = this.total === undefined ? undefined : this.byMarket();
    return [...this.#markets.keys()].map((market) => {
      const profit = profits?.get(market) ?? this.#beforeOf(market)?.profit ?? 0;
      return { market, cash: this.#cashOf(market), profit };
    });
  }

  #cashOf(id: MarketId): number {
    const sums = this.#sums.get(id);
    return (this.#beforeOf(id)?.cash ?? 0) + (sums === undefined ? 0 : sums.cash - sums.fees);
  }

  #beforeOf(id: MarketId): MarketCarry | undefined {
    return this.#beforeBy.find(({ market }) => market === id);
  }

  get #cash(): number {
    let cash = this.#before;
    for (const sums of this.#sums.values()) cash += sums.cash - sums.fees;
    return cash;
  }

  /** Returns undefined for a market that the run does not trade. */
  #of(id: MarketId): MarketFills | undefined {
    const known = this.#sums.get(id);
    const market = this.#markets.get(id);
    if (known !== undefined || market === undefined) return known;
    const sums = new MarketFills(market);
    this.#sums.set(id, sums);
    return sums;
  }
}
