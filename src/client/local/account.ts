// Calls for the user's own account at the local process.
import * as wire from '../../wire/json/local.ts';
import type { NumberedPage, Pager, Pages } from './pages.ts';
import { pathOf, type Requests } from './request.ts';
import { readAtEitherPath } from './routes.ts';

export interface AccountCalls {
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
  fundingPayments(query?: { future?: string | undefined }): Pages<wire.FundingPayment>;
}

export function accountCalls({ read, list }: Requests, pages: Pager): AccountCalls {
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
