// The whole state of the exchange at one instant. The other files of `src/embedded/exchange` are functions on it.
import type { Millis } from '../../../base/clock.ts';
import type { AccountId, ActionId, TokenId } from '../../../bot/domain/ids.ts';
import type { FeeRates } from '../../../bot/domain/market.ts';
import type { Micros } from '../../../bot/domain/numbers.ts';
import type { FundsMove, TakeAll } from '../history/statement.ts';
import { TradeLog } from '../history/trades.ts';
import { type ExchangeAccount, feeTierOf, newAccount, noTokens } from './account.ts';
import { FEE_BRACKETS, type Role } from './fees.ts';
import { type ListedMarket, type ListedToken, QUOTE } from './listing.ts';
import { type MarketStart, type MarketState, openMarketState } from './market-state.ts';
import type { LiveOrder } from './orders.ts';

export interface ExchangeState {
  now: Millis;
  /** The number of state changes so far: the id of the last. */
  actions: number;
  /** True while the parts of an atomic action are executed. */
  inAtomic: boolean;
  /** The number of accepted orders so far: the id of the last. */
  orders: number;
  /** The number of deposits and withdrawals so far. */
  fundsMoves: number;
  /** By token id. */
  readonly tokens: readonly ListedToken[];
  /** The same rates for all accounts; undefined if rates depend on volume. */
  fees: FeeRates | undefined;
  /** By market id. */
  readonly marketStates: readonly MarketState[];
  /** By token id: the spot market that defines the unit and the price of a base token. */
  readonly pricedBy: ReadonlyMap<TokenId, MarketState>;
  /** By account id. */
  readonly accounts: ExchangeAccount[];
  readonly users: Map<string, AccountId[]>;
  /** Orders that will be cancelled at the next step. */
  readonly queuedCancels: Set<LiveOrder>;
  readonly trades: TradeLog;
  /** Newest last. */
  readonly takes: TakeAll[];
  /** Receives every fee. */
  readonly vault: ExchangeAccount;
  /** Takes over positions that cannot be liquidated in the book. */
  readonly backstop: ExchangeAccount;
  /** The counterparty of all funding payments, because accounts settle at different times. */
  readonly fundingPool: ExchangeAccount;
}

export interface ExchangeStateOptions extends Pick<ExchangeState, 'tokens' | 'fees'> {
  readonly start: Millis;
  readonly markets: readonly ListedMarket[];
  /** How many trades are kept. */
  readonly tradesKept?: number | undefined;
  /** By market id. */
  readonly sources: readonly MarketStart[];
}

/** Returns the state at the start: the markets at their base prices, and the accounts of the exchange itself. */
export function openExchangeState({ start, tokens, fees, markets, tradesKept, sources }: ExchangeStateOptions): ExchangeState {
  const marketStates = markets.map((listed, id) => openMarketState(listed, sources[id]!));
  const accounts: ExchangeAccount[] = [];
  // Like another trader's account: no orders or payments are recorded for it.
  const open = (): ExchangeAccount => addAccount({ accounts, tokens }, { isOtherTrader: true });
  return {
    now: start,
    actions: 0,
    inAtomic: false,
    orders: 0,
    fundsMoves: 0,
    tokens,
    fees,
    marketStates,
    pricedBy: new Map(
      marketStates
        .filter(({ market }) => market.spec.kind === 'spot')
        .map((marketState) => [marketState.market.spec.baseTokenId, marketState]),
    ),
    accounts,
    users: new Map(),
    queuedCancels: new Set(),
    trades: new TradeLog({ kept: tradesKept }),
    takes: [],
    vault: open(),
    backstop: open(),
    fundingPool: open(),
  };
}

/** `wallet` is the wallet of the user's other accounts, if any. */
export function addAccount(
  { accounts, tokens }: Pick<ExchangeState, 'accounts' | 'tokens'>,
  { isOtherTrader, wallet = noTokens(tokens.length) }: { isOtherTrader: boolean; wallet?: number[] | undefined },
): ExchangeAccount {
  const account = newAccount({ id: accounts.length, isOtherTrader, wallet });
  accounts.push(account);
  return account;
}

/** Increments the number of state changes and returns it as the action's id. The parts of an atomic action share one. */
export const nextAction = (state: ExchangeState): number => (state.inAtomic ? state.actions : ++state.actions);

/** Returns the fee rate of an account now, in parts per million of the traded value. */
export function feePpm(state: ExchangeState, account: ExchangeAccount, role: Role): number {
  const { makerPpm, takerPpm } = feeRatesOf(state, account);
  return role === 'maker' ? makerPpm : takerPpm;
}

/** Returns the fee rates of an account now: the same object while they are the same. */
export const feeRatesOf = ({ fees, now }: ExchangeState, account: ExchangeAccount): FeeRates =>
  fees ?? FEE_BRACKETS[feeTierOf(account, now)]!;

/** Adds a deposit to the account's balance or takes a withdrawal from it, as one action, and records it. Returns the action's id. */
export function moveFunds(state: ExchangeState, account: ExchangeAccount, move: Pick<FundsMove, 'kind' | 'token' | 'amount'>): ActionId {
  const actionId = String(nextAction(state));
  const balance = account.balances[move.token]! + (move.kind === 'deposit' ? move.amount : -move.amount);
  account.balances[move.token] = balance;
  account.fundsMoves.push({ ...move, balance, index: state.fundsMoves++, time: state.now, actionId });
  return actionId;
}

/** The only way in which quote money moves from one account to another. */
export const pay = (from: ExchangeAccount, to: ExchangeAccount, amount: Micros): void => payIn(QUOTE, from, to, amount);

/** Moves an amount of a token from one account to another. */
export function payIn(token: TokenId, from: ExchangeAccount, to: ExchangeAccount, amount: number): void {
  from.balances[token]! -= amount;
  to.balances[token]! += amount;
}
