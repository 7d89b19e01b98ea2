// The state derived from all events so far, the actions sent, and the state that an earlier process left (`adopt`).
// `orders/`: our orders, proofs. `position/`: holdings, losses. `market/`: books, candles. `revisions.ts`: changed inputs. `recovered-state.ts`: restarts.

import type { Millis } from '../../base/clock.ts';
import { AssertionError } from '../../base/errors.ts';
import type { Account, Balance, Position, RestingOrder } from '../domain/account.ts';
import type { Action } from '../domain/action.ts';
import type { Book } from '../domain/book.ts';
import type { ClockJumped, Event, HealthSeen, LiveInfo, SessionSeen } from '../domain/event.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';
import type { Mode } from '../domain/mode.ts';
import type { Lots } from '../domain/numbers.ts';
import type { Fill, Order, Trade } from '../domain/order.ts';
import type { Alarm, OrderChange } from '../domain/turn.ts';
import { Alarms } from './alarms.ts';
import { applyTo, type WorldParts } from './apply.ts';
import { Commands } from './commands.ts';
import type { Exposure } from './exposure.ts';
import { Health } from './health.ts';
import { InputValues } from './inputs.ts';
import { Candles } from './market/candles.ts';
import { Prices } from './market/prices.ts';
import { RunMemory } from './memory.ts';
import { SentTerms } from './orders/sending/sent-terms.ts';
import { AccountBinding } from './position/account-binding.ts';
import { AccountState, type AccountStateOptions } from './position/account-state.ts';
import { Accounting } from './position/accounting.ts';
import { HeldSince } from './position/held-since.ts';
import type { RecoveredState } from './recovered-state.ts';
import { Revisions } from './revisions.ts';
import type { Fault, Seen } from './seen.ts';
import { TouchedMarkets } from './touched-markets.ts';

export class World {
  readonly markets: ReadonlyMap<MarketId, Market>;
  readonly marketIds: ReadonlySet<MarketId>;
  readonly candles = new Candles();
  /** How often an order with the same market, side, price and size was sent lately. */
  readonly sentTerms = new SentTerms();
  readonly memory = new RunMemory();
  readonly inputs = new InputValues(this.memory);
  readonly heldSince = new HeldSince(this.memory);
  readonly accounting: Accounting;
  /** Decides which of the fills that the exchange lists are booked. */
  readonly judgedFills: AccountState['judged'];
  /** Pauses after orders that the exchange refused. */
  readonly holdback: AccountState['holdback'];
  /** Decides which answers about the account are about ours. */
  readonly binding: AccountBinding;
  readonly perps: readonly Market[];
  readonly revisions = new Revisions();
  /** The markets that events have concerned since it was last cleared. */
  readonly touched = new TouchedMarkets();
  readonly #prices = new Prices(this.revisions);
  readonly #alarms = new Alarms();
  readonly health = new Health(this.revisions, this.#alarms);
  readonly commands = new Commands(this.#alarms, this.revisions);
  readonly #accountState: AccountState;
  readonly #parts: WorldParts;
  #now: Millis = 0;

  constructor(
    markets: Iterable<Market>,
    options: Omit<AccountStateOptions, 'alarms' | 'revisions' | 'prices' | 'accounting' | 'memory'> = {},
  ) {
    this.markets = new Map([...markets].map((market) => [market.id, market]));
    this.marketIds = new Set(this.markets.keys());
    this.perps = [...this.markets.values()].filter(({ spec }) => spec.kind === 'perp');
    const all = [...this.markets.values()];
    const accounting = new Accounting(all);
    const { candles, inputs, revisions, memory } = this;
    const [prices, health, commands, alarms] = [this.#prices, this.health, this.commands, this.#alarms];
    const accountState = new AccountState(all, { ...options, alarms, revisions, prices, accounting, memory });
    const binding = new AccountBinding({ markets: all, accountState, accounting, alarms, isActive: options.bindsAccounts === true });
    [this.accounting, this.binding, this.#accountState] = [accounting, binding, accountState];
    [this.judgedFills, this.holdback] = [accountState.judged, accountState.holdback];
    this.#parts = { prices, candles, accountState, accounting, binding, health, inputs, revisions, commands, world: this };
  }

  /** The time of the newest event. */
  get now(): Millis {
    return this.#now;
  }

  /** The time of the first event. */
  get began(): Millis {
    return this.health.began ?? this.#now;
  }

  get account(): Seen<Account> | undefined {
    return this.#accountState.holdings.account;
  }

  /** The last jump of the run's clock. Data requested before it may be older than its age says. */
  get jumped(): ClockJumped | undefined {
    return this.health.jumped;
  }

  /** Why the newest account cannot be current; undefined if there is no evidence against it. */
  get accountFault(): Fault | undefined {
    return this.#accountState.accountFault;
  }

  /** The exchange's logical time in seconds, as last observed. */
  get engineTime(): Seen<number> | undefined {
    return this.#accountState.engineTime.newest;
  }

  get session(): SessionSeen | undefined {
    return this.health.session;
  }

  /** Why the run is closing; undefined while it trades. */
  get stopping(): string | undefined {
    return this.commands.stopping;
  }

  get mode(): Mode {
    return this.commands.mode;
  }

  get modeReason(): string | undefined {
    return this.commands.modeReason;
  }

  /** Number of orders that reappeared after they had been reported as gone. */
  get ghosts(): number {
    return this.#accountState.orders.ghosts;
  }

  /** True while orders from before the start may still appear; they then become ours. */
  get isTakingOver(): boolean {
    return this.#accountState.orders.foreign.isTakingOver;
  }

  /** The reason not to trust the prices and sizes that the exchange reports for our orders in that market; undefined if there is none. */
  termsFault(market: MarketId): Fault | undefined {
    return this.#accountState.orders.termsCheck.fault(market);
  }

  market(id: MarketId): Market {
    const market = this.markets.get(id);
    if (market === undefined) throw new AssertionError(`market ${id} is not one of this run's`);
    return market;
  }

  book(market: MarketId): Seen<Book> | undefined {
    return this.#prices.book(market);
  }

  info(market: MarketId): Seen<LiveInfo> | undefined {
    return this.#prices.info(market);
  }

  /** The market's trades in the events of this turn. */
  trades(market: MarketId): readonly Trade[] {
    return this.#prices.trades(market);
  }

  /** Our fills in the events of this turn, of one market if it is given. */
  fills(market?: MarketId): readonly Fill[] {
    return this.#accountState.fillsIn(market);
  }

  /** Returns our fills since the last call: also those of a turn that failed. */
  takeFills(): readonly Fill[] {
    return this.#accountState.takeFills();
  }

  /** Our orders that are, or may be, at the exchange; of one market if it is given. The same list until one of them changes. */
  orders(market?: MarketId): readonly Order[] {
    return this.#accountState.orders.live(market);
  }

  /** Orders under our account that this run did not place. They are counted and never touched. */
  foreignOrders(market: MarketId): readonly RestingOrder[] {
    return this.#accountState.orders.foreign.orders(market);
  }

  /** The position in the newest account; undefined when flat. */
  position(market: MarketId): Position | undefined {
    return this.#accountState.holdings.position(market);
  }

  /** The position in the newest account; in a spot market, plus our trades that the account does not include yet. */
  held(market: MarketId): Lots {
    return this.#accountState.holdings.held(market);
  }

  /** False while a spot market's balance before the run is unknown, so that bought tokens cannot be distinguished from earlier ones. */
  isBalanceKnown(market: MarketId): boolean {
    return this.market(market).spec.kind === 'perp' || this.baselines().has(market);
  }

  /** The balances in the newest account plus our spot trades that they do not include yet. Empty before the first account. */
  balances(): readonly Balance[] {
    return this.#accountState.holdings.balances();
  }

  /**
   * The largest position that the exchange has already counted in the account's margins: its position plus the larger side of the orders that it lists.
   * What an order adds is counted from there.
   */
  countedInMargins(market: MarketId): Lots {
    return this.#accountState.holdings.countedInMargins(market);
  }

  /** True if the account has positions or orders in markets that are not this run's. */
  get hasOtherMarkets(): boolean {
    return this.#accountState.holdings.hasOtherMarkets;
  }

  exposure(market: MarketId): Exposure {
    return this.#accountState.holdings.exposure(market);
  }

  /** The streams that are unhealthy now, with the reason of each. */
  unhealthy(): readonly HealthSeen[] {
    return this.health.unhealthy();
  }

  /** Number of orders sent after `from`, which must lie within the last minute. */
  placementsSince(from: Millis): number {
    return this.#accountState.sendTimes.since(from);
  }

  /** The part of a position that our fills do not explain, in at least two accounts in a row; undefined while all is explained. */
  unexplained(market: MarketId): Fault | undefined {
    return this.#accountState.agreement.unexplained(market);
  }

  /** The positions before the first fill that was received, for the markets where they are known. The same map until more is known. */
  baselines(): ReadonlyMap<MarketId, Lots> {
    return this.#accountState.agreement.baselines();
  }

  /** Returns the alarms raised since the last call. */
  takeAlarms(): readonly Alarm[] {
    return this.#alarms.take();
  }

  /** Returns the status changes of our orders since the last call. */
  takeChanges(): readonly OrderChange[] {
    return this.#accountState.orders.takeChanges();
  }

  /** Takes over the state of an earlier process of this run. */
  adopt(earlier: RecoveredState): void {
    this.#accountState.adopt(earlier);
    if (earlier.memory !== undefined) this.memory.adopt(earlier.memory);
    this.accounting.resume(earlier);
  }

  /** True if none of our orders is, or may be, at the exchange, and the final status of each is known. */
  get settled(): boolean {
    return this.#accountState.orders.settled;
  }

  /** True if no order of ours is, or may be, in the book, but the end of at least one (filled or cancelled) is not known yet. */
  get awaitsEnds(): boolean {
    return this.#accountState.orders.awaitsEnds;
  }

  /** Marks the actions as sent, so that the next turn does not send them again. */
  markSent(actions: readonly Action[]): void {
    if (actions.length > 0) this.#accountState.markSent(actions, this.#now);
    this.sentTerms.sent(actions, this.#now);
  }

  /** Applies the events of one turn, in their order. */
  apply(...events: readonly Event[]): void {
    this.#prices.beginTurn();
    this.#accountState.beginTurn();
    for (const event of events) {
      if (event.at < this.#now) throw new AssertionError(`an event of ${event.at} came after the time ${this.#now}`);
      this.#now = event.at;
      this.touched.see(event);
      applyTo(this.#parts, event);
    }
    this.heldSince.see(this);
  }
}
