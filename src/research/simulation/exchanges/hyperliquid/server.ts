// Hyperliquid's API of a simulated run. A refusal before the engine uses up the nonce, as one of the engine does.
import type { HttpReply, HttpRequest } from '../../../../base/transport/transport.ts';
import type { Book } from '../../../../bot/domain/book.ts';
import type { UpdateId } from '../../../../bot/domain/ids.ts';
import type { PlaceRequest } from '../../../../embedded/exchange/commands.ts';
import { DEFAULT_FUNDS } from '../../../../embedded/exchange/state/listing.ts';
import { ClientIds } from '../../../../embedded/server/client-ids.ts';
import { type HyperliquidHandlers, hyperliquidServer } from '../../../../embedded/server/hyperliquid/api.ts';
import { cancelOwnCrossed } from '../../../../embedded/server/hyperliquid/orders.ts';
import { book } from '../../../../venues/hyperliquid/shapes.ts';
import { bookOf, clientOrderIdIn, coinOf } from '../../../../venues/hyperliquid/snapshots.ts';
import type { Receipt, WireAction } from '../../../../venues/wire/codec.ts';
import type { ApiServer, ExchangeApi, PlayedAction, ServerParts } from '../../exchange-api.ts';
import { parsed, questionOf, receiptIn } from './format.ts';

/** The ids of our orders in the exchange's record are the bot's. */
class BotIds extends ClientIds {
  override numberOf(text: string): string {
    return clientOrderIdIn(text).clientOrderId ?? super.numberOf(text);
  }
}

/** The texts of errors whose names are those of the hosted API. */
const TEXTS: Readonly<Record<string, string>> = {
  MAINTENANCE: 'Only post-only orders allowed immediately after network upgrade',
  INSUFFICIENT_FUNDS: 'Insufficient margin to place order.',
  MARKET_FROZEN: 'Only post-only orders allowed immediately after network upgrade',
};

interface HyperliquidParts extends ServerParts {
  readonly api: ExchangeApi;
  readonly user: string;
  /** The body of the request by which the account approves the agent. */
  readonly approval: (nonce: number) => Uint8Array;
}

export class HyperliquidServer implements ApiServer {
  readonly #parts: HyperliquidParts;
  readonly #ids = new BotIds();
  /** The last actions when an account of that time was first shown, and when one was last shown. */
  readonly #actions = new Map<UpdateId, { readonly first: number; readonly last: number }>();
  readonly accountRequests: readonly HttpRequest[];
  readonly listingRequest = infoRequest({ type: 'meta' });
  readonly #handler: HyperliquidHandlers['api'];
  readonly streams: HyperliquidHandlers['socket'];
  #refusal: string | undefined;

  constructor(parts: HyperliquidParts) {
    const { exchange, user, clock, approval } = parts;
    this.#parts = parts;
    this.accountRequests = ['clearinghouseState', 'frontendOpenOrders'].map((type) => infoRequest({ type, user }));
    const { api, socket } = hyperliquidServer({
      exchange,
      faucet: DEFAULT_FUNDS,
      catchUp: () => undefined,
      clientIds: this.#ids,
      refusal: () => this.#refusal,
    });
    this.#handler = api;
    this.streams = socket;
    const body = approval(clock.now());
    this.#handler({ method: 'POST', path: '/exchange', contentType: 'application/json', body });
  }

  answer(request: HttpRequest): HttpReply {
    const reply = this.#handler(request);
    if (request.path === '/info' && questionOf(request).type === 'clearinghouseState') {
      // The exchange's own time can have a fraction of a millisecond.
      const time = String((parsed(reply.body) as { readonly time: number }).time);
      const last = Number(this.#parts.exchange.lastActionId());
      this.#actions.set(time, { first: this.#actions.get(time)?.first ?? last, last });
    }
    return reply;
  }

  act(request: HttpRequest, refused: (action: WireAction) => string | undefined): PlayedAction {
    const { api, exchange, account } = this.#parts;
    const action = this.#named(api.actionIn(request.body ?? new Uint8Array()));
    const error = action.kind === 'other' ? undefined : refused(action);
    this.#refusal = error && (TEXTS[error] ?? error);
    const before = exchange.lastActionId();
    const reply = this.#handler(request);
    this.#refusal = undefined;
    if (reply.status !== 200) throw new Error(`an action was answered with ${reply.status}`);
    const receipt = receiptIn(parsed(reply.body));
    const last = exchange.lastActionId();
    if (receipt.kind === 'err') return { action, reply, receipt: { ...receipt, actionId: String(BigInt(before) + 1n) } };
    if (receipt.kind === 'cancelOrder' && action.kind === 'cancelOrder')
      return { action, reply, receipt: { ...receipt, actionId: last, orderId: action.orderId, accountId: account } };
    if (receipt.kind !== 'placeOrder') return { action, reply, receipt };
    return { action, reply, receipt: { ...receipt, actionId: last, ...this.#outcome(parsed(reply.body)) } };
  }

  books(): readonly Book[] {
    return this.#parts.exchange.markets.map((market) => {
      const { body } = this.#handler(infoRequest({ type: 'l2Book', coin: coinOf(market) }));
      return bookOf(market, book.parse(parsed(body)));
    });
  }

  tradesUpTo(request: HttpRequest, trade: string): HttpReply {
    const reply = this.answer(request);
    const rows = parsed(reply.body) as readonly { readonly tid: number }[];
    return { ...reply, body: new TextEncoder().encode(JSON.stringify(rows.filter(({ tid }) => tid <= Number(trade)))) };
  }

  actionOf(updateId: UpdateId): number {
    return this.#actions.get(updateId)?.first ?? 0;
  }

  lastActionOf(updateId: UpdateId): number {
    return this.#actions.get(updateId)?.last ?? 0;
  }

  restarted(): { readonly hasForgotten: boolean } {
    return { hasForgotten: false }; // nonces are part of the state that all nodes agree on
  }

  cancelCrossed(order: PlaceRequest): void {
    cancelOwnCrossed(this.#parts.exchange, order);
  }

  /** A cancel by cloid, with the id of the order that it cancels. */
  #named(action: WireAction): WireAction {
    if (action.kind !== 'cancelOrder' || !action.orderId.startsWith('cloid ')) return action;
    const id = this.#ids.numberOf(action.orderId.slice('cloid '.length));
    const { exchange, account } = this.#parts;
    const order = exchange.records.openOrders(account).find(({ clientOrderId }) => clientOrderId === id);
    return { ...action, orderId: order?.orderId ?? action.orderId };
  }

  /** The order that came to rest, by the exchange's own record. */
  #outcome(reply: unknown): Partial<Extract<Receipt, { kind: 'placeOrder' }>> {
    const { exchange, account } = this.#parts;
    const [status] = (reply as { response: { data: { statuses: readonly [{ resting?: { oid: number } }] } } }).response.data.statuses;
    const order = exchange.records.openOrders(account).find(({ orderId }) => Number(orderId) === status.resting?.oid);
    if (order === undefined) return {};
    const { orderId, market, side, price = 0, size } = order;
    return { posted: { orderId, marketId: market, side, price: BigInt(price), size: BigInt(size), accountId: account } };
  }
}

export const infoRequest = (question: object): HttpRequest => ({
  method: 'POST',
  path: '/info',
  contentType: 'application/json',
  reads: true,
  body: new TextEncoder().encode(JSON.stringify(question)),
});
