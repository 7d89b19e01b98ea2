// The funding of an account's positions as the bot counts it, from the accounts that it polls and its fills between them.
// What fills have settled between two accounts: `settled-funding.ts`.
// How the embedded exchange charges it: `embedded/exchange/rules/funding/pay-funding.ts`, then `embedded/exchange/rules/clearing.ts`.
import { MINUTE, type Millis } from '../../../base/clock.ts';
import type { Position } from '../account.ts';
import type { AccountSeen, InfoSeen } from '../event.ts';
import { compareIds, type MarketId, NO_ACTION, type UpdateId } from '../ids.ts';
import type { Market } from '../market.ts';
import { lots, type Micros, micros } from '../numbers.ts';
import { type Between, isBetween, newestFillIn, type Owing, PaymentTimes, type SizeChange, settledBetween } from './settled-funding.ts';

/** The state that a later process continues from. */
export interface FundingCarry {
  /** Millionths of the quote token. */
  readonly total: number;
  /** The total by symbol; absent with one market, and in journals of earlier versions. */
  readonly markets?: Readonly<Record<string, number>> | undefined;
  /** The positions with a funding index; absent if the account of the later process is another one. Sizes are decimal text. */
  readonly positions?: readonly Carried[] | undefined;
  /** The number of the account up to which the total counts; absent if all positions have a funding index, and in journals of earlier versions. */
  readonly until?: UpdateId | undefined;
}

interface Carried {
  readonly market: string;
  readonly size: string;
  readonly entry?: number | undefined;
  readonly owed: number;
  readonly index: number;
  /** The last action in the position; absent in journals of earlier versions. */
  readonly action?: string | undefined;
  /** True if the market is flat since. */
  readonly closed?: true | undefined;
}

/** Fills that are read later may change what was settled, and so may the times of payments that are announced later. */
interface Settlement extends Between {
  counted: number;
}

/** Fills of the time between two accounts are read within this time. */
const READ_WITHIN: Millis = 20 * MINUTE;

/**
 * Funding is owed on a position until a fill in it settles it into the balance. A settlement shows in the funding index of the position, which also
 * gives what was paid and settled between two polls, or in its size and entry. A position without an index always shows all its funding. What the
 * first account owes is from before the run.
 *
 * Exchanges show no index of a flat position. A payment may come between the last account with a position and its closing, or between an opening and the
 * first account with the position. Such payments are counted once the market has a position with an index again, from its index and the last one.
 */
export class AccountFunding {
  readonly #markets: ReadonlyMap<MarketId, Market>;
  readonly #last = new Map<MarketId, Owing>();
  /** The last positions with an index in markets that are flat now. */
  readonly #closed = new Map<MarketId, Owing>();
  readonly #payments = new Map<MarketId, PaymentTimes>();
  /** The fills that a later account, or a settlement in `#recent`, may include, and the newest that an earlier position includes. */
  #fills: SizeChange[] = [];
  #recent: Settlement[] = [];
  readonly #settled = new Map<MarketId, number>();
  /** What the first account owed, by market: it is from before the run. */
  #owedAtFirst: ReadonlyMap<MarketId, number> = new Map();
  /** Funding of earlier processes whose market is not in their journal. */
  #ofUnknownMarket = 0;
  #sawAccount = false;
  #until: UpdateId | undefined;

  constructor(markets: Iterable<Market>) {
    this.#markets = new Map([...markets].map((market) => [market.id, market]));
    for (const id of this.#markets.keys()) this.#payments.set(id, new PaymentTimes());
  }

  accountSeen({ account: { positions, updateId }, asked }: Pick<AccountSeen, 'account' | 'asked'>): void {
    this.#until = updateId;
    for (const position of positions) {
      const before = this.#last.get(position.market);
      const after = owingOf(position, { asked, before });
      const closed = after.fundingIndex === undefined ? undefined : this.#closed.get(position.market);
      if (closed !== undefined) this.#reopen(closed, after);
      else if (before !== undefined) this.#settle(before, after);
      this.#last.set(position.market, after);
    }
    if (this.#last.size > positions.length) this.#dropAllBut(positions);
    if (!this.#sawAccount) this.#owedAtFirst = this.#owed();
    this.#sawAccount = true;
    if (this.#recent.length > 0 || this.#fills.length > this.#markets.size) this.#forget(asked);
  }

  /** Fills without the id of their action have no effect: it is not known which account includes them. */
  filled(fills: readonly SizeChange[]): void {
    for (const fill of fills) {
      const { actionId = NO_ACTION } = fill;
      if (actionId === NO_ACTION || !this.#showsSettlements(fill.market) || this.#fills.some((other) => isSameFill(other, fill))) continue;
      const after = this.#fills.findIndex((other) => compareIds(other.actionId ?? NO_ACTION, actionId) > 0);
      this.#fills.splice(after < 0 ? this.#fills.length : after, 0, fill);
      this.#settleAgain(fill.market, ({ before, after: later }) => isBetween(fill, before, later));
    }
  }

  infoSeen({ infos }: Pick<InfoSeen, 'infos'>): void {
    for (const { market, nextFunding } of infos)
      if (nextFunding !== undefined && this.#payments.get(market)?.announced(nextFunding) === true) this.#settleAgain(market, () => true);
  }

  get #areIndexed(): boolean {
    return [...this.#last.values()].every(({ fundingIndex }) => fundingIndex !== undefined);
  }

  /** Positive when earned. */
  get total(): Micros {
    let sum = this.#ofUnknownMarket;
    for (const settled of this.#settled.values()) sum += settled;
    for (const { fundingPaymentPnl } of this.#last.values()) sum += fundingPaymentPnl;
    for (const before of this.#owedAtFirst.values()) sum -= before;
    return micros(sum);
  }

  /** The part of the total that is known to be of a market. */
  of(market: MarketId): Micros {
    const owed = this.#last.get(market)?.fundingPaymentPnl ?? 0;
    return micros((this.#settled.get(market) ?? 0) + owed - (this.#owedAtFirst.get(market) ?? 0));
  }

  carry(): FundingCarry {
    const carried = ({
      market: id,
      size,
      entry,
      fundingPaymentPnl: owed,
      fundingIndex: index,
      actionId: action,
    }: Owing): readonly Carried[] => {
      const market = this.#markets.get(id);
      if (market === undefined || index === undefined) return [];
      return [{ market: market.symbol, size: market.sizeText(size), entry, owed, index, action }];
    };
    const closed = [...this.#closed.values()].flatMap(carried).map((position): Carried => ({ ...position, closed: true }));
    const markets = Object.fromEntries([...this.#markets.values()].map(({ id, symbol }) => [symbol, this.of(id)]));
    return {
      total: this.total,
      ...(this.#markets.size > 1 && { markets }),
      positions: [...[...this.#last.values()].flatMap(carried), ...closed],
      ...(this.#until !== undefined && !this.#areIndexed && { until: this.#until }),
    };
  }

  /** Called before any account. For a position without an index, the funding owed counts from the beginning of each process. */
  resume({ total, markets = {}, positions, until }: FundingCarry): void {
    this.#until = until;
    const bySymbol = new Map([...this.#markets.values()].map((market) => [market.symbol, market]));
    for (const { market: symbol, size, entry, owed, index, action, closed } of positions ?? []) {
      const market = bySymbol.get(symbol);
      if (market === undefined) continue;
      const terms = { size: market.parseSize(size), entry, fundingPaymentPnl: micros(owed), fundingIndex: index };
      (closed === true ? this.#closed : this.#last).set(market.id, { market: market.id, ...terms, actionId: action });
    }
    this.#ofUnknownMarket = total;
    for (const [symbol, part] of Object.entries(markets)) {
      const market = bySymbol.get(symbol);
      if (market === undefined) continue;
      this.#add(market.id, part);
      this.#ofUnknownMarket -= part;
    }
    if (positions === undefined) return;
    this.#owedAtFirst = this.#owed();
    this.#sawAccount = true;
  }

  #dropAllBut(positions: readonly Position[]): void {
    const held = new Set(positions.map(({ market }) => market));
    for (const [market, last] of this.#last) {
      if (held.has(market) || last.fundingIndex === undefined) continue;
      this.#settle(last, { market, size: lots(0), fundingPaymentPnl: micros(0) });
      this.#last.delete(market);
    }
  }

  /** False for a market whose positions have no funding index, and for one that the run does not trade. */
  #showsSettlements(id: MarketId): boolean {
    const last = this.#last.get(id);
    if (this.#markets.get(id)?.spec.kind !== 'perp' || last?.actionId === NO_ACTION) return false;
    return last === undefined || last.size === 0 || last.fundingIndex !== undefined;
  }

  /** Drops the fills and settlements that no later account or fill concerns. The newest fill in a position bounds when it was read. */
  #forget(asked: Millis): void {
    this.#recent = this.#recent.filter(({ after }) => asked - (after.asked ?? asked) < READ_WITHIN);
    const since = this.#fills.reduce((newest, { time }) => Math.max(newest, time), -Infinity) - READ_WITHIN;
    const earlier = [...this.#last.values(), ...this.#closed.values(), ...this.#recent.map(({ before }) => before)];
    const newest = new Set(earlier.map((position) => newestFillIn(position, this.#fills)));
    this.#fills = this.#fills.filter((fill) => {
      if (fill.time < since) return false;
      if (newest.has(fill)) return true;
      const closed = this.#closed.get(fill.market);
      const includes = (closed ?? this.#last.get(fill.market))?.actionId;
      const isIncluded = includes !== undefined && compareIds(fill.actionId ?? NO_ACTION, includes) <= 0;
      return !isIncluded || this.#recent.some(({ before, after }) => before.market === fill.market && isBetween(fill, before, after));
    });
  }

  #owed(): ReadonlyMap<MarketId, number> {
    return new Map([...this.#last].map(([market, { fundingPaymentPnl }]) => [market, fundingPaymentPnl]));
  }

  #add(market: MarketId, settled: number): void {
    this.#settled.set(market, (this.#settled.get(market) ?? 0) + settled);
  }

  #settle(before: Owing, after: Owing): void {
    const isSame = before.fundingIndex === after.fundingIndex && before.size === after.size && before.entry === after.entry;
    if (isSame && before.fundingIndex !== undefined) return; // nothing was paid or settled, as between most accounts
    const counted = this.#settledBetween({ before, after, isReopened: false });
    this.#add(before.market, counted);
    if (before.fundingIndex === undefined) return;
    if (after.fundingIndex !== undefined) this.#remember({ before, after, isReopened: false, counted });
    else if (after.size === 0) this.#closed.set(before.market, before);
  }

  /** Counts what was settled since a position was closed, without what it owed then, which is counted already. */
  #reopen(before: Owing, after: Owing): void {
    this.#closed.delete(before.market);
    const counted = this.#settledBetween({ before, after, isReopened: true });
    this.#add(before.market, counted - before.fundingPaymentPnl);
    this.#remember({ before, after, isReopened: true, counted });
  }

  /** Keeps a settlement with a payment: later fills may change what it settled. */
  #remember(settlement: Settlement): void {
    if (settlement.after.fundingIndex !== settlement.before.fundingIndex) this.#recent.push(settlement);
  }

  #settleAgain(market: MarketId, isChanged: (settlement: Settlement) => boolean): void {
    for (const settlement of this.#recent) {
      if (settlement.before.market !== market || !isChanged(settlement)) continue;
      const { counted } = settlement;
      settlement.counted = this.#settledBetween(settlement);
      this.#add(market, settlement.counted - counted);
    }
  }

  #settledBetween(settlement: Omit<Settlement, 'counted'>): number {
    const { market: id } = settlement.before;
    const fills = this.#fills.filter(({ market }) => market === id);
    return settledBetween(settlement, { market: this.#markets.get(id), payments: this.#payments.get(id), fills });
  }
}

const isSameFill = (one: SizeChange, other: SizeChange): boolean =>
  one.tradeId === other.tradeId && one.side === other.side && one.orderId === other.orderId;

function owingOf(
  { market, size, entry, fundingPaymentPnl, fundingIndex, actionId }: Position,
  { asked, before }: { readonly asked: Millis | undefined; readonly before: Owing | undefined },
): Owing {
  const isSameIndex = before !== undefined && before.fundingIndex === fundingIndex;
  const askedIfNothingOwed = fundingPaymentPnl === 0 ? asked : undefined;
  const indexedFrom = isSameIndex ? before.indexedFrom : askedIfNothingOwed;
  return { market, size, entry, fundingPaymentPnl, fundingIndex, actionId, asked, indexedFrom };
}
