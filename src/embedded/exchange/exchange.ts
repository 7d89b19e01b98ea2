// The embedded exchange: markets, accounts and other traders in one process, driven by commands and by exchange time.
// Folders: `state/` has the data, `book/` matches orders, `rules/` decides (checks, execution, fees, funding, liquidation), `history/` keeps records,
// `traders/` has the other traders, `recorded/` the markets that follow a recording. `commands.ts` has the commands, `views.ts` the public data.

import type { Millis } from '../../base/clock.ts';
import { AssertionError, assert } from '../../base/errors.ts';
import { rngFrom } from '../../base/rng.ts';
import type { Book } from '../../bot/domain/book.ts';
import type { LiveInfo } from '../../bot/domain/event.ts';
import type { AccountId, ActionId, MarketId, OrderId } from '../../bot/domain/ids.ts';
import type { FeeRates, Market } from '../../bot/domain/market.ts';
import type { Micros, Ticks } from '../../bot/domain/numbers.ts';
import type { CancelOutcome, CancelRequest, PlaceOutcome, PlaceRequest, ReplaceRequest } from './commands.ts';
import { type Compound, CompoundCommands } from './compound.ts';
import type { RowPage } from './history/paging.ts';
import type { TakeAll } from './history/statement.ts';
import type { SimTrade, TradeQuery } from './history/trades.ts';
import { addPastTrades, type PastTradesOptions } from './past-trades.ts';
import { recordedSource } from './recorded/playback.ts';
import type { Recording } from './recorded/recording.ts';
import { Records } from './records.ts';
import { applyOracle } from './rules/apply-oracle.ts';
import { failsWithin, judgeRange, type PriceRange } from './rules/judge-range.ts';
import { cancel, place, queueCancel, replace } from './rules/placing.ts';
import { advance } from './rules/step.ts';
import { Wallets } from './rules/wallets.ts';
import { feeTierOf, holdingIn } from './state/account.ts';
import { addAccount, type ExchangeState, feePpm, feeRatesOf, moveFunds, nextAction, openExchangeState } from './state/exchange-state.ts';
import { FEE_BRACKETS, type FeeBracket, type Role } from './state/fees.ts';
import { LISTED_MARKETS, type ListedMarket, type ListedToken, QUOTE, TOKENS } from './state/listing.ts';
import type { MarketDriver, MarketSource, RecordedQuotes, ShownQuotes } from './state/market-source.ts';
import type { MarketState } from './state/market-state.ts';
import type { OrderRecord } from './state/orders.ts';
import type { PerpPosition } from './state/position.ts';
import { flowOf } from './traders/flow.ts';
import { flowSource } from './traders/flow-market.ts';
import type { CreateFlow } from './traders/flow-port.ts';
import { accountOf, bookOf, liveOf, type MarketStats, type ShownAccountState, statsOf } from './views.ts';

export interface ExchangeOptions extends SourceOptions {
  readonly start: Millis;
  /** Ids must count up from 0. */
  readonly markets?: readonly ListedMarket[] | undefined;
  /** By token id; the quote token is the first. A perpetual needs no token for its base, unless a flow trades it. */
  readonly tokens?: readonly ListedToken[] | undefined;
  /** The same rates for all accounts; by default rates depend on the volume of thirty days. */
  readonly fees?: FeeRates | undefined;
  /** Trades from before the start. None by default. */
  readonly past?: PastTradesOptions | undefined;
}

/** Fewer than by default, because only a polling bot reads the trades of a recording. */
const RECORDED_TRADES_KEPT = 2 ** 15;

/**
 * An exchange in this process. It is synchronous and deterministic: equal options and equal calls give equal answers. Every accepted command and every action
 * of the exchange (oracle update, funding payment, liquidation) consumes one action id, a replaced order two. A refused command consumes none and changes
 * nothing.
 */
export class Exchange {
  readonly markets: readonly Market[];
  /** By token id. */
  readonly tokens: readonly ListedToken[];
  readonly records: Records;
  readonly wallets: Wallets;
  readonly #compound: Compound;
  readonly #state: ExchangeState;
  /** By market id. */
  readonly #drivers: readonly MarketDriver[];

  constructor(options: ExchangeOptions) {
    const { start, markets = LISTED_MARKETS, tokens = TOKENS, fees, past } = options;
    assert(
      markets.every(({ spec }, index) => spec.id === index),
      'market ids count up from 0',
    );
    for (const { spec } of markets)
      assert(spec.kind === 'perp' || tokens[spec.baseTokenId] !== undefined, `market ${spec.symbol}: nobody can hold its base token`);
    const sources = sourcesOf(markets.length, options);
    const tradesKept = options.recordings === undefined ? undefined : RECORDED_TRADES_KEPT;
    this.#state = openExchangeState({ start, markets, tokens, fees, tradesKept, sources });
    this.tokens = tokens;
    this.records = new Records(this.#state);
    this.wallets = new Wallets(this.#state);
    this.#compound = new CompoundCommands(this.#state);
    this.markets = this.#state.marketStates.map(({ market }) => market);
    this.#drivers = this.#state.marketStates.map((marketState, id) => sources[id]!.open(this.#state, marketState));
    if (past !== undefined) addPastTrades(this.#state, past);
  }

  /** Exchange time. */
  now(): Millis {
    return this.#state.now;
  }

  /**
   * Advances to `when`: executes the steps of 100 ms and all recorded rows up to it. The result does not depend on the number of calls. The recorded
   * rows up to `when` must have been added.
   */
  advanceTo(when: Millis): void {
    assert(when >= this.#state.now, 'exchange time ran backwards');
    advance(this.#state, this.#drivers, when);
  }

  lastActionId(): ActionId {
    return String(this.#state.actions);
  }

  /** Consumes an action id for a command that is executed elsewhere, such as the opening of a session; `lastActionId` then returns it. */
  countAction(): void {
    nextAction(this.#state);
  }

  /** Adds quote money to the user's first account, which is opened if missing. */
  register(user: string, deposit: Micros): AccountId {
    const id = this.accountsOf(user)[0] ?? this.openAccount(user);
    moveFunds(this.#state, this.#state.accounts[id]!, { kind: 'deposit', token: QUOTE, amount: deposit });
    return id;
  }

  /** Gives an account a position that it had before the exchange began. Every position names an action: this one the last until now. */
  hold(id: AccountId, market: MarketId, position: PerpPosition): void {
    const holding = holdingIn(this.#state.accounts[id]!, this.#marketState(market));
    holding.position = position;
    holding.action = this.#state.actions;
  }

  /** Opens another account of the user, empty. */
  openAccount(user: string): AccountId {
    nextAction(this.#state);
    const { accounts, users } = this.#state;
    const others = this.accountsOf(user);
    const { id } = addAccount(this.#state, { isOtherTrader: false, wallet: accounts[others[0] ?? -1]?.wallet });
    users.set(user, [...others, id]);
    return id;
  }

  /** Returns the accounts of a user, oldest first; empty for an unknown user. */
  accountsOf(user: string): readonly AccountId[] {
    return this.#state.users.get(user) ?? [];
  }

  get compound(): Compound {
    return this.#compound;
  }

  place(request: PlaceRequest): PlaceOutcome {
    return place(this.#state, request);
  }

  cancel(request: CancelRequest): CancelOutcome {
    return cancel(this.#state, request);
  }

  /** Cancels a resting order and places it at another price and size; does neither if the new order would be refused. */
  replace(request: ReplaceRequest): PlaceOutcome {
    return replace(this.#state, request);
  }

  /** Cancels an order at the next step of 100 ms, unless it fills before. Returns false if no such order rests. */
  queueCancel(request: CancelRequest): boolean {
    return queueCancel(this.#state, request);
  }

  /**
   * Freezes a market, or ends that. In a frozen market no order can be placed, nothing trades and prices stay; cancels are accepted. Not for a recorded market,
   * which is frozen in its gaps.
   */
  freeze(market: MarketId, frozen: boolean): void {
    const marketState = this.#marketState(market);
    assert(marketState.recordedTraders === undefined, 'a recorded market cannot be frozen');
    nextAction(this.#state);
    marketState.frozen = frozen;
  }

  /** True in a gap of the recording, in which the market is unknown and behaves as frozen. Always false for a market of traders. */
  inGap(market: MarketId): boolean {
    return this.#drivers[market]?.inGap ?? false;
  }

  /** The recorded quotes of a market that follows a tape; undefined while a side is empty. */
  quotes(market: MarketId): RecordedQuotes | undefined {
    return this.#drivers[market]?.quotes;
  }

  /** Moves the recorded quotes and the mark of a market that follows a tape of candles to a price inside its candle. */
  showAt(market: MarketId, price: Ticks, quotes: ShownQuotes): void {
    this.#drivers[market]?.showAt?.(price, quotes);
  }

  /** True if an account with a position in the market would fail its margins at the end of the range that is worse for it. */
  failsWithin(market: MarketId, range: PriceRange): boolean {
    return failsWithin(this.#state, this.#marketState(market), range);
  }

  /**
   * Moves the price towards the worse end of the range for each account with a position, and cancels or liquidates where its margins fail. Returns true if
   * the quotes were moved.
   */
  judgeMargins(market: MarketId, range: PriceRange, quotes: ShownQuotes): boolean {
    return judgeRange(this.#state, this.#marketState(market), {
      low: range.low,
      high: range.high,
      show: (price) => this.showAt(market, price, quotes),
    });
  }

  /** Pins the index to `price`, overriding the oracle or the recording; undefined ends that. */
  setIndex(market: MarketId, price: Ticks | undefined): void {
    const marketState = this.#marketState(market);
    marketState.pinned = undefined;
    applyOracle(this.#state, marketState, { index: price });
    marketState.pinned = price;
  }

  /** Returns the order book; undefined if there is no such market. */
  book(market: MarketId): Book | undefined {
    return this.#show(market, bookOf);
  }

  live(market: MarketId): LiveInfo | undefined {
    return this.#show(market, liveOf);
  }

  stats(market: MarketId): MarketStats | undefined {
    return this.#show(market, statsOf);
  }

  /** Returns what an account has; undefined if there is no such account. */
  account(id: AccountId): ShownAccountState | undefined {
    const account = this.#state.accounts[id];
    return account === undefined ? undefined : accountOf(this.#state, account);
  }

  /** Returns trades, newest first. */
  trades(query: TradeQuery): RowPage<SimTrade> {
    return this.#state.trades.query(query);
  }

  /** Returns the orders of an account, newest first, finished ones included; empty for an unknown account. */
  orderHistory(account: AccountId, page: { startInclusive?: OrderId | undefined; pageSize?: number | undefined }): RowPage<OrderRecord> {
    return this.#state.accounts[account]?.history.page(page) ?? { items: [] };
  }

  /** Terminal liquidations, oldest first. */
  takes(): readonly TakeAll[] {
    return [...this.#state.takes];
  }

  /** Sets the same rates for all accounts, from now on. */
  setFees(fees: FeeRates): void {
    this.#state.fees = fees;
  }

  /** The tiers with the rates that are charged in them now. */
  get feeBrackets(): readonly FeeBracket[] {
    const { fees } = this.#state;
    return fees === undefined ? FEE_BRACKETS : FEE_BRACKETS.map(({ tier }) => ({ tier, ...fees }));
  }

  /** Returns the tier of the account's volume of the last thirty days; undefined if there is no such account. */
  feeTier(id: AccountId): number | undefined {
    const account = this.#state.accounts[id];
    return account === undefined ? undefined : feeTierOf(account, this.#state.now);
  }

  /** Returns the fee rate of an account in parts per million of the traded value; negative if it is paid out. */
  feeRatePpm({ account, role }: { account: AccountId; role: Role }): number | undefined {
    const found = this.#state.accounts[account];
    return found === undefined ? undefined : feePpm(this.#state, found, role);
  }

  /** The same object until the rates change; undefined if there is no such account. */
  feeRates(id: AccountId): FeeRates | undefined {
    const account = this.#state.accounts[id];
    return account === undefined ? undefined : feeRatesOf(this.#state, account);
  }

  #show<View>(market: MarketId, view: (marketState: MarketState, state: ExchangeState) => View): View | undefined {
    const marketState = this.#state.marketStates[market];
    return marketState === undefined ? undefined : view(marketState, this.#state);
  }

  #marketState(market: MarketId): MarketState {
    const marketState = this.#state.marketStates[market];
    if (marketState === undefined) throw new AssertionError(`no market ${market}`);
    return marketState;
  }
}

interface SourceOptions {
  /** Seed of all randomness of the other traders and the oracles. */
  readonly seed: string;
  /** The other traders of every market without a recording; false for none, and prices that move only by `setIndex`. */
  readonly flow?: CreateFlow | false | undefined;
  /** The time between two payments of funding in markets without a recording; an hour by default. */
  readonly fundingEvery?: Millis | undefined;
  /** By market id; markets without one have a flow. */
  readonly recordings?: readonly Recording[] | undefined;
}

/** Returns the source of each market by id: its recording, else a flow of other traders. All flows come from one seed. */
function sourcesOf(markets: number, { seed, flow = flowOf(), fundingEvery, recordings = [] }: SourceOptions): readonly MarketSource[] {
  const rng = rngFrom(seed).fork('flow');
  return Array.from({ length: markets }, (_, id) => {
    const recording = recordings[id];
    if (recording !== undefined) return recordedSource(recording);
    return flowSource(flow === false ? undefined : { create: flow, rng }, fundingEvery);
  });
}
