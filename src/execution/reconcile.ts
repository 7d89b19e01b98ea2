// The difference between the desired state and the current one, as the fewest actions.
import type { Action, CancelOrder, PlaceOrder } from '../domain/action.ts';
import type { ClientOrderId, MarketId } from '../domain/ids.ts';
import type { Approved, Target } from '../domain/intent.ts';
import { ticks } from '../domain/numbers.ts';
import { canRest, type Order } from '../domain/order.ts';
import { SIDES } from '../domain/side.ts';
import { match, shortfall } from '../world/orders/match.ts';
import type { World } from '../world/world.ts';

/** The most actions in flight at once; further orders wait for the next turns. */
const MAX_IN_FLIGHT = 32;

/** An order without its client order id. */
type Want = Omit<PlaceOrder, 'clientOrderId'>;

export interface Reconciliation {
  readonly approved: readonly Approved[];
  /** Markets in which nothing may be sent. */
  readonly held: ReadonlySet<MarketId>;
  readonly world: World;
  readonly nextClientOrderId: () => ClientOrderId;
}

/** Returns cancels first, then placements. Called again before anything is answered, it returns nothing more. */
export function reconcile({ approved, held, world, nextClientOrderId }: Reconciliation): readonly Action[] {
  const cancels: CancelOrder[] = [];
  const places: Want[] = [];
  // in an active run, an order that the newest account lacks is most likely filled
  const isClosing = world.stopping !== undefined || world.mode !== 'active';
  for (const market of world.markets.keys()) {
    if (held.has(market)) continue;
    const intent = approved.find((candidate) => candidate.market === market);
    const quote = intent?.kind === 'quote' ? intent : undefined;
    const orders = world.orders(market);
    const isCleared = !orders.some(({ unwanted }) => unwanted === true); // a placement could overtake the cancel of the order that rests at its level
    for (const side of SIDES) {
      const wanted = quote === undefined ? [] : side === 'bid' ? quote.bids : quote.asks;
      const pairs = match({ side, wanted, orders, slack: quote?.slack ?? ticks(0) });
      for (const order of pairs.surplus) if (isClosing || order.missing !== true) cancels.push(...cancelOf(order));
      if (quote === undefined || !isCleared || world.heldBack(market, side) !== undefined) continue;
      for (const { level, order } of pairs.wanted) {
        if (order === undefined)
          places.push({ kind: 'place', market, side, price: level.price, size: level.size, fillMode: quote.fillMode });
      }
    }
    if (intent?.kind === 'target' && isCleared) places.push(...takes(intent, world));
  }
  if (cancels.length === 0 && places.length === 0) return [];
  const inFlight = world.orders().filter(({ status }) => status === 'pending' || status === 'cancelling').length;
  const free = Math.max(0, MAX_IN_FLIGHT - inFlight);
  const sent = places
    .slice(0, Math.max(0, free - cancels.length))
    .map((want) => placeOf(want, { world, clientOrderId: nextClientOrderId() }));
  return [...cancels.slice(0, free), ...sent];
}

/**
 * Once only reducing orders are allowed, an order that takes at once is marked reduce-only, so that the exchange limits it too. An order that could
 * rest is not marked: exchanges differ on whether they accept that.
 */
function placeOf(want: Want, { world, clientOrderId }: { world: World; clientOrderId: ClientOrderId }): PlaceOrder {
  const { kind, market, side, price, size, fillMode } = want;
  const order: PlaceOrder = { kind, market, side, price, size, fillMode, clientOrderId }; // a spread costs two microseconds on Node 20
  const reduces = world.mode !== 'active' && !canRest(fillMode) && world.market(market).spec.kind === 'perp';
  return reduces ? { ...order, reduceOnly: true } : order;
}

/** Only an order that rests and whose order id is known can be cancelled; the others are waited for. */
function cancelOf({ status, clientOrderId, market, orderId, remaining }: Order): CancelOrder[] {
  return status === 'open' && orderId !== undefined && remaining > 0 ? [{ kind: 'cancel', clientOrderId, market, orderId }] : [];
}

function takes(target: Target, world: World): Want[] {
  const missing = shortfall(target, world.exposure(target.market));
  if (missing === undefined || world.heldBack(target.market, missing.side) !== undefined) return [];
  return [{ kind: 'place', market: target.market, ...missing, price: target.limit, fillMode: 'IMMEDIATE_OR_CANCEL' }];
}
