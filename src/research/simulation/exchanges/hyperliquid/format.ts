// The format of Hyperliquid's API: what its requests and replies mean to the invariants. Reads are POST requests that name their question in the body.
import type { HttpRequest } from '../../../../base/transport/transport.ts';
import { opposite } from '../../../../bot/domain/book.ts';
import type { MarketId } from '../../../../bot/domain/ids.ts';
import type { Market } from '../../../../bot/domain/market.ts';
import { LONGEST_WAIT } from '../../../../bot/exchange/kit/sending/outgoing.ts';
import { RULES, SERVER_LAG } from '../../../../venues/hyperliquid/rules.ts';
import { clientOrderIdIn, perpSymbol } from '../../../../venues/hyperliquid/snapshots.ts';
import type { Receipt, WireAction } from '../../../../venues/wire/codec.ts';
import { action as actionShape } from '../../../../venues/wire/hyperliquid/actions.ts';
import { FILL_MODES } from '../../../../venues/wire/hyperliquid/terms.ts';
import type { ExchangeApi, ReceivedReply, ShownAccount } from '../../exchange-api.ts';
import type { Path } from '../../plan/faults.ts';

/** Seconds: a reading is rounded down, and the clock of a process may tick in between. */
const ROUNDING = 2;

/** The time for which an action is signed that does not expire. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Seconds from the time for which an order is signed until it expires. */
const LIVES = RULES.orderLife - SERVER_LAG / 1_000;

const ACTS = '/exchange';
const STATE = 'clearinghouseState';
const ORDERS = 'frontendOpenOrders';
const PATHS: Readonly<Record<string, Path>> = {
  [STATE]: 'account',
  [ORDERS]: 'account',
  userFills: 'trades',
  userFillsByTime: 'trades',
  recentTrades: 'trades',
  l2Book: 'book',
  metaAndAssetCtxs: 'live',
  allMids: 'live',
  exchangeStatus: 'time',
  meta: 'info',
  spotMeta: 'info',
};
const OWN_TRADES: readonly string[] = ['userFills', 'userFillsByTime'];

interface Question {
  readonly type?: string;
  readonly startTime?: number;
}

interface StateJson {
  readonly time: number;
  readonly assetPositions: readonly { readonly position: { readonly coin: string; readonly szi: string } }[];
}

interface FillJson {
  readonly coin: string;
  readonly side: 'A' | 'B';
  readonly crossed: boolean;
  readonly sz: string;
  readonly tid: number;
}

export const parsed = (body: Uint8Array | undefined): unknown => JSON.parse(new TextDecoder().decode(body));

/** The question of a read; nothing for an action. */
export const questionOf = ({ path, body }: Pick<HttpRequest, 'path' | 'body'>): Question =>
  path === ACTS ? {} : (parsed(body) as Question);

const typeOf = (request: Pick<HttpRequest, 'path' | 'body'>): string => questionOf(request).type ?? 'action';

export const hyperliquidFormat = (markets: readonly Market[]): ExchangeApi => ({
  longestLag: 5_000,
  pathOf: (request) => (request.path === ACTS ? 'action' : (PATHS[typeOf(request)] ?? 'user')),
  nameOf: (request) => `${request.path} ${typeOf(request)}`,
  isAccount: (request) => [STATE, ORDERS].includes(typeOf(request)),
  isWhole: (request) => request.path !== ACTS,
  termsIn: (request, body) => (typeOf(request) === 'meta' ? JSON.stringify(parsed(body)) : undefined),
  secondsIn(body) {
    try {
      const { time } = parsed(body) as { readonly time?: unknown };
      return typeof time === 'number' ? Math.floor(time / 1_000) : undefined;
    } catch {
      return undefined;
    }
  },
  deadAfter: ({ timestamp }) => timestamp + LIVES,
  signedAhead: (age) => ROUNDING + Math.ceil((age + LONGEST_WAIT) / 1_000),
  countedOn: (age) => Math.floor(age / 1_000),
  actionIn: (body) => actionIn(body, markets),
  receiptIn: (body) => receiptIn(parsed(body)),
  accountsIn,
  rolesOf: (request) => (OWN_TRADES.includes(typeOf(request)) ? ['maker', 'taker'] : []),
  tradeKeysIn: (body, listed) =>
    (parsed(body) as readonly FillJson[]).flatMap(({ coin, side, crossed, sz, tid }) => {
      const market = listed.find(({ symbol }) => symbol === perpSymbol(coin));
      const own = side === 'B' ? 'bid' : 'ask';
      return market === undefined ? [] : [keyOf(tid, crossed ? own : opposite(own), market.id, market.parseSize(sz))];
    }),
  tradeKeyOf: ({ tradeId, takerSide, market, size }) => keyOf(tradeId, takerSide, market, size),
  emptySince: (request, body) => (new TextDecoder().decode(body) === '[]' ? (questionOf(request).startTime ?? 0) : undefined),
  tradeIdOf: (reported) => reported.slice(reported.lastIndexOf('-') + 1),
});

const keyOf = (trade: number | string, takerSide: string, market: MarketId, size: number): string =>
  `${trade}/${takerSide}/${market}/${size}`;

const SIDES = { true: 'bid', false: 'ask' } as const;

/** One order or one cancel, as the bot sends them; `other` for an action that does nothing. */
function actionIn(body: Uint8Array, markets: readonly Market[]): WireAction {
  const { action: sent, nonce, expiresAfter } = parsed(body) as { action: unknown; nonce: number; expiresAfter: number | null };
  const action = actionShape.parse(sent);
  const timestamp = expiresAfter === null ? NEVER : Math.floor(expiresAfter / 1_000) - LIVES;
  const stamp = { timestamp, nonce, sessionId: '0', senderAccountId: undefined };
  if (action.type === 'order') {
    const [order, ...more] = action.orders;
    const market = markets.find(({ id }) => id === order?.a);
    if (order === undefined || more.length > 0 || market === undefined || !('limit' in order.t))
      throw new Error('not one order of the bot');
    return {
      ...stamp,
      kind: 'placeOrder',
      marketId: market.id,
      side: SIDES[`${order.b}`],
      fillMode: FILL_MODES[order.t.limit.tif],
      price: BigInt(market.parsePrice(order.p)),
      size: BigInt(market.parseSize(order.s)),
      reduceOnly: order.r,
      clientOrderId: clientOrderIdIn(order.c).clientOrderId,
    };
  }
  if (action.type === 'cancel') return { ...stamp, kind: 'cancelOrder', orderId: String(action.cancels[0]?.o) };
  if (action.type === 'cancelByCloid') return { ...stamp, kind: 'cancelOrder', orderId: `cloid ${action.cancels[0]?.cloid}` };
  return { timestamp, nonce, kind: 'other', name: action.type };
}

type Status = 'success' | { readonly error?: string; readonly resting?: Named; readonly filled?: Named };
interface Named {
  readonly oid: number;
  readonly cloid?: string;
}

/** The errors that the record of a run knows by other names. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/duplicate nonce/, 'DUPLICATE'],
  [/never placed, already canceled, or filled/, 'ORDER_NOT_FOUND'],
];

/** The receipt without the action's id, which the reply does not name. */
export function receiptIn(reply: unknown): Receipt {
  const { status, response } = reply as { status?: string; response?: { data?: { statuses?: readonly Status[] } } | string };
  const [first] = typeof response === 'object' ? (response.data?.statuses ?? []) : [];
  const actionId = '0';
  const error = typeof response === 'string' ? response : typeof first === 'object' ? first.error : undefined;
  if (error !== undefined) return { kind: 'err', actionId, code: 0, error: NAMES.find(([text]) => text.test(error))?.[1] ?? error };
  if (first === 'success') return { kind: 'cancelOrder', actionId, orderId: undefined, accountId: undefined };
  const placed = first?.resting ?? first?.filled;
  if (status !== 'ok' || placed === undefined) return { kind: 'nothing', actionId, name: undefined };
  return { kind: 'placeOrder', actionId, posted: undefined, fills: [], clientOrderId: clientOrderIdIn(placed.cloid).clientOrderId };
}

/** An account is the orders of one reply and the positions of the next one. */
function accountsIn(replies: readonly ReceivedReply[]): readonly ShownAccount[] {
  let orders: ReceivedReply | undefined;
  return replies.flatMap((reply): readonly ShownAccount[] => {
    if (typeOf(reply.request) === ORDERS) orders = reply;
    if (typeOf(reply.request) !== STATE || orders === undefined || reply.asked < orders.at) return [];
    const [shown, { time, assetPositions }] = [parsed(orders.body) as readonly { cloid?: string }[], parsed(reply.body) as StateJson];
    const ids = new Set(shown.map(({ cloid }) => clientOrderIdIn(cloid ?? undefined).clientOrderId));
    return [
      {
        asked: orders.asked,
        at: reply.at,
        updateId: String(time),
        hasOrder: (id) => ids.has(id),
        positionIn(market) {
          const held = assetPositions.find(({ position }) => perpSymbol(position.coin) === market.symbol)?.position.szi ?? '0';
          return Math.round(Number(held) * 10 ** market.spec.sizeDecimals);
        },
      },
    ];
  });
}
