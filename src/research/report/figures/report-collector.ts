// Collects during a run what its report needs: time series as columns, and each fill once.

import type { Millis } from '../../../base/clock.ts';
import { assert } from '../../../base/errors.ts';
import type { Account, Position } from '../../../bot/domain/account.ts';
import { NO_TOTALS, type RunTotals } from '../../../bot/domain/accounting/run-totals.ts';
import { type Book, bookFault } from '../../../bot/domain/book.ts';
import type { LiveInfo } from '../../../bot/domain/event.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { lots, type Ticks } from '../../../bot/domain/numbers.ts';
import type { Fill, Order } from '../../../bot/domain/order.ts';
import type { Finding, Turn } from '../../../bot/domain/turn.ts';
import { CandleCollector, type CandleFigures } from './candle-figures.ts';
import { FRESH_MS, Steps } from './columns.ts';
import type { Opening } from './position-pnl.ts';
import { RestingTimes } from './trades/resting-times.ts';

/**
 * Money is in millionths of the quote token. `fees` (charged) and `funding` (earned) count from the start. `held` is the notional of all positions:
 * `pn`, which covers perpetuals, plus holdings in the spot markets of the run at the index price.
 */
const ACCOUNT_COLUMNS = ['omf', 'mf', 'imf', 'cmf', 'mmf', 'pon', 'pn', 'held', 'fees', 'funding'] as const;
export type AccountColumn = (typeof ACCOUNT_COLUMNS)[number];
export type AccountSteps = Steps<AccountColumn>;
/** The best prices, in ticks. */
export type TopSteps = Steps<'bid' | 'ask'>;

export interface MarketSeries {
  readonly market: Market;
  /** Best prices of the valid books that the bot received, by time of receipt. */
  readonly tops: TopSteps;
  /** Position in signed lots, from the accounts. */
  readonly positions: Steps<'size'>;
  readonly restingTimes: RestingTimes;
  /** The position in the first account, at the first mark price after it; undefined if there was none. */
  readonly opening: Opening | undefined;
}

/** The number of findings of a guard, with the first and the last one. A reason that persists counts once. */
export interface GuardRecord {
  readonly verdicts: Readonly<Record<Exclude<Finding['verdict'], 'stale'>, number>> & { readonly stale?: number };
  readonly first: FindingSeen;
  readonly last: FindingSeen;
}

export interface FindingSeen {
  readonly at: Millis;
  /** The symbol. */
  readonly market: string | undefined;
  readonly finding: Finding;
}

export interface ReportSeries {
  /** Times of the first and the last event. */
  readonly from: Millis;
  readonly to: Millis;
  readonly account: AccountSteps;
  readonly markets: readonly MarketSeries[];
  /** In order of exchange time. */
  readonly fills: readonly Fill[];
  readonly guards: ReadonlyMap<string, GuardRecord>;
  /** One for each market that follows a tape of candles. */
  readonly candles: readonly CandleFigures[];
}

/** Returns the markets with orders, fills or positions; the first market if there are none. */
export function activeMarkets({ markets, fills }: ReportSeries): readonly MarketSeries[] {
  const traded = new Set(fills.map(({ market }) => market));
  const busy = markets.filter(({ market, restingTimes, positions }) => {
    return restingTimes.count > 0 || traded.has(market.id) || positions.column('size').some((size) => size !== 0);
  });
  return busy.length > 0 ? busy : markets.slice(0, 1);
}

type MarketSamples = Omit<MarketSeries, 'opening'>;

/** The part of the world that the collector reads. */
export interface OrdersView {
  orders(): readonly Order[];
}

/**
 * Observes the turns of one process of a run. Memory: 96 bytes per changed account, 32 per change of a best price, 24 per change of a position, 32
 * per order that rested, and about 0.5 KB per fill. Two changed accounts and four changed books a second are 1.1 MB an hour for one market. Columns
 * grow by doubling, so the allocated memory may be twice that.
 */
export class ReportCollector {
  readonly #markets: ReadonlyMap<MarketId, MarketSamples>;
  readonly #account: AccountSteps;
  readonly #before: RunTotals;
  #totals: RunTotals;
  readonly #fills: Fill[] = [];
  readonly #guards = new Map<string, GuardRecord>();
  readonly #candles: CandleCollector;
  /** Last index or mark price of each spot market. */
  readonly #spotPrices = new Map<MarketId, Ticks>();
  readonly #openings = new Map<MarketId, Opening>();
  #firstAccount: Account | undefined;
  #from: Millis | undefined;
  #to: Millis = 0;

  /** An observation is used for `freshMs`, then it is unknown. `before`: the totals before the first turn. */
  constructor({ markets, freshMs = FRESH_MS, before = NO_TOTALS }: { markets: readonly Market[]; freshMs?: Millis; before?: RunTotals }) {
    this.#markets = new Map(markets.map((market) => [market.id, empty(market, freshMs)]));
    this.#account = new Steps(ACCOUNT_COLUMNS, freshMs);
    [this.#before, this.#totals] = [before, before];
    this.#candles = new CandleCollector(markets);
  }

  /** Call it with every turn, in order, after the world has absorbed the turn. */
  see(turn: Turn, world: OrdersView): void {
    const { at, events, fills, corrections, changes, findings, totals } = turn;
    this.#to = at;
    this.#candles.see(turn);
    if (this.#from === undefined) this.#begin(at, world);
    this.#totals = totals ?? this.#totals;
    for (const fill of fills) this.#fills.push(fill);
    for (const { fill } of corrections ?? []) this.#correct(fill);
    for (const change of changes) this.#samplesOf(change.order.market).restingTimes.changed(change, at);
    for (const finding of findings) this.#countFinding(finding, at);
    for (const event of events) {
      if (event.kind === 'bookSeen') this.#sawBook(event.book, at);
      if (event.kind === 'infoSeen') this.#sawInfos(event.infos);
      if (event.kind === 'accountSeen') this.#sawAccount(event.account, at);
    }
  }

  /** Returns the data collected so far. The columns are views: read them before the next turn. */
  collected(): ReportSeries {
    const fills = this.#fills.toSorted((a, b) => a.time - b.time);
    return {
      from: this.#from ?? this.#to,
      to: this.#to,
      account: this.#account,
      markets: [...this.#markets.values()].map((kept) => ({ ...kept, opening: this.#openings.get(kept.market.id) })),
      fills,
      guards: this.#guards,
      candles: this.#candles.figures(fills),
    };
  }

  #correct(fill: Fill): void {
    const { tradeId, side, orderId } = fill;
    const index = this.#fills.findLastIndex((other) => other.tradeId === tradeId && other.side === side && other.orderId === orderId);
    if (index >= 0) this.#fills[index] = fill;
  }

  #samplesOf(id: MarketId): MarketSamples {
    const samples = this.#markets.get(id);
    assert(samples !== undefined, `market ${id} is not one of this run's`);
    return samples;
  }

  /** Records the orders that an earlier process left resting. */
  #begin(at: Millis, world: OrdersView): void {
    this.#from = at;
    for (const order of world.orders()) if (order.status !== 'pending') this.#samplesOf(order.market).restingTimes.opened(order, at);
  }

  #countFinding(finding: Finding, at: Millis): void {
    const before = this.#guards.get(finding.guard);
    const seen = { at, market: finding.market === undefined ? undefined : this.#samplesOf(finding.market).market.symbol, finding };
    const verdicts: GuardRecord['verdicts'] = before?.verdicts ?? { shrink: 0, refuse: 0, hold: 0, close: 0 };
    this.#guards.set(finding.guard, {
      verdicts: { ...verdicts, [finding.verdict]: (verdicts[finding.verdict] ?? 0) + 1 },
      first: before?.first ?? seen,
      last: seen,
    });
  }

  #sawBook(book: Book, at: Millis): void {
    const [bid, ask] = [book.bids[0], book.asks[0]];
    if (bid === undefined || ask === undefined || bookFault(book) !== undefined) return;
    this.#samplesOf(book.market).tops.see(at, { bid: bid.price, ask: ask.price });
  }

  #sawInfos(infos: readonly LiveInfo[]): void {
    for (const { market: id, index, mark } of infos) {
      this.#sawMark(id, mark ?? index);
      const price = index ?? mark;
      if (price !== undefined && this.#markets.get(id)?.market.spec.kind === 'spot') this.#spotPrices.set(id, price);
    }
  }

  #sawMark(id: MarketId, mark: Ticks | undefined): void {
    const position = this.#firstAccount?.positions.find(({ market }) => market === id);
    if (mark === undefined || position === undefined || this.#openings.has(id)) return;
    this.#openings.set(id, { size: position.size, mark });
  }

  /** Notional at the index price; a market counts as 0 before its first price. */
  #spotNotional({ positions }: Account): number {
    let sum = 0;
    for (const [id, price] of this.#spotPrices) {
      const { market } = this.#samplesOf(id);
      sum += Math.abs(market.notional(price, heldIn(market, positions)?.size ?? lots(0)));
    }
    return sum;
  }

  #sawAccount(account: Account, at: Millis): void {
    const { omf, mf, imf, cmf = 0, mmf, pon, pn } = account.margins;
    this.#firstAccount ??= account;
    const [fees, funding] = [this.#totals.fees - this.#before.fees, this.#totals.funding - this.#before.funding];
    const held = pn + this.#spotNotional(account);
    this.#account.see(at, { omf, mf, imf, cmf, mmf, pon, pn, held, fees, funding });
    for (const { market, positions } of this.#markets.values()) {
      positions.see(at, { size: heldIn(market, account.positions)?.size ?? 0 });
    }
  }
}

const heldIn = ({ id }: Market, positions: readonly Position[]): Position | undefined => positions.find(({ market }) => market === id);

const empty = (market: Market, freshMs: Millis): MarketSamples => ({
  market,
  tops: new Steps(['bid', 'ask'], freshMs),
  positions: new Steps(['size'], freshMs),
  restingTimes: new RestingTimes(),
});
