// Reads one account from several answers. The open orders are read before and after everything else, and must be the same both times.

import type { Account } from '../../bot/domain/account.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import type { OwnCount } from '../../bot/exchange/kit/streams/own-counts.ts';
import type { ReadAccount } from '../../bot/exchange/kit/venue-client.ts';
import type { LocalClient } from '../client/local/client.ts';
import { convertListed } from '../shared/convert.ts';
import type { LocalAccount, LocalBalance, LocalOrder, LocalPosition, TradeSide } from '../wire/json/local.ts';
import type { LocalFunding } from './funding.ts';
import type { LocalListedMarket } from './listing.ts';
import { marginsOf } from './margins.ts';
import { areFixedRates, orderOf, positionOf } from './snapshots.ts';
import type { Tokens } from './tokens.ts';

export interface AccountSnapshot {
  readonly account: LocalAccount;
  readonly positions: readonly LocalPosition[];
  readonly balances: readonly LocalBalance[];
  readonly orders: readonly LocalOrder[];
}

const ATTEMPTS = 2;

/** Throws if orders or positions changed between one answer and the next, twice in a row. */
export async function readAccountSnapshot(client: LocalClient): Promise<AccountSnapshot> {
  let before = await client.openOrders();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [account, positions, balances] = await Promise.all([client.account(), client.positions(), client.balances()]);
    const orders = await client.openOrders();
    if (textOf(orders) === textOf(before) && agree(account.positions, positions)) return { account, positions, balances, orders };
    before = orders;
  }
  throw new Error('orders or positions changed while the account was being read');
}

const textOf = (orders: readonly LocalOrder[]): string =>
  textInAnyOrder(orders.map(({ id, price, size, remainingSize }) => [id, price, size, remainingSize]));

/** Compares the two lists of positions, if the account lists any; flat positions may be listed or not. */
const agree = (inAccount: readonly LocalPosition[], inPositions: readonly LocalPosition[]): boolean =>
  inAccount.length === 0 || heldText(inAccount) === heldText(inPositions);

const heldText = (positions: readonly LocalPosition[]): string =>
  textInAnyOrder(positions.filter(({ netSize }) => netSize !== 0).map(({ future, netSize }) => [future, netSize]));

const textInAnyOrder = (rows: readonly (readonly unknown[])[]): string =>
  rows
    .map((row) => JSON.stringify(row))
    .sort((a, b) => (a < b ? -1 : 1))
    .join();

/** Returns the sizes of the open orders that each position states, in base units, beside those of the listed orders. */
export const countsOf = ({ positions, orders }: Pick<AccountSnapshot, 'positions' | 'orders'>): readonly OwnCount[] =>
  positions.flatMap(({ future, openSize, longOrderSize, shortOrderSize }) => {
    const count = (of: string, stated: number | undefined, sides: readonly TradeSide[]): OwnCount[] => {
      const listed = orders.filter(({ market, side }) => market === future && sides.includes(side));
      return stated === undefined ? [] : [{ what: `of open ${of} in ${future}`, stated: rounded(stated), listed: rounded(sizeOf(listed)) }];
    };
    return [
      ...count('orders', openSize, ['buy', 'sell']),
      ...count('bids', longOrderSize, ['buy']),
      ...count('asks', shortOrderSize, ['sell']),
    ];
  });

const sizeOf = (orders: readonly LocalOrder[]): number => orders.reduce((sum, { size, remainingSize = size }) => sum + remainingSize, 0);

/** Removes the errors of sums of decimals. */
const rounded = (size: number): number => Number(size.toFixed(9));

/** Returns the account id: the process names its only account by a text; 0 if that is not a number. */
export const accountIdOf = ({ username }: LocalAccount): AccountId => (/^\d{1,15}$/.test(username) ? Number(username) : 0);

/** Returns the positions and orders in the traded markets; the margins include all markets. */
export function accountOf(
  { account, positions, balances, orders }: AccountSnapshot,
  { listed, tokens, funding }: { listed: readonly LocalListedMarket[]; tokens: Tokens; funding: LocalFunding },
): ReadAccount {
  const markets = new Map(listed.map(({ name, market }) => [name, market]));
  return {
    id: accountIdOf(account),
    counts: countsOf({ positions, orders }),
    balances: balances.map(({ coin, total }) => ({ tokenId: tokens.idOf(coin), token: coin, amount: total })),
    positions: convertListed(
      positions,
      ({ future }) => markets.get(future),
      (market, row) => positionOf(market, row, { paid: funding.paidIn(row.future) }),
    ),
    orders: convertListed(orders, ({ market }) => markets.get(market), orderOf),
    margins: marginsOf(account, positions),
    ...feeRateIn(account),
  };
}

/** Returns the fee rates; none if the process does not report them, or reports the fixed ones that one of its versions reports for every account. */
function feeRateIn(account: LocalAccount): Pick<Account, 'feeRate' | 'fees'> {
  const { makerFee: maker, takerFee: taker } = account;
  if (maker === undefined || taker === undefined || areFixedRates(account)) return {};
  return { feeRate: Math.max(Math.abs(maker), Math.abs(taker)), fees: { maker, taker } };
}
