// The embedded exchange: markets, accounts and other traders in one process, moved by commands and by exchange time.
import { assert } from '../base/assert.ts';
import type { Millis } from '../base/clock.ts';
import { rngFrom } from '../base/rng.ts';
import type { Book } from '../domain/book.ts';
import type { LiveInfo } from '../domain/event.ts';
import type { AccountId, ActionId, MarketId, OrderId } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';
import type { Micros, Ticks } from '../domain/numbers.ts';
import { feeTierOf } from './account.ts';
import type {
  CancelOutcome,
  CancelRequest,
  PlaceOutcome,
  PlaceRequest,
  ReplaceRequest,
  TransferOutcome,
  TransferRequest,
} from './commands.ts';
import { crowdSource } from './crowd.ts';
import type { FeeRates, Role } from './fees.ts';
import { createFlow as usualFlow } from './flow/flow.ts';
import type { CreateFlow } from './flow-port.ts';
import { hear } from './hear.ts';
import { addAccount, feePpm, type House, nextAction, openHouse } from './house.ts';
import { LISTED_MARKETS, type ListedMarket, QUOTE, TOKENS, type Token } from './listing.ts';
import type { OrderRecord } from './orders.ts';
import type { Page } from './paging.ts';
import type { Pit } from './pit.ts';
import { cancel, cancelSoon, place, replace } from './placing.ts';
import { recordedSource } from './recorded/playback.ts';
import type { Recording } from './recorded/recording.ts';
import { Records } from './records.ts';
import type { Drive, Source } from './source.ts';
import { pass } from './step.ts';
import type { TakeAll } from './takes.ts';
import type { SimTrade, TradeQuery } from './trades.ts';
import { transfer } from './transfer.ts';
import { type AccountState, accountOf, bookOf, liveOf, type MarketStats, statsOf } from './views.ts';
import { Wallets } from './wallets.ts';

export interface ExchangeOptions {
  /** Of all that the other traders and the oracles do. */
  readonly seed: string;
  readonly start: Millis;
  /** Ids must count up from 0. */
  readonly markets?: readonly ListedMarket[] | undefined;
  /** The other traders of every market without a recording; false for none, and prices that move only by `setIndex`. */
  readonly flow?: CreateFlow | false | undefined;
  /** By market id; markets without one have a flow. */
  readonly recordings?: readonly Recording[] | undefined;
  /** By token id; the quote token is the first. A perpetual needs no token for its base, unless a flow trades it. */
  readonly tokens?: readonly Token[] | undefined;
  /** The same for everybody; by the volume of thirty days unless said. */
  readonly fees?: FeeRates | undefined;
}

/** Nobody pages through the trades of a recording but a bot that polls. */
const RECORDED_TRADES_KEPT = 2 ** 15;

/**
 * Synchronous, and deterministic: equal options and equal calls give equal answers. Every accepted command, and everything that the exchange does by
 * itself (an oracle's word, a funding payment, a liquidation), consumes one action id, and an order that is replaced two; a refused command consumes
 * none and changes nothing.
 */
export class Exchange {
  readonly markets: readonly Market[];
  /** By token id. */
  readonly tokens: readonly Token[];
  readonly records: Records;
  readonly wallets: Wallets;
  readonly #house: House;
  /** By market id. */
  readonly #drives: readonly Drive[];

  constructor(options: ExchangeOptions) {
    const { start, markets = LISTED_MARKETS, tokens = TOKENS, fees } = options;
    assert(
      markets.every(({ spec }, index) => spec.id === index),
      'market ids count up from 0',
    );
    for (const { spec } of markets)
      assert(spec.kind === 'perp' || tokens[spec.baseTokenId] !== undefined, `market ${spec.symbol}: nobody can hold its base token`);
    const sources = sourcesOf(markets, options);
    const tradesKept = options.recordings === undefined ? undefined : RECORDED_TRADES_KEPT;
    this.#house = openHouse({ start, markets, tokens, fees, tradesKept, sources });
    this.tokens = tokens;
    this.records = new Records(this.#house);
    this.wallets = new Wallets(this.#house);
    this.markets = this.#house.pits.map(({ market }) => market);
    this.#drives = this.#house.pits.map((pit, id) => sources[id]!.open(this.#house, pit));
  }

  /** Exchange time. */
  now(): Millis {
    return this.#house.now;
  }

  /**
   * Everything that is due until `when`, in steps of 100 ms and all recorded rows up to it: in how many calls makes no difference. Recorded rows must
   * have been handed over so far.
   */
  advanceTo(when: Millis): void {
    assert(when >= this.#house.now, 'exchange time ran backwards');
    pass(this.#house, this.#drives, when);
  }

  lastActionId(): ActionId {
    return String(this.#house.actions);
  }

  /** Consumes an action id for a command that is executed outside, such as the opening of a session. */
  countAction(): ActionId {
    return String(nextAction(this.#house));
  }

  /** Gives a user quote money, in the first account, which is opened where there is none. */
  register(user: string, deposit: Micros): AccountId {
    const id = this.accountsOf(user)[0] ?? this.openAccount(user);
    nextAction(this.#house);
    this.#house.accounts[id]!.balances[QUOTE]! += deposit;
    return id;
  }

  /** Another account of the user's, empty. */
  openAccount(user: string): AccountId {
    nextAction(this.#house);
    const { accounts, users } = this.#house;
    const others = this.accountsOf(user);
    const { id } = addAccount(this.#house, { house: false, wallet: accounts[others[0] ?? -1]?.wallet });
    users.set(user, [...others, id]);
    return id;
  }

  /** Oldest first; none of an unknown user. */
  accountsOf(user: string): readonly AccountId[] {
    return this.#house.users.get(user) ?? [];
  }

  transfer(request: TransferRequest): TransferOutcome {
    return transfer(this.#house, request);
  }

  place(request: PlaceRequest): PlaceOutcome {
    return place(this.#house, request);
  }

  cancel(request: CancelRequest): CancelOutcome {
    return cancel(this.#house, request);
  }

  /** Cancels an order that rests and places it anew at another price and size; does neither where the new one would be refused. */
  replace(request: ReplaceRequest): PlaceOutcome {
    return replace(this.#house, request);
  }

  /** Has an order cancelled at the next step of 100 ms, unless it is filled before. False where no such order rests. */
  cancelSoon(request: CancelRequest): boolean {
    return cancelSoon(this.#house, request);
  }

  /** In a frozen market nobody can place, nothing trades and prices stand; cancels pass. Not for a recorded one, which is frozen while it is dark. */
  freeze(market: MarketId, frozen: boolean): void {
    const pit = this.#pit(market);
    assert(pit.crowd === undefined, 'what is recorded cannot be held up');
    nextAction(this.#house);
    pit.frozen = frozen;
  }

  /** True in a gap of the recording: nothing is known of the market, and it is as a frozen one. Never of a market of traders. */
  dark(market: MarketId): boolean {
    return this.#drives[market]?.dark ?? false;
  }

  /** The index is `price` from now on, whatever the flow's oracle or the recording says; undefined gives the word back to them. */
  setIndex(market: MarketId, price: Ticks | undefined): void {
    const pit = this.#pit(market);
    pit.pinned = undefined;
    hear(this.#house, pit, { index: price });
    pit.pinned = price;
  }

  /** Undefined when there is no such market. */
  book(market: MarketId): Book | undefined {
    return this.#show(market, bookOf);
  }

  live(market: MarketId): LiveInfo | undefined {
    return this.#show(market, liveOf);
  }

  stats(market: MarketId): MarketStats | undefined {
    return this.#show(market, statsOf);
  }

  /** Undefined when there is no such account. */
  account(id: AccountId): AccountState | undefined {
    const account = this.#house.accounts[id];
    return account === undefined ? undefined : accountOf(this.#house, account);
  }

  /** Newest first. */
  trades(query: TradeQuery): Page<SimTrade> {
    return this.#house.trades.query(query);
  }

  /** Newest first, with what has finished; empty for an unknown account. */
  orderHistory(account: AccountId, page: { startInclusive?: OrderId | undefined; pageSize?: number | undefined }): Page<OrderRecord> {
    return this.#house.accounts[account]?.history.page(page) ?? { items: [] };
  }

  /** Terminal liquidations, oldest first. */
  takes(): readonly TakeAll[] {
    return [...this.#house.takes];
  }

  /** The same for everybody, from now on. */
  setFees(fees: FeeRates): void {
    this.#house.fees = fees;
  }

  /** By the account's volume of the last thirty days; undefined when there is no such account. */
  feeTier(id: AccountId): number | undefined {
    const account = this.#house.accounts[id];
    return account === undefined ? undefined : feeTierOf(account, this.#house.now);
  }

  /** In millionths of what is traded; paid out where it is negative. */
  feeRatePpm({ account, role }: { account: AccountId; role: Role }): number | undefined {
    const found = this.#house.accounts[account];
    return found === undefined ? undefined : feePpm(this.#house, found, role);
  }

  #show<View>(market: MarketId, view: (pit: Pit, house: House) => View): View | undefined {
    const pit = this.#house.pits[market];
    return pit === undefined ? undefined : view(pit, this.#house);
  }

  #pit(market: MarketId): Pit {
    const pit = this.#house.pits[market];
    assert(pit !== undefined, `no market ${market}`);
    return pit;
  }
}

/** By market id: what is recorded, and for the others a flow, all from one seed. */
function sourcesOf(markets: readonly ListedMarket[], { seed, flow = usualFlow, recordings = [] }: ExchangeOptions): readonly Source[] {
  const rng = rngFrom(seed).fork('flow');
  return markets.map((_, id) => {
    const recording = recordings[id];
    return recording === undefined ? crowdSource(flow === false ? undefined : { create: flow, rng }) : recordedSource(recording);
  });
}
