// The fold: everything we know, from the events so far and from nothing else.
import { AssertionError, assert, unreachable } from '../base/assert.ts';
import type { Millis } from '../base/clock.ts';
import type { Account, Position, RestingOrder } from '../domain/account.ts';
import type { Action } from '../domain/action.ts';
import type { Book } from '../domain/book.ts';
import type { AccountSeen, Event, HealthSeen, LiveInfo, OrderOpened, OrderRejected, SessionSeen } from '../domain/event.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';
import type { Lots } from '../domain/numbers.ts';
import type { Fill, Order, Trade } from '../domain/order.ts';
import type { Side } from '../domain/side.ts';
import type { OrderChange } from '../domain/turn.ts';
import { Candles } from './candles.ts';
import { deadAfter, EngineTime } from './engine-time.ts';
import type { Exposure } from './exposure.ts';
import { Holdback } from './holdback.ts';
import { Holdings } from './holdings.ts';
import { type Change, MarketData } from './market-data.ts';
import { Orders } from './orders.ts';
import { Placements } from './placements.ts';
import type { Fault, Seen } from './seen.ts';

export class World {
  readonly markets: ReadonlyMap<MarketId, Market>;
  readonly marketIds: ReadonlySet<MarketId>;
  readonly candles = new Candles();
  readonly perps: readonly Market[];
  readonly #data = new MarketData();
  readonly #engineTime = new EngineTime();
  readonly #placements = new Placements();
  readonly #orders = new Orders();
  readonly #holdings = new Holdings(this.#orders);
  readonly #holdback = new Holdback();
  #accountFault: Fault | undefined;
  #session: SessionSeen | undefined;
  #began: Millis | undefined;
  #now: Millis = 0;
  #trades: readonly Trade[] = [];
  #fills: readonly Fill[] = [];
  #stopping: string | undefined;
  #revision = 0;
  #news = 0;

  constructor(markets: Iterable<Market>) {
    this.markets = new Map([...markets].map((market) => [market.id, market]));
    this.marketIds = new Set(this.markets.keys());
    this.perps = [...this.markets.values()].filter(({ spec }) => spec.kind === 'perp');
  }

  /** The time of the event in hand. */
  get now(): Millis {
    return this.#now;
  }

  /** The time of the first event. */
  get began(): Millis {
    return this.#began ?? this.#now;
  }

  get account(): Seen<Account> | undefined {
    return this.#holdings.account;
  }

  /** Why the newest account cannot be current; undefined while nothing speaks against it. */
  get accountFault(): Fault | undefined {
    return this.#accountFault;
  }

  /** The exchange's logical time in seconds, as last observed. */
  get engineTime(): Seen<number> | undefined {
    return this.#engineTime.newest;
  }

  get session(): SessionSeen | undefined {
    return this.#session;
  }

  /** Why the run is closing; undefined while it trades. */
  get stopping(): string | undefined {
    return this.#stopping;
  }

  /** Another number whenever something of ours may have changed, or the live info. */
  get revision(): number {
    return this.#revision;
  }

  /** Another number whenever what a guard judges by may have changed: what we hold and may come to hold, the account, the live info. */
  get stakes(): number {
    return this.#news + this.#orders.stakes;
  }

  market(id: MarketId): Market {
    const market = this.markets.get(id);
    assert(market !== undefined, `market ${id} is not one of this run's`);
    return market;
  }

  book(market: MarketId): Seen<Book> | undefined {
    return this.#data.book(market);
  }

  info(market: MarketId): Seen<LiveInfo> | undefined {
    return this.#data.info(market);
  }

  /** The market's trades told by the event in hand. */
  trades(market: MarketId): readonly Trade[] {
    return this.#trades.filter((trade) => trade.market === market);
  }

  /** Our fills told by the event in hand; of one market where it is named. */
  fills(market?: MarketId): readonly Fill[] {
    return market === undefined ? this.#fills : this.#fills.filter((fill) => fill.market === market);
  }

  /** Our orders that are, or may be, at the exchange; of one market where it is named. */
  orders(market?: MarketId): readonly Order[] {
    return this.#orders.live(market);
  }

  /** Orders under our account that this run did not place: counted, never touched. */
  foreignOrders(market: MarketId): readonly RestingOrder[] {
    return this.#orders.foreign(market);
  }

  /** As the newest account has it; undefined when flat. */
  position(market: MarketId): Position | undefined {
    return this.#holdings.position(market);
  }

  /** The largest position that the account's own figures count: what it holds, with the worse side of the orders that it lists. */
  counted(market: MarketId): Lots {
    return this.#holdings.counted(market);
  }

  exposure(market: MarketId): Exposure {
    return this.#holdings.exposure(market);
  }

  /** The streams that are unsound now, with the reason of each. */
  unhealthy(): Iterable<HealthSeen> {
    return this.#data.unhealthy();
  }

  /** Why nothing may be placed on this side now, after a refusal by the exchange; undefined when something may. */
  heldBack(market: MarketId, side: Side): string | undefined {
    return this.#holdback.reason({ market, side, now: this.#now });
  }

  /** How many orders were sent after `from`, which lies within the last minute. */
  placementsSince(from: Millis): number {
    return this.#placements.since(from);
  }

  /** What became of our orders since this was last asked. */
  takeChanges(): readonly OrderChange[] {
    return this.#orders.takeChanges();
  }

  /** Takes over the orders of an earlier process of this run, with the fills that they have had. */
  adopt(earlier: { orders: readonly Order[]; fills: readonly Fill[] }): void {
    this.#orders.adopt(earlier);
  }

  /** True when no order of ours is, or may be, at the exchange, and what became of each is known. */
  get settled(): boolean {
    return this.#orders.settled;
  }

  /** In flight from this moment, so that the next turn does not ask again. */
  sent(actions: readonly Action[]): void {
    if (actions.length === 0) return;
    this.#revision++;
    const stamp = { at: this.#now, account: this.account?.value.updateId };
    for (const action of actions) {
      if (action.kind === 'cancel') this.#orders.cancelSent(action.clientOrderId, stamp);
      else this.#orders.sent(action, stamp);
    }
    this.#placements.add(actions.filter(({ kind }) => kind === 'place').length, this.#now);
  }

  apply(event: Event): void {
    if (event.at < this.#now) throw new AssertionError(`an event of ${event.at} came after the time ${this.#now}`);
    this.#now = event.at;
    this.#began ??= event.at;
    this.#trades = event.kind === 'tradesSeen' ? event.trades : [];
    this.#fills = [];
    this.candles.apply(event);
    const change = this.#absorb(event);
    if (change !== 'none') this.#revision++;
    if (change === 'news') this.#news++;
  }

  #absorb(event: Event): Change {
    switch (event.kind) {
      case 'bookSeen':
      case 'infoSeen':
      case 'healthSeen':
        return this.#data.see(event);
      case 'timeSeen':
        this.#engineTime.seen(event);
        this.#orders.fence(deadAfter(event));
        return 'none';
      case 'accountSeen':
        return this.#accountSeen(event);
      case 'fillsSeen':
        this.#fills = this.#orders.filled(event);
        this.#holdings.filled(event);
        return event.fills.length > 0 ? 'news' : 'none';
      case 'orderOpened':
        return this.#opened(event);
      case 'orderRejected':
        return this.#rejected(event);
      case 'orderUnknown':
        this.#orders.unknown(event);
        return 'step';
      case 'cancelAnswered':
        this.#orders.cancelAnswered(event);
        return 'step';
      case 'sessionSeen':
        this.#session = event;
        return 'news';
      case 'command':
        this.#stopping ??= event.reason;
        return 'news';
      case 'tradesSeen':
      case 'candlesSeen':
      case 'timerFired':
        return 'none';
      default:
        return unreachable(event);
    }
  }

  #accountSeen(event: AccountSeen): Change {
    const orders = this.#orders.live();
    const news = this.#holdings.accountSeen(event);
    const reason = this.#orders.reconcile(event, (engineSeconds) => this.#engineTime.passedSince(engineSeconds));
    this.#accountFault = reason === undefined ? undefined : { reason, since: this.#accountFault?.since ?? event.at };
    return news ? 'news' : this.#orders.live() === orders ? 'none' : 'step';
  }

  #opened(event: OrderOpened): Change {
    const order = this.#orders.get(event.clientOrderId);
    const news = order !== undefined && this.#holdings.taken(order, event);
    if (order !== undefined) this.#holdback.accepted(order, event.at);
    this.#orders.opened(event);
    return news ? 'news' : 'step';
  }

  #rejected(event: OrderRejected): Change {
    const order = this.#orders.get(event.clientOrderId);
    if (order !== undefined) this.#holdback.refused(order, { at: event.at, reason: event.error });
    this.#orders.rejected(event);
    return 'step';
  }
}
