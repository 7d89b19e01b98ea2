// The local API of the embedded exchange: the whole API of the signing process that a user would run, for one account.
//   market/, account/, orders/   `…-endpoints.ts` read requests, `…-replies.ts` write answers
//   bodies.ts, parameters.ts     check the values of requests
//   reply.ts                     the envelope of answers
//   context.ts, names.ts         the state that all endpoints share, the names of markets

import { routerOf } from '../../../base/server/routing.ts';
import type { Handler } from '../../../base/transport/transport.ts';
import type { AccountId } from '../../../bot/domain/ids.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Past } from '../../exchange/history/past.ts';
import { ClientIds } from '../client-ids.ts';
import { pastsOf } from '../pasts.ts';
import { accountEndpoints } from './account/account-endpoints.ts';
import { walletEndpoints } from './account/wallet-endpoints.ts';
import { marketEndpoints } from './market/market-endpoints.ts';
import { MarketNames } from './names.ts';
import { orderEndpoints } from './orders/order-endpoints.ts';
import { inEnvelope } from './reply.ts';

export interface LocalApiOptions {
  readonly exchange: Exchange;
  /** The account whose keys the process would hold. The hosted API shows the same account. */
  readonly account: AccountId;
  /** How candles from before the exchange's start are generated; if absent, there are none. Needs a market with a candle of its own. */
  readonly past?: Pick<Past, 'seed' | 'moves'> | undefined;
  /** Advances the exchange to the present; called before each answer. */
  readonly catchUp: () => void;
}

/**
 * Returns a synchronous handler. Every answer is `{success, result}`. A refusal also has a `message`, a result of null, and a 4xx status: 404 if something
 * does not exist, 400 for a malformed request or a refusal of the exchange, whose name begins the message. No request makes it throw.
 */
export function localApi({ exchange, account, past, catchUp }: LocalApiOptions): Handler {
  const names = new MarketNames(exchange);
  const pasts = pastsOf(exchange, past);
  const context = { exchange, account, pasts, names, clientIds: new ClientIds() };
  const routes = [...marketEndpoints(context), ...accountEndpoints(context), ...orderEndpoints(context), ...walletEndpoints(context)];
  const answer = routerOf(routes, inEnvelope);
  return (request) => {
    catchUp();
    return answer({ ...request, path: names.withEscapedNames(request.path) });
  };
}
