// Every endpoint of the local signing process as a typed call: `markets.ts`, `account.ts`, `orders.ts` and `wallet.ts` define the calls, `request.ts`
// makes them, `reply.ts` checks the answers, `routes.ts` finds endpoints that have moved, `pages.ts` reads lists.
import type { Millis } from '../../base/clock.ts';
import type { Transport } from '../../base/transport.ts';
import { type AccountCalls, accountCalls } from './account.ts';
import { type MarketCalls, marketCalls } from './markets.ts';
import { type OrderCalls, orderCalls } from './orders.ts';
import { pagesFrom } from './pages.ts';
import { requestsOver } from './request.ts';
import { type WalletCalls, walletCalls } from './wallet.ts';

export type { NewOrder } from './orders.ts';

/**
 * Each call makes one attempt per page and rejects with a ClientError. Nothing is sent twice, except to the other known path of an endpoint that has
 * moved, and a write even then only after a 404; the path that first succeeded is kept. Prices and sizes are decimals, in quote and base. An error
 * `refused`, by the envelope or by a reason instead of one, proves less than at another exchange: the process may fail after it has sent a transaction.
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
  /** The number of the first page, which is not documented; 0 by default, which also reads most servers that count from 1. */
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
