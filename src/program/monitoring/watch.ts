// The current state of a run, built from its turns only. The page, the metrics and the alerts read it.
// Files: orders.ts has our live orders, queue-estimate.ts the size queued before them, chart-candles.ts the candles of mid prices, margins.ts the
// margin use.
import type { Millis } from '../../base/clock.ts';
import { ProfitCurve } from '../../bot/accounting/profit-curve.ts';
import type { OrderCounts, RunCounts } from '../../bot/accounting/run-counts.ts';
import type { Summary } from '../../bot/accounting/summary.ts';
import type { Account } from '../../bot/domain/account.ts';
import type { RunTotals } from '../../bot/domain/accounting/run-totals.ts';
import type { Book } from '../../bot/domain/book.ts';
import type {
  AccountSeen,
  BookSeen,
  Command,
  Event,
  HealthSeen,
  InfoSeen,
  LiveInfo,
  SessionSeen,
  TimeSeen,
  TradesSeen,
} from '../../bot/domain/event.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import { isStricter, type Mode } from '../../bot/domain/mode.ts';
import type { Order } from '../../bot/domain/order.ts';
import type { Finding, Turn } from '../../bot/domain/turn.ts';
import type { Ending } from '../../bot/run/core/run.ts';
import type { RunNow } from '../../bot/run/core/run-now.ts';
import type { Seen } from '../../bot/world/seen.ts';
import { ExchangeClock } from '../../research/exchange-clock.ts';
import { PriceCandles } from './chart-candles.ts';
import type { RunIdentity } from './identity.ts';
import { MonitoredOrders } from './orders.ts';

/** The facts of a run before its first turn. */
export interface WatchedRun {
  readonly run: string;
  readonly strategy: string;
  readonly exchange: string;
  readonly seed: string;
  /** True if it trades real money. */
  readonly live: boolean;
  /** What the public data is worth, as sentences; absent if nothing is to be said. */
  readonly quality?: string | undefined;
  /** Absent for a recording. Its account is that of the newest account, once there is one. */
  readonly identity?: RunIdentity | undefined;
  readonly startedAt: Millis;
  readonly markets: readonly Market[];
  readonly params: unknown;
  readonly limits: unknown;
  /** The counts of earlier processes of the run; the watch adds its own turns to it. */
  readonly counts: RunCounts;
  /** The totals before the first turn. */
  readonly totals: RunTotals;
  /** Orders that earlier processes of the run left at the exchange. */
  readonly orders: readonly Order[];
}

/** A finding that holds, and since when. Its `reason` is the one at that time. */
export interface HeldFinding extends Finding {
  readonly since: Millis;
}

/** One market. A value is undefined until it was first observed. */
export interface WatchedMarket {
  readonly market: Market;
  readonly candles: PriceCandles;
  book: Seen<Book> | undefined;
  info: Seen<LiveInfo> | undefined;
}

/** What a run is doing now, with more details for displays. `add` updates it with each turn. */
export class RunWatch implements RunNow {
  readonly facts: WatchedRun;
  readonly markets: ReadonlyMap<MarketId, WatchedMarket>;
  readonly orders: MonitoredOrders;
  readonly equity = new ProfitCurve();
  /** Converts the times of fills to ours. */
  readonly exchangeClock = new ExchangeClock();
  readonly #held = new Map<string, HeldFinding>();
  readonly #unhealthy = new Map<string, HealthSeen>();
  #at: Millis;
  #turns = 0;
  #alarms = 0;
  #mode: Mode = 'active';
  #modeReason: string | undefined;
  #stopping: string | undefined;
  #account: Seen<Account> | undefined;
  #intents: Turn['intents'] = [];
  #session: SessionSeen | undefined;
  #engineSeconds: number | undefined;
  #totals: RunTotals;

  constructor(facts: WatchedRun) {
    this.facts = facts;
    this.#at = facts.startedAt;
    this.#totals = facts.totals;
    this.orders = new MonitoredOrders(facts.orders);
    this.markets = new Map(
      facts.markets.map((market) => [market.id, { market, candles: new PriceCandles(), book: undefined, info: undefined }]),
    );
  }

  get quality(): string | undefined {
    return this.facts.quality;
  }

  /** The time of the newest turn. */
  get at(): Millis {
    return this.#at;
  }

  get turns(): number {
    return this.#turns;
  }

  get mode(): Mode {
    return this.#mode;
  }

  /** Undefined while the mode is `active`. */
  get modeReason(): string | undefined {
    return this.#modeReason;
  }

  /** Why the run is stopping; undefined while it trades. */
  get stopping(): string | undefined {
    return this.#stopping;
  }

  get account(): Seen<Account> | undefined {
    return this.#account;
  }

  /** What distinguishes the run from others; undefined for a recording. */
  get identity(): RunIdentity | undefined {
    const { identity } = this.facts;
    return identity && { ...identity, account: identity.account ?? this.#account?.value.id };
  }

  /** The intents of the newest turn. */
  get intents(): Turn['intents'] {
    return this.#intents;
  }

  get session(): SessionSeen | undefined {
    return this.#session;
  }

  /** The exchange's own time in seconds, as last observed. */
  get engineSeconds(): number | undefined {
    return this.#engineSeconds;
  }

  /** Returns the time since when this finding holds; undefined if it does not. */
  heldSince(finding: Omit<Finding, 'reason'>): Millis | undefined {
    return this.#held.get(keyOf(finding))?.since;
  }

  /** The streams that are unhealthy now, with the reason of each. */
  get unhealthy(): Iterable<HealthSeen> {
    return this.#unhealthy.values();
  }

  /** The money of the run, as the run itself sums it. */
  get totals(): RunTotals {
    return this.#totals;
  }

  get traded(): readonly Market[] {
    return this.facts.markets;
  }

  get openOrders(): number {
    return this.orders.size;
  }

  get unknown(): readonly Order[] {
    return this.orders.with('unknown');
  }

  /** The findings that hold now. The reason of each is the one at its beginning. */
  get findings(): readonly HeldFinding[] {
    return [...this.#held.values()];
  }

  /** Number of alarms since the watch began. */
  get alarms(): number {
    return this.#alarms;
  }

  counts(): OrderCounts {
    return this.facts.counts.counts();
  }

  /** Sets a mode that does not come from a turn; ignored unless it is stricter than the current mode. */
  setMode({ mode, reason }: { readonly mode: Mode; readonly reason: string }): void {
    if (!isStricter(mode, this.#mode)) return;
    this.#mode = mode;
    this.#modeReason = reason;
  }

  /** Call it with every turn, in order. */
  add(turn: Turn): void {
    this.#at = turn.at;
    this.#turns += 1;
    this.#alarms += turn.alarms.length;
    this.#intents = turn.intents;
    this.facts.counts.add(turn);
    this.#totals = turn.totals ?? this.#totals;
    this.orders.add(turn);
    for (const event of turn.events) this.#apply(event);
    for (const change of turn.health ?? []) this.#addHealth(change);
    for (const finding of turn.findings) this.#addFinding(finding, turn.at);
    for (const ended of turn.ended ?? []) this.#held.delete(keyOf(ended));
    this.#trackEquity();
  }

  /** Applies market and account data. Changes of our orders and fills are applied from the turn's own lists. */
  #apply(event: Event): void {
    if (event.kind === 'bookSeen') this.#addBook(event);
    else if (event.kind === 'tradesSeen') this.#addTrades(event);
    else if (event.kind === 'infoSeen') this.#addInfos(event);
    else if (event.kind === 'candlesSeen') this.markets.get(event.market)?.candles.history(event);
    else if (event.kind === 'accountSeen') this.#addAccount(event);
    else if (event.kind === 'timeSeen') this.#addTime(event);
    else if (event.kind === 'sessionSeen') this.#session = event;
    else if (event.kind === 'healthSeen') this.#addHealth(event);
    else if (event.kind === 'command') this.#applyCommand(event);
  }

  #addTime(event: TimeSeen): void {
    this.#engineSeconds = event.engineSeconds;
    this.exchangeClock.add(event);
  }

  #addInfos({ infos, asked, at }: InfoSeen): void {
    for (const info of infos) {
      const watched = this.markets.get(info.market);
      if (watched !== undefined) watched.info = { value: info, asked, at };
    }
  }

  #addAccount({ account, asked, at }: AccountSeen): void {
    this.#account = { value: account, asked, at };
  }

  #addBook({ book, asked, at }: BookSeen): void {
    const watched = this.markets.get(book.market);
    if (watched === undefined) return;
    watched.book = { value: book, asked, at };
    watched.candles.book(book, at);
    this.orders.queues.book(book, this.orders.of(book.market));
  }

  #addTrades({ market, trades, at }: TradesSeen): void {
    this.markets.get(market)?.candles.trades(trades, at);
    for (const trade of trades) this.orders.queues.trade(trade, this.orders.of(market));
  }

  #addHealth(event: HealthSeen): void {
    const key = `${event.stream}/${event.market ?? ''}`;
    if (event.healthy && event.stream !== 'recording')
      this.#unhealthy.delete(key); // but a gap in the recording remains, even if it is written again
    else this.#unhealthy.set(key, event);
  }

  #applyCommand(command: Command): void {
    if (command.command === 'stop') this.#stopping ??= command.reason;
    else if (command.command === 'mode') this.setMode(command);
  }

  /** Remembers a finding that holds. An exit (`close`) happens once and does not hold. */
  #addFinding(finding: Finding, at: Millis): void {
    if (finding.verdict !== 'close') this.#held.set(keyOf(finding), { ...finding, since: at });
  }

  #trackEquity(): void {
    const margins = this.#account?.value.margins;
    if (margins === undefined || !this.equity.isDue(this.#at)) return;
    this.equity.add({ at: this.#at, equity: margins.mf, pnl: this.#totals.profit });
  }
}

const keyOf = ({ guard, market, side, verdict }: Omit<Finding, 'reason'>): string => [guard, market, side, verdict].join('/');

/** An observer of a run: its page, metrics or alerts. All share one watch, which is updated before they are called. */
export interface Monitor {
  /** Called with each turn, after the watch was updated. The run waits until it returns, but not for asynchronous work that it starts. */
  add(turn: Turn): void;
  /** Called once when the run has ended. */
  ended?(outcome: { readonly ending: Ending; readonly summary: Summary }): void;
  /** Called last, after `ended`. */
  close?(): Promise<void>;
}
