// The API of Hyperliquid on the embedded exchange: perpetuals of the first dex with cross margin, and spot, signed as on testnet.
//   info.ts, market-info.ts, account-info.ts   `POST /info`
//   actions.ts, orders.ts                      `POST /exchange`
//   socket.ts                                  the websocket: books, trades, fills and orders
//   signing-rights.ts, quota.ts                agents and nonces, and how much an address may send

import { route, routerOf } from '../../../base/server/routing.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import type { Handler, HttpReply, HttpRequest } from '../../../base/transport/transport.ts';
import type { Micros } from '../../../bot/domain/numbers.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Past } from '../../exchange/history/past.ts';
import { ClientIds } from '../client-ids.ts';
import type { StreamHub } from '../hosted/streams/hub.ts';
import { pastsOf } from '../pasts.ts';
import { actionReply } from './actions.ts';
import { type HyperliquidContext, marketsOf } from './context.ts';
import { infoReply, malformed } from './info.ts';
import { Quota } from './quota.ts';
import { SigningRights } from './signing-rights.ts';
import { hyperliquidSocket } from './socket.ts';

export interface HyperliquidApiOptions {
  readonly exchange: Exchange;
  /** Quote money that an address receives with its first action; with 0 an unknown address is refused. */
  readonly faucet: Micros;
  /** How candles from before the exchange's start are generated; if absent, there are none. */
  readonly past?: Pick<Past, 'seed' | 'moves'> | undefined;
  /** The ids of orders; new ones by default. */
  readonly clientIds?: ClientIds | undefined;
  /** Returns why an order or a cancel is refused although its nonce is used up; by default none is. */
  readonly refusal?: (() => string | undefined) | undefined;
  /** How many orders and cancels an address may send that has traded nothing; by default those of Hyperliquid. */
  readonly quota?: number | undefined;
  /** Advances the exchange to the present; called before each answer. */
  readonly catchUp: () => void;
}

export interface HyperliquidHandlers {
  /** Synchronous. No request makes it throw. */
  readonly api: Handler;
  readonly socket: StreamHub;
}

export function hyperliquidServer(options: HyperliquidApiOptions): HyperliquidHandlers {
  const { exchange, faucet, past, clientIds = new ClientIds(), refusal, catchUp } = options;
  const pasts = pastsOf(exchange, past);
  const quota = new Quota(exchange, options.quota);
  const context: HyperliquidContext = { exchange, ...marketsOf(exchange), clientIds, signingRights: new SigningRights(), quota, pasts };
  const answer = routerOf([
    route({ method: 'POST', path: '/info', answer: ({ request }) => infoReply(context, bodyOf(request)) }),
    route({
      method: 'POST',
      path: '/exchange',
      answer: ({ request }): HttpReply => actionReply(context, bodyOf(request), { faucet, refusal }),
    }),
  ]);
  const api: Handler = (request) => {
    catchUp();
    return answer(request);
  };
  return { api, socket: hyperliquidSocket(context, catchUp) };
}

/** Returns the JSON of a body. Throws 422 for anything else. */
function bodyOf({ body = new Uint8Array(), contentType = '' }: HttpRequest): unknown {
  if (!contentType.startsWith('application/json')) throw malformed();
  try {
    return readJson(body, JSON_LIMITS.request);
  } catch {
    throw malformed();
  }
}
