// Returns the fewest cancels and placements that turn the current orders into the approved ones, and marks those that may only reduce.
// No order is amended: to move one takes a cancel and a placement, and neither depends on the other. A cancel that fails: `bot/world/orders/cancels.ts`;
// a placement that is refused: `bot/world/orders/sending/holdback.ts`. If the old order was filled in part meanwhile, the next turn sees that fill and
// wants less. Which orders stand for a wanted level: `bot/world/orders/match.ts`.
import { AssertionError } from '../../base/errors.ts';
import type { Action, CancelOrder, PlaceOrder } from '../domain/action.ts';
import { SIDES, type Side } from '../domain/book.ts';
import type { ClientOrderId, MarketId } from '../domain/ids.ts';
import { ticks } from '../domain/numbers.ts';
import { canRest, type Order } from '../domain/order.ts';
import { type Approved, type MatchedTarget, match } from '../world/orders/match.ts';
import type { World } from '../world/world.ts';

/** The most actions in flight at once; further orders wait for the next turns. */
const MAX_IN_FLIGHT = 32;

const NO_SIDES: readonly Side[] = [];
const NO_ACTIONS: readonly Action[] = [];

/** An order without its client order id. */
type Want = Omit<PlaceOrder, 'clientOrderId'>;

export interface Reconciliation {
  readonly approved: readonly Approved[];
  /** Markets in which nothing may be sent. */
  readonly held: ReadonlySet<MarketId>;
  readonly world: World;
  readonly nextClientOrderId: () => ClientOrderId;
}

/** Returns cancels first, then placements. Idempotent: a second call before any answer returns nothing. */
export function reconcile({ approved, held, world, nextClientOrderId }: Reconciliation): readonly Action[] {
  const cancels: CancelOrder[] = [];
  const places: Want[] = [];
  // in an active run, an order that the newest account lacks is not cancelled: it is probably filled
  const isClosing = world.stopping !== undefined || world.mode !== 'active';
  for (const market of world.markets.keys()) {
    addAskingCancels(cancels, world.orders(market));
    if (held.has(market)) continue;
    const matched = approved.find(({ intent }) => intent.market === market);
    const quote = matched?.kind === 'quote' ? matched : undefined;
    const orders = world.orders(market);
    if (quote !== undefined && quote.orders !== orders) throw new AssertionError(`the orders of market ${market} changed after the match`);
    const isCleared = !orders.some(({ unwanted }) => unwanted === true); // a placement could overtake the cancel of the order that rests at its level
    for (const side of quote === undefined && orders.length === 0 ? NO_SIDES : SIDES) {
      const { wanted, surplus } = quote?.[side] ?? match({ side, wanted: [], orders, slack: ticks(0) });
      for (const order of surplus) if (isClosing || order.missing !== true) cancels.push(...cancelOf(order));
      if (quote === undefined || !isCleared || isHeldBack(market, side, world)) continue;
      const { fillMode } = quote.intent;
      for (const { level, order } of wanted) {
        if (order !== undefined) continue;
        const { price, size } = level;
        const replaces = surplus.find((one) => one.price === price)?.clientOrderId;
        places.push({ kind: 'place', market, side, price, size, fillMode, replaces });
      }
    }
    if (matched?.kind === 'target' && isCleared) places.push(...takerOrders(matched, world));
  }
  if (cancels.length === 0 && places.length === 0) return NO_ACTIONS;
  const inFlight = world.orders().filter(({ status }) => status === 'pending' || status === 'cancelling').length;
  const free = Math.max(0, MAX_IN_FLIGHT - inFlight);
  const sent = places
    .slice(0, Math.max(0, free - cancels.length))
    .map((want) => placeOf(want, { world, clientOrderId: nextClientOrderId() }));
  return [...cancels.slice(0, free), ...sent];
}

/**
 * Marks an IOC or FOK order reduce-only for an exit, and in every mode but `active`, so that the exchange limits it too. An order that can rest is never
 * marked: exchanges differ on whether they accept that.
 */
function placeOf(want: Want, { world, clientOrderId }: { world: World; clientOrderId: ClientOrderId }): PlaceOrder {
  const { kind, market, side, price, size, fillMode, replaces } = want;
  const mayOnlyReduce = world.mode !== 'active' || want.reduceOnly === true;
  const reduces = mayOnlyReduce && !canRest(fillMode) && world.market(market).spec.kind === 'perp';
  const order: PlaceOrder = { kind, market, side, price, size, fillMode, clientOrderId, replaces }; // a field after a spread costs a microsecond on Node 20
  return reduces ? { ...order, reduceOnly: true } : order;
}

/** Adds cancels that ask whether an order is gone, also in a market that is held: it may be held because accounts lack the order. */
function addAskingCancels(cancels: CancelOrder[], orders: readonly Order[]): void {
  for (const { clientOrderId, market, orderId, ask } of orders)
    if (ask === true && orderId !== undefined) cancels.push({ kind: 'cancel', clientOrderId, market, orderId, unlessOpen: true });
}

/** Only an order that rests and whose order id is known can be cancelled; the others are waited for. */
function cancelOf({ status, clientOrderId, market, orderId, remaining, ask }: Order): CancelOrder[] {
  return status === 'open' && ask !== true && orderId !== undefined && remaining > 0
    ? [{ kind: 'cancel', clientOrderId, market, orderId }]
    : [];
}

const isHeldBack = (market: MarketId, side: Side, { holdback, now }: World): boolean =>
  holdback.reason({ market, side, now }) !== undefined;

function takerOrders({ intent: { market, limit, reduceOnly }, missing }: MatchedTarget, world: World): Want[] {
  if (missing === undefined || isHeldBack(market, missing.side, world)) return [];
  return [{ kind: 'place', market, ...missing, price: limit, fillMode: 'IMMEDIATE_OR_CANCEL', reduceOnly }];
}
