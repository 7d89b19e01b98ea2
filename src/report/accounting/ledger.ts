// The ledger of a run: counts, volume, fees and funding, summed from its lines. Its profit: `world/position/profit.ts`.
import { AccountFunding, type FundingCarry } from '../../domain/accounting/account-funding.ts';
import { MarketFills, NO_FILLS } from '../../domain/accounting/market-fills.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, type Micros, micros } from '../../domain/numbers.ts';
import type { Fill, FillCorrection } from '../../domain/order.ts';
import type { OrderChange, Turn } from '../../domain/turn.ts';
import { CountedFills } from './counted-fills.ts';
import { correctionOf, fillOf, type JournalLine } from './lines.ts';

export interface LedgerTotals {
  readonly placed: number;
  readonly cancelled: number;
  readonly rejected: number;
  readonly fills: number;
  /** Number of fills that count with a substitute for an impossible price or fee. */
  readonly provisional: number;
  readonly volume: Micros;
  readonly fees: Micros;
  readonly funding: Micros;
  readonly findings: Readonly<Record<string, number>>;
  /** The parts that are known to be of one market. */
  readonly byMarket: ReadonlyMap<MarketId, MarketTotals>;
}

export interface MarketTotals {
  readonly fills: number;
  readonly volume: Micros;
  readonly fees: Micros;
  readonly funding: Micros;
}

/** The totals of lines that the journal no longer holds. Sizes are decimal text, money is in millionths of the quote token. */
export interface LedgerCarry {
  readonly placed: number;
  readonly cancelled: number;
  readonly rejected: number;
  /** Absent if there are none. */
  readonly provisional?: number | undefined;
  readonly findings: Readonly<Record<string, number>>;
  /** By symbol. */
  readonly markets: Readonly<Record<string, MarketCarry>>;
}

interface MarketCarry extends MarketSums {
  readonly position: string;
}

interface MarketSums {
  readonly cash: number;
  readonly volume: number;
  readonly fees: number;
  readonly fills: number;
}

interface MarketLedger {
  readonly sums: MarketFills;
  /** Number of trades. */
  fills: number;
}

export class Ledger {
  readonly #bySymbol: ReadonlyMap<string, Market>;
  readonly #byId: ReadonlyMap<MarketId, Market>;
  readonly #findings: Record<string, number> = {};
  readonly #counted = new CountedFills();
  readonly #ledgers = new Map<MarketId, MarketLedger>();
  #funding: AccountFunding;
  /** Funding of earlier processes that `#funding` does not include, in all markets and by market. */
  #before = 0;
  #beforeBy: ReadonlyMap<MarketId, number> = new Map();
  #isFollowing = false;
  #placed = 0;
  #cancelled = 0;
  #rejected = 0;
  #provisional = 0;

  /** Counts of `guards` start at 0, so that a guard without findings is listed. */
  constructor({ markets, guards }: { markets: Iterable<Market>; guards: readonly string[] }) {
    const all = [...markets];
    this.#bySymbol = new Map(all.map((market) => [market.symbol, market]));
    this.#byId = new Map(all.map((market) => [market.id, market]));
    this.#funding = new AccountFunding(all);
    for (const guard of guards) this.#findings[guard] = 0;
  }

  add({ events, fills, corrections, changes, findings }: Pick<Turn, 'events' | 'fills' | 'corrections' | 'changes' | 'findings'>): void {
    if (!this.#isFollowing) this.#addFunding(events, fills);
    for (const fill of fills) this.#fill(fill);
    for (const correction of corrections ?? []) this.#correct(correction);
    for (const change of changes) this.#order(change);
    for (const { guard } of findings) this.#finding(guard);
  }

  #addFunding(events: Turn['events'], fills: Turn['fills']): void {
    for (const event of events) {
      if (event.kind === 'accountSeen') this.#funding.accountSeen(event);
      if (event.kind === 'infoSeen') this.#funding.infoSeen(event);
    }
    this.#funding.filled(fills);
  }

  /** From now on the funding is what another counts, such as the world, which leaves out accounts that may not be ours. Called before the first turn. */
  follow(funding: AccountFunding): void {
    if (!funding.isResumed) {
      this.#before = this.#funding.total; // the earlier process was on another exchange
      this.#beforeBy = new Map([...this.#byId.keys()].map((market) => [market, this.#funding.of(market)]));
    }
    this.#funding = funding;
    this.#isFollowing = true;
  }

  /** Adds a line that an earlier process wrote to its journal. */
  addLine(line: JournalLine): void {
    const market = line.market === undefined ? undefined : this.#bySymbol.get(line.market);
    if (line.kind === 'order') this.#order(line);
    if (line.kind === 'finding') this.#finding(line.guard);
    if (line.kind === 'fill' && market !== undefined) this.#fillLine(fillOf(line, market));
    if (line.kind === 'correction' && market !== undefined) this.#correct(correctionOf(line, market));
  }

  /** Returns the totals of all lines so far, without funding, for a checkpoint. */
  carry(): LedgerCarry {
    const carries = [...this.#bySymbol.values()].flatMap((market) => {
      const ledger = this.#ledgers.get(market.id);
      if (ledger === undefined) return [];
      const { position, cash, volume, fees } = ledger.sums;
      return [[market.symbol, { position: market.sizeText(position), cash, volume, fees, fills: ledger.fills }] as const];
    });
    const [placed, cancelled, rejected] = [this.#placed, this.#cancelled, this.#rejected];
    const provisional = this.#provisional === 0 ? {} : { provisional: this.#provisional };
    return { placed, cancelled, rejected, ...provisional, findings: { ...this.#findings }, markets: Object.fromEntries(carries) };
  }

  /** Restores the totals; call it before the first line. Markets that the run no longer trades are ignored, as their lines are. */
  resume({ placed, cancelled, rejected, provisional = 0, findings, markets }: LedgerCarry): void {
    this.#provisional = provisional;
    this.#placed = placed;
    this.#cancelled = cancelled;
    this.#rejected = rejected;
    Object.assign(this.#findings, findings);
    for (const [symbol, { position, fills, ...money }] of Object.entries(markets)) {
      const market = this.#bySymbol.get(symbol);
      if (market === undefined) continue;
      const sums = new MarketFills(market, { ...money, position: market.parseSize(position) });
      this.#ledgers.set(market.id, { sums, fills });
    }
  }

  fundingCarry(): FundingCarry {
    return { ...this.#funding.carry(), total: this.funding };
  }

  resumeFunding(carry: FundingCarry): void {
    this.#funding.resume(carry);
  }

  /** Returns the position that results from the fills; positive is long. */
  position(market: MarketId): Lots {
    return this.#ledgers.get(market)?.sums.position ?? lots(0);
  }

  /** In millionths of the quote token. */
  get fees(): Micros {
    let fees = 0;
    for (const { sums } of this.#ledgers.values()) fees += sums.fees;
    return micros(fees);
  }

  get funding(): Micros {
    return micros(this.#funding.total + this.#before);
  }

  totals(): LedgerTotals {
    const total = { volume: 0, fees: 0, fills: 0 };
    for (const { sums, fills } of this.#ledgers.values()) {
      total.volume += sums.volume;
      total.fees += sums.fees;
      total.fills += fills;
    }
    return {
      placed: this.#placed,
      cancelled: this.#cancelled,
      rejected: this.#rejected,
      fills: total.fills,
      provisional: this.#provisional,
      volume: micros(total.volume),
      fees: micros(total.fees),
      funding: this.funding,
      findings: { ...this.#findings },
      byMarket: new Map([...this.#byId.keys()].map((market) => [market, this.#totalsOf(market)])),
    };
  }

  #totalsOf(market: MarketId): MarketTotals {
    const { sums, fills } = this.#ledgers.get(market) ?? { sums: NO_FILLS, fills: 0 };
    const funding = micros(this.#funding.of(market) + (this.#beforeBy.get(market) ?? 0));
    return { fills, volume: micros(sums.volume), fees: micros(sums.fees), funding };
  }

  #finding(guard: string): void {
    this.#findings[guard] = (this.#findings[guard] ?? 0) + 1;
  }

  #order({ status, reason }: Pick<OrderChange, 'status' | 'reason'>): void {
    if (status === 'placed') this.#placed++;
    if (status === 'cancelled') this.#cancelled++;
    if (status !== 'rejected') return;
    if (reason === 'NOT_SENT') this.#placed--;
    else this.#rejected++;
  }

  #fillLine(fill: Omit<Fill, 'actionId'>): void {
    this.#funding.filled([fill]);
    this.#fill(fill);
  }

  #fill(fill: Omit<Fill, 'actionId'>): void {
    const market = this.#byId.get(fill.market);
    if (market === undefined || !this.#counted.isNew(fill)) return;
    const ledger = this.#ledgers.get(market.id) ?? { sums: new MarketFills(market), fills: 0 };
    this.#ledgers.set(market.id, ledger);
    ledger.sums.add(fill);
    if (fill.provisional !== undefined) this.#provisional++;
    if (this.#counted.isNewTrade(fill.tradeId)) ledger.fills++;
  }

  #correct(correction: Omit<FillCorrection, 'fill'> & { readonly fill: Omit<Fill, 'actionId'> }): void {
    const { fill, wasProvisional } = correction;
    const ledger = this.#ledgers.get(fill.market);
    if (ledger === undefined) return;
    ledger.sums.correct(correction);
    this.#provisional += Number(fill.provisional !== undefined) - Number(wasProvisional);
  }
}
