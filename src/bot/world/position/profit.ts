// The money of the run in its markets: fills at their prices, positions at the mark price, minus fees, plus funding.
// The only such sum: the loss limits and the guards read it, and each turn carries its totals (`accounting.ts`) to the summary, the displays, the metrics
// and the limits of a fleet. The realised profit of single fills in a report: `research/report/figures/position-pnl.ts`.
import { AccountFunding, type FundingCarry } from '../../domain/accounting/account-funding.ts';
import { AverageCost } from '../../domain/accounting/average-cost.ts';
import { NO_FILLS } from '../../domain/accounting/market-fills.ts';
import { RunFills, type RunFillsCarry } from '../../domain/accounting/run-fills.ts';
import type { MarketTotals } from '../../domain/accounting/run-totals.ts';
import { signOf } from '../../domain/book.ts';
import type { AccountSeen, InfoSeen } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, type Micros, micros, type Ticks } from '../../domain/numbers.ts';
import type { Fill, FillCorrection } from '../../domain/order.ts';

/** The state that a later process continues from. */
export interface ProfitCarry {
  /** All fills of the run; absent if they were restored before: `resumeFills`, and the fills of the journal. */
  readonly fills?: RunFillsCarry | undefined;
  /** Proceeds of sales minus purchases and fees, in millionths of the quote token. */
  readonly cash: number;
  /** Signed positions. */
  readonly held: readonly (readonly [MarketId, Lots])[];
  /** What the positions cost, in millionths of the quote token; absent for a position whose average entry is not known. */
  readonly costs?: readonly (readonly [MarketId, number])[] | undefined;
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

/** The part of a position, and of the cash, that does not come from fills of the run. */
interface NotTraded {
  size: Lots;
  cash: number;
}

/**
 * The profit of every market and of the account, counted from fills: a deposit or withdrawal does not count as profit. A position from before the
 * run counts from the mark price at which the run first saw it: as bought then, without volume and fee. While the account is flat, profit changes by
 * nothing but fees and funding.
 */
export class Profit {
  readonly fills: RunFills;
  readonly #markets: ReadonlyMap<MarketId, Market>;
  readonly #notTraded = new Map<MarketId, NotTraded>();
  /** The average entries; undefined for a position whose entry is not known. */
  readonly #costs = new Map<MarketId, AverageCost | undefined>();
  /** The part of each baseline (the position before the first fill of this process) that is counted so far. */
  readonly #countedBaselines = new Map<MarketId, number>();
  /** Markets whose baseline is counted. */
  readonly #valued = new Set<MarketId>();
  readonly #marks = new Map<MarketId, Ticks>();
  readonly #funding: AccountFunding;
  /** Cash of earlier processes whose market is not in their journal. */
  #cashOfUnknownMarket = 0;
  /** The newest known profit of each market in earlier processes. */
  #earlierProfits: ReadonlyMap<MarketId, number> = new Map();
  #newest: Micros = micros(0);
  /**
   * The profit at the start of the run: 0 if all of it is of fills of this process. Undefined for a later process, and with a position from before the
   * run, whose first mark price may be wrong.
   */
  opening: 0 | undefined = 0;
  /** The total; `stale` after an event that may change it. */
  #total: number | undefined | 'stale' = 'stale';
  #revision = 0;

  constructor(markets: Iterable<Market>) {
    const all = [...markets];
    this.#markets = new Map(all.map((market) => [market.id, market]));
    this.#funding = new AccountFunding(all);
    this.fills = new RunFills(all);
  }

  /** Must be called before any event, and before `resume`. Continues from fills whose lines the journal no longer has. */
  resumeFills(carry: RunFillsCarry): void {
    this.fills.resume(carry);
    for (const id of this.#markets.keys()) if (this.fills.of(id) !== undefined) this.#continueCost(id, undefined);
  }

  /** Must be called before any event. The fills so far are all fills of the run until then. */
  resume({ fills, cash, held, costs = [], profit = 0, byMarket = [] }: ProfitCarry): void {
    if (fills !== undefined) this.resumeFills(fills);
    const [sizes, costOf] = [new Map(held), new Map(costs)];
    this.#notTraded.clear();
    for (const id of this.#markets.keys()) {
      const size = sizes.get(id);
      if (size === undefined && this.fills.of(id) === undefined) continue;
      this.#notTraded.set(id, { size: lots((size ?? 0) - this.fills.position(id)), cash: 0 });
      this.#countedBaselines.set(id, size ?? 0);
      this.#continueCost(id, costOf.get(id));
    }
    for (const part of byMarket) {
      if (this.#markets.has(part.market)) this.#notTradedIn(part.market).cash = part.cash - this.#tradedCash(part.market);
    }
    this.#earlierProfits = new Map(byMarket.map((part) => [part.market, part.profit]));
    this.#cashOfUnknownMarket = 0; // because `#cash` includes it
    this.#cashOfUnknownMarket = cash - this.#cash;
    this.#newest = micros(profit);
    this.opening = undefined;
    this.#markStale();
  }

  /** Must be called before any event. `booked`: the latest fills of earlier processes; the account that `funding` is of may lack some of them. */
  resumeFunding(funding: FundingCarry | undefined, booked: readonly Fill[] = []): void {
    if (funding !== undefined) this.#funding.resume(funding);
    this.#funding.filled(booked);
    this.fills.remember(booked);
    this.#markStale();
  }

  carry(): ProfitCarry {
    const held = [...this.#heldMarkets()].map((id) => [id, this.#positionIn(id)] as const);
    const costs = held.flatMap(([id]) => {
      const cost = this.#costs.get(id)?.cost;
      return cost === undefined ? [] : [[id, cost] as const];
    });
    const parts = this.#markets.size > 1 && { byMarket: this.#carryBy() };
    return { fills: this.fills.carry(), cash: this.#cash, held, costs, profit: this.newest, ...parts };
  }

  /**
   * The totals of each market. The sum of their profits may differ from the total by what is not known of single markets: the cash
   * that a journal of an earlier version has only as a sum, and a position whose mark price is not known.
   */
  byMarket(): ReadonlyMap<MarketId, MarketTotals> {
    return new Map([...this.#markets.keys()].map((id) => [id, this.#totalsIn(id)]));
  }

  #totalsIn(id: MarketId): MarketTotals {
    const { sums, fills } = this.fills.of(id) ?? { sums: NO_FILLS, fills: 0 };
    const funding = this.#funding.of(id);
    const profit = this.#cashIn(id) + funding + (this.worth(id, this.#positionIn(id)) ?? 0);
    return { profit: micros(profit), fees: micros(sums.fees), funding, volume: micros(sums.volume), fills };
  }

  /**
   * The position of a market, and its profit without the open position: after fees, with funding. `realised` is undefined while the average entry of
   * the position is not known.
   */
  realisedIn(id: MarketId): { readonly position: Lots; readonly realised: number | undefined; readonly fills: number } {
    const [position, cost] = [this.#positionIn(id), this.#costs.get(id)];
    const isKnown = cost !== undefined || position === 0;
    const realised = isKnown ? this.#cashIn(id) + this.#funding.of(id) + (cost?.cost ?? 0) : undefined;
    return { position, realised, fills: this.fills.of(id)?.fills ?? 0 };
  }

  /** The position; undefined while the position before the run is not known. */
  held(market: MarketId): Lots | undefined {
    return this.#valued.has(market) ? this.#positionIn(market) : undefined;
  }

  /** Counts each fill once. */
  filled({ fills }: { readonly fills: readonly (Omit<Fill, 'actionId'> & Partial<Pick<Fill, 'actionId'>>)[] }): void {
    if (fills.length === 0) return;
    for (const fill of fills) {
      const market = this.#markets.get(fill.market);
      if (market === undefined || !this.fills.add(fill)) continue;
      const { side, price, size, baseFee, fee = 0 } = fill;
      this.#addCost(fill.market, signOf(side) * size, market.notional(price, size));
      if (baseFee !== undefined) this.#addCost(fill.market, -baseFee, fee);
    }
    this.#funding.filled(fills);
    this.#markStale();
  }

  /** What a correction changes counts as realised. */
  corrected(correction: Omit<FillCorrection, 'fill'> & { readonly fill: Omit<Fill, 'actionId'> }): void {
    this.fills.correct(correction);
    this.#markStale();
  }

  infoSeen(event: InfoSeen): void {
    this.#funding.infoSeen(event);
    const { infos } = event;
    for (const { market, mark, index } of infos) {
      const price = mark ?? index;
      if (price === undefined) continue;
      this.#marks.set(market, price);
      if (this.#costs.has(market) && this.#costs.get(market) === undefined)
        this.#continueCost(market, this.worth(market, this.#positionIn(market)));
    }
    this.#markStale();
  }

  accountSeen(event: AccountSeen): void {
    this.#funding.accountSeen(event);
    this.#markStale();
  }

  /**
   * Counts the baselines: the positions before the first fill of this process. The part that is not counted yet counts as traded at the current mark
   * price; so does a later deposit of base tokens, which changes the baseline.
   */
  countBaselines(baselines: ReadonlyMap<MarketId, Lots>): void {
    for (const [id, size] of baselines) {
      const mark = this.#marks.get(id);
      const market = this.#markets.get(id);
      if (mark === undefined || market === undefined) continue;
      this.#valued.add(id);
      const uncounted = lots(size - (this.#countedBaselines.get(id) ?? 0));
      if (uncounted === 0) continue;
      this.#countedBaselines.set(id, size);
      const part = this.#notTradedIn(id);
      part.size = lots(part.size + uncounted);
      part.cash -= market.notional(mark, uncounted);
      this.#addCost(id, uncounted, Math.abs(market.notional(mark, uncounted)));
      this.opening = undefined;
      this.#markStale();
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

  /** Changes whenever the total, or a part of it, may have changed. */
  get revision(): number {
    return this.#revision;
  }

  /** The funding in the total. */
  get funding(): AccountFunding {
    return this.#funding;
  }

  /** The part of the closed positions, before fees and without funding; undefined while the average entry of a position is not known. */
  get realised(): Micros | undefined {
    let realised = this.#cash + this.fills.totals().fees;
    for (const cost of this.#costs.values()) {
      if (cost === undefined) return undefined;
      realised += cost.cost;
    }
    return micros(realised);
  }

  /** The newest total that was known, for displays; of an earlier process before this one knows it. */
  get newest(): Micros {
    const { total } = this;
    if (total !== undefined) this.#newest = micros(total);
    return this.#newest;
  }

  #markStale(): void {
    this.#total = 'stale';
    this.#revision++;
  }

  #sum(): number | undefined {
    let sum = this.#cash + this.#funding.total;
    for (const id of this.#markets.keys()) {
      const position = this.#positionIn(id); // 0 in a market without fills
      if (position === 0) continue;
      const worth = this.worth(id, position);
      if (worth === undefined) return undefined;
      sum += worth;
    }
    return sum;
  }

  /** Markets with fills, or with a position from before the run. */
  *#heldMarkets(): Iterable<MarketId> {
    for (const id of this.#markets.keys()) if (this.#notTraded.has(id) || this.fills.of(id) !== undefined) yield id;
  }

  #carryBy(): readonly MarketCarry[] {
    const profits = this.total === undefined ? undefined : this.byMarket();
    return [...this.#markets.keys()].map((market) => {
      const profit = profits?.get(market)?.profit ?? this.#earlierProfits.get(market) ?? 0;
      return { market, cash: this.#cashIn(market), profit };
    });
  }

  #positionIn(id: MarketId): Lots {
    return lots(this.fills.position(id) + (this.#notTraded.get(id)?.size ?? 0));
  }

  #tradedCash(id: MarketId): number {
    const sums = this.fills.of(id)?.sums;
    return sums === undefined ? 0 : sums.cash - sums.fees;
  }

  #cashIn(id: MarketId): number {
    return this.#tradedCash(id) + (this.#notTraded.get(id)?.cash ?? 0);
  }

  get #cash(): number {
    const { cash, fees } = this.fills.totals();
    let sum = this.#cashOfUnknownMarket + cash - fees;
    for (const part of this.#notTraded.values()) sum += part.cash;
    return sum;
  }

  #notTradedIn(id: MarketId): NotTraded {
    const part = this.#notTraded.get(id) ?? { size: lots(0), cash: 0 };
    this.#notTraded.set(id, part);
    return part;
  }

  #addCost(id: MarketId, size: number, money: number): void {
    const cost = this.#costs.has(id) ? this.#costs.get(id) : new AverageCost();
    this.#costs.set(id, cost);
    cost?.add(size, money);
  }

  /** Continues with the cost of the position, in millionths of the quote token; undefined: it is not known. */
  #continueCost(id: MarketId, known: number | undefined): void {
    const position = this.#positionIn(id);
    const cost = position === 0 ? 0 : known;
    this.#costs.set(id, cost === undefined ? undefined : new AverageCost(position, cost));
  }
}
