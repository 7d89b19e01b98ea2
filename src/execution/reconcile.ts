// The difference between what is wanted and what is, as the fewest actions.
import type { Action, CancelOrder, PlaceOrder } from '../domain/action.ts';
import type { ClientOrderId, MarketId } from '../domain/ids.ts';
import type { Approved, Target } from '../domain/intent.ts';
import { ticks } from '../domain/numbers.ts';
import { canRest, type Order } from '../domain/order.ts';
import { SIDES } from '../domain/side.ts';
import { match, shortfall } from '../world/orders/match.ts';
import type { World } from '../world/world.ts';

/** Actions that may be on their way at once; more wants wait for the next turns. */
const MAX_IN_FLIGHT = 32;

/** An order that is still without its id. */
type Want = Omit<PlaceOrder, 'clientOrderId'>;

export interface Reconciliation {
  readonly approved: readonly Approved[];
  /** Markets in which nothing may be sent. */
  readonly held: ReadonlySet<MarketId>;
  readonly world: World;
  readonly nextClientOrderId: () => ClientOrderId;
}

/** Cancels first, then placements. Asked again before anything is answered, it has nothing more to do. */
export function reconcile({ approved, held, world, nextClientOrderId }: Reconciliation): readonly Action[] {
  const cancels: CancelOrder[] = [];
  const places: Want[] = [];
  const isClosing = world.stopping !== undefined || world.mode !== 'active'; // else an order that the newest account lacks is most likely filled
  for (const market of world.markets.keys()) {
    if (held.has(market)) continue;
    const intent = approved.find((candidate) => candidate.market === market);
    const quote = intent?.kind === 'quote' ? intent : undefined;
    const orders = world.orders(market);
    const isCleared = !orders.some(({ unwanted }) => unwanted === true); // a placement could overtake the cancel of what rests at its level
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
 * Once only what reduces is let through, an order that takes at once is marked so that the exchange cuts it too. One that could rest is not: exchanges
 * contradict each other on whether they take those.
 */
function placeOf(want: Want, { world, clientOrderId }: { world: World; clientOrderId: ClientOrderId }): PlaceOrder {
  const { kind, market, side, price, size, fillMode } = want;
  const order: PlaceOrder = { kind, market, side, price, size, fillMode, clientOrderId }; // on Node 20 a spread costs two microseconds
  const reduces = world.mode !== 'active' && !canRest(fillMode) && world.market(market).spec.kind === 'perp';
  return reduces ? { ...order, reduceOnly: true } : order;
}

/** Only an order that rests, and whose id we know, can be cancelled; the others are waited for. */
function cancelOf({ status, clientOrderId, market, orderId, remaining }: Order): CancelOrder[] {
  return status === 'open' && orderId !== undefined && remaining > 0 ? [{ kind: 'cancel', clientOrderId, market, orderId }] : [];
}

function takes(target: Target, world: World): Want[] {
  const missing = shortfall(target, world.exposure(target.market));
  if (missing === undefined || world.heldBack(target.market, missing.side) !== undefined) return [];
  return [{ kind: 'place', market: target.market, ...missing, price: target.limit, fillMode: 'IMMEDIATE_OR_CANCEL' }];
}
