// Every endpoint of the local signing process as a typed call: `markets.ts`, `orders.ts` and this file define the calls, `request.ts`
// makes them, `reply.ts` checks the answers, `routes.ts` finds endpoints that have moved, `pages.ts` reads lists.

import type { Millis } from '../../../base/clock.ts';
import { assert } from '../../../base/errors.ts';
import type { Transport } from '../../../base/transport/transport.ts';
import * as wire from '../../wire/json/local.ts';
import { type MarketCalls, marketCalls } from './markets.ts';
import { type OrderCalls, orderCalls } from './orders.ts';
import { type NumberedPage, type Pager, type Pages, pagesFrom } from './pages.ts';
import { pathOf, type Requests, requestsOver } from './request.ts';
import { readAtEitherPath, writeAtEitherPath } from './routes.ts';

/** Calls for the user's own account. */
interface AccountCalls {
  /** GET /account: margins in USD, and the positions. */
  account(): Promise<wire.LocalAccount>;
  /** GET /positions. Some servers ignore `showAvgPrice`. */
  positions(query?: { showAvgPrice?: boolean | undefined }): Promise<wire.LocalPosition[]>;
  /** GET /wallet/balances: whole tokens. */
  balances(): Promise<wire.LocalBalance[]>;
  /** GET /wallet/transfers: deposits and withdrawals. */
  transfers(): Pages<wire.Transfer>;
  /** GET /orders/history, or /trades/history: our fills in one market. */
  history(query: { market: string }): Pages<wire.OrderFill>;
  /** GET /funding_payments: our payments for one future, or the server's default selection without a filter. */
  fundingPayments(query?: { future?: string | undefined }): Pages<wire.LocalFundingPayment>;
}

function accountCalls({ read, list }: Requests, pages: Pager): AccountCalls {
  const historyPage = readAtEitherPath<{ market: string; page: number }, NumberedPage<wire.OrderFill>>({
    usual: (query) => list(pathOf(['orders', 'history'], query), wire.orderFills),
    other: (query) => list(pathOf(['trades', 'history'], query), wire.orderFills),
  });
  return {
    account: () => read('/account', wire.localAccount),
    positions: ({ showAvgPrice } = {}) => read(pathOf(['positions'], { showAvgPrice }), wire.localPositions),
    balances: () => read('/wallet/balances', wire.localBalances),
    transfers: () => pages((page) => list(pathOf(['wallet', 'transfers'], { page }), wire.transfers)),
    history: ({ market }) => pages((page) => historyPage({ market, page })),
    fundingPayments: ({ future } = {}) =>
      // The filter has two names; a server ignores the one that it does not know.
      pages((page) => list(pathOf(['funding_payments'], { page, future, market: future }), wire.fundingPayments)),
  };
}

export type { NewOrder } from './orders.ts';

/**
 * Each call makes one attempt per page and rejects with a ClientError. Nothing is sent twice, with one exception: an endpoint that may have moved is
 * tried at its other known path, a read after any answer without a result, a write only after a 404. The path that first succeeded is kept. Prices and
 * sizes are decimals, in quote and base. An error `refused` (the answer has `success: false`, or no `success` but a text with the reason) does not prove
 * that nothing was done: the process may fail after it has sent the transaction.
 */
export type LocalClient = MarketCalls & AccountCalls & OrderCalls & WalletCalls;

/** How long each kind of request may take, from its start to the last byte of its answer. */
export interface LocalTimeouts {
  /** Every read; 5 s by default. */
  readonly readMs: Millis;
  /** Everything that is signed: orders, cancels, deposits, withdrawals; 15 s by default, because the process awaits the transaction. */
  readonly writeMs: Millis;
}

export interface LocalClientOptions {
  readonly transport: Transport;
  readonly timeouts?: Partial<LocalTimeouts> | undefined;
  /**
   * The number of the first page, which is not documented; 0 by default, because most servers that count from 1 answer page 0 with their first page, or
   * refuse it.
   */
  readonly firstPage?: number | undefined;
  /** How an order's flags are written: the documented boolean by default. Some servers accept only the text "true". */
  readonly flagsAs?: 'boolean' | 'text' | undefined;
}

const DEFAULT_TIMEOUTS: LocalTimeouts = { readMs: 5_000, writeMs: 15_000 };

export function localClient({ transport, timeouts, firstPage = 0, flagsAs = 'boolean' }: LocalClientOptions): LocalClient {
  const requests = requestsOver(transport, { ...DEFAULT_TIMEOUTS, ...timeouts });
  const pages = pagesFrom(firstPage);
  return {
    ...marketCalls(requests, pages),
    ...accountCalls(requests, pages),
    ...orderCalls(requests, flagsAs),
    ...walletCalls(requests),
  };
}

/** Whole tokens of one coin. */
interface WalletAmount {
  readonly coin: string;
  readonly size: number;
}

/**
 * Transfers between the user's wallet and the margin account; meant for a person, one at a time. Each call is GET as documented; POST only after a 404. Any
 * other failure may hide an executed transfer, so nothing is sent again.
 */
interface WalletCalls {
  /** /wallet/deposits: from the wallet to the margin account. */
  deposit(amount: WalletAmount): Promise<wire.WalletOperation>;
  /** /wallet/withdrawals: from the margin account to the wallet. */
  withdraw(amount: WalletAmount): Promise<wire.WalletOperation>;
}

function walletCalls({ act }: Requests): WalletCalls {
  const moving = (what: 'deposits' | 'withdrawals') => {
    const move = writeAtEitherPath<WalletAmount, wire.WalletOperation>({
      usual: ({ coin, size }) => act({ method: 'GET', path: pathOf(['wallet', what], { coin, size }) }, wire.walletOperation),
      other: ({ coin, size }) => act({ method: 'POST', path: pathOf(['wallet', what]), body: { coin, size } }, wire.walletOperation),
    });
    return async (amount: WalletAmount): Promise<wire.WalletOperation> => {
      assert(Number.isFinite(amount.size) && amount.size > 0, `${amount.size} ${amount.coin} cannot be moved`);
      return move(amount);
    };
  };
  return { deposit: moving('deposits'), withdraw: moving('withdrawals') };
}
