// The hosted API of the embedded exchange: every endpoint, and the schema of its actions.
//   …-endpoints.ts, …-replies.ts       read requests, write answers; parameters.ts checks the values of requests
//   actions.ts                         checks signed actions; served-codec.ts reads and writes their bytes; action-log.ts keeps and lists them
//   commands.ts, compound-commands.ts  execute them
//   sessions.ts, window.ts             the open sessions, the accepted timestamps and duplicates
//   streams/                           websockets
import type { Millis } from '../../../base/clock.ts';
import { jsonReply, RefusedRequest, textReply } from '../../../base/server/reply.ts';
import { type Route, route, routerOf } from '../../../base/server/routing.ts';
import type { Handler } from '../../../base/transport/transport.ts';
import { ED25519, type Signatures } from '../../../base/wire/ed25519.ts';
import type { Micros } from '../../../bot/domain/numbers.ts';
import type { ActionCodec } from '../../../venues/wire/codec.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { idNumber, pageReply, requireKnown } from '../reply-values.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { orderRecordReply } from './account-replies.ts';
import { ActionLog, actionLogEndpoint } from './action-log.ts';
import { actionEndpoint } from './actions.ts';
import { historyEndpoints } from './history-endpoints.ts';
import { marketEndpoints } from './market-endpoints.ts';
import { tradeReply } from './market-replies.ts';
import { cursorOf, pageSizeOf } from './parameters.ts';
import { ServedCodec } from './served-codec.ts';
import { DEFAULT_LIMITS, type SessionLimits, Sessions } from './sessions.ts';
import { type ActionFilter, ActionWindow, wholeSeconds } from './window.ts';

export interface HostedApiOptions {
  readonly exchange: Exchange;
  /** The schema that actions are read by, and whose text is served. */
  readonly codec: ActionCodec;
  /** Quote money for a new user, on its first session; with 0 a new user gets USER_NOT_FOUND, as on the real exchange. */
  readonly faucet: Micros;
  /** Advances the exchange to the current time; called before each answer. */
  readonly catchUp: () => void;
  readonly sessionLimits?: SessionLimits | undefined;
  /** The engine time that is served and compared with timestamps and expiries; the exchange's own by default. */
  readonly engineTime?: (() => Millis) | undefined;
  /** Replace the objects that the API would create itself, for simulations that observe or change them. */
  readonly sessions?: Sessions | undefined;
  readonly window?: ActionFilter | undefined;
  /** Ed25519 by default. */
  readonly signatures?: Signatures | undefined;
}

/** Returns a synchronous handler. It answers malformed requests with 4xx and JSON, or with an error receipt. No request makes it throw. */
export function hostedApi({ exchange, codec, faucet, catchUp, ...given }: HostedApiOptions): Handler {
  const { sessionLimits = DEFAULT_LIMITS, engineTime = () => exchange.now() } = given;
  const { sessions = new Sessions(sessionLimits), window = new ActionWindow(), signatures = ED25519 } = given;
  const log = new ActionLog();
  const seconds = (): number => wholeSeconds(engineTime());
  const answer = routerOf([
    route({
      method: 'POST',
      path: '/action',
      answer: actionEndpoint({ codec: new ServedCodec(codec), context: { exchange, sessions, faucet }, window, log, seconds, signatures }),
    }),
    actionLogEndpoint(log),
    ...notServed(),
    ...historyEndpoints(exchange), // before the accounts, so that literal paths win over placeholders
    ...orderEndpoints(exchange),
    route({ path: '/schema.proto', answer: () => textReply(codec.schema.text) }),
    route({ path: '/timestamp', answer: () => jsonReply(seconds()) }),
    route({ path: '/action/last-executed-id', answer: () => jsonReply(idNumber(exchange.lastActionId())) }),
    ...marketEndpoints(exchange),
    ...accountEndpoints(exchange, { sessions, seconds }),
  ]);
  return (request) => {
    catchUp();
    return answer(request);
  };
}

/** The endpoints of the real exchange that the embedded one does not serve, each with what the embedded one lacks. */
const REASONS = {
  '/account/{account}/history/liquidation': 'it does not keep the margins before and after a liquidation',
  '/admin': 'it has no administrators',
  '/event/last-acked-nonce': 'it is connected to no blockchain',
  '/openapi.json': 'it has no such document of itself',
  '/state/download': 'it keeps no snapshots',
  '/state/download/{snapshot}': 'it keeps no snapshots',
  '/state/info': 'it has no versions of its state',
  '/state/info/hist': 'it has no versions of its state',
  '/tv': 'no document describes its paths and values',
} as const;

const notServed = (): readonly Route[] =>
  Object.entries(REASONS).map(([path, reason]) =>
    route({
      path,
      anyQuery: true,
      answer: () => {
        throw new RefusedRequest(501, { message: `the embedded exchange does not serve ${path}: ${reason}` });
      },
    }),
  );

/** The endpoints that show one order, and its trades. */
function orderEndpoints(exchange: Exchange): readonly Route[] {
  const marketOf = (id: number) => requireKnown(exchange.markets[id]);
  return [
    route({
      path: '/order/{order}',
      answer: ({ path }) => {
        const order = exchange.records.order(orderId(path.order));
        if (order === undefined) throw new RefusedRequest(404, null);
        return jsonReply(orderRecordReply(marketOf(order.market), order, exchange));
      },
    }),
    // An unknown order has no trades; the real exchange describes no 404 for it.
    route({
      path: '/order/{order}/trades',
      query: { startInclusive: cursorOf, pageSize: pageSizeOf },
      answer: ({ path, query }) => {
        const id = orderId(path.order);
        const trades = exchange.trades({ ...query, orderId: id, account: exchange.records.order(id)?.account });
        return jsonReply(pageReply(trades, (trade) => tradeReply(marketOf(trade.market), trade)));
      },
    }),
  ];
}

const orderId = (text: string): string => cursorOf(text, 'the order id');
