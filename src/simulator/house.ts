// All that the exchange is at one instant. The other files of this room are functions on it.
import type { Millis } from '../base/clock.ts';
import type { AccountId, TokenId } from '../domain/ids.ts';
import type { Micros } from '../domain/numbers.ts';
import { type Account, newAccount, noTokens } from './account.ts';
import { type ListedMarket, QUOTE, TOKENS } from './listing.ts';
import type { LiveOrder } from './orders.ts';
import { openPit, type Pit } from './pit.ts';
import type { TakeAll } from './takes.ts';
import { TradeLog } from './trades.ts';

export interface House {
  now: Millis;
  /** How many state changes there have been: the id of the last. */
  actions: number;
  /** How many orders have been accepted: the id of the last. */
  orders: number;
  /** By market id. */
  readonly pits: readonly Pit[];
  /** By token id: the spot market that counts and prices a base token. */
  readonly pricedBy: ReadonlyMap<TokenId, Pit>;
  /** By account id. */
  readonly accounts: Account[];
  readonly users: Map<string, AccountId[]>;
  /** Orders that are to be taken out at the next step. */
  readonly leaving: Set<LiveOrder>;
  readonly trades: TradeLog;
  /** Newest last. */
  readonly takes: TakeAll[];
  /** Gets every fee. */
  readonly vault: Account;
  /** Takes over what cannot be liquidated in the book. */
  readonly backstop: Account;
  /** Stands between those who owe funding and those who earn it, as each settles at a time of its own. */
  readonly fundingPool: Account;
}

export function openHouse({ start, markets }: { start: Millis; markets: readonly ListedMarket[] }): House {
  const pits = markets.map(openPit);
  const accounts: Account[] = [];
  const open = (): Account => addAccount(accounts, { house: true });
  return {
    now: start,
    actions: 0,
    orders: 0,
    pits,
    pricedBy: new Map(pits.filter(({ market }) => market.spec.kind === 'spot').map((pit) => [pit.market.spec.baseTokenId, pit])),
    accounts,
    users: new Map(),
    leaving: new Set(),
    trades: new TradeLog(),
    takes: [],
    vault: open(),
    backstop: open(),
    fundingPool: open(),
  };
}

/** `wallet` is that of the user's other accounts, where there are any. */
export function addAccount(
  accounts: Account[],
  { house, wallet = noTokens(TOKENS.length) }: { house: boolean; wallet?: number[] | undefined },
): Account {
  const account = newAccount({ id: accounts.length, house, wallet });
  accounts.push(account);
  return account;
}

/** Counts a state change; its number is its id. */
export const nextAction = (house: House): number => ++house.actions;

/** The only way in which quote money moves from one account to another. */
export function pay(from: Account, to: Account, amount: Micros): void {
  from.balances[QUOTE]! -= amount;
  to.balances[QUOTE]! += amount;
}
