// The fake of the third exchange, against which `bot check --exchange` plays its checks: with its perpetual, and for `spot.fake.ts` with its spot market.
import {
  type DeclaredCapability,
  defineFake,
  type FakeDefinition,
  type FakeExchange,
  type OthersOrder,
  type Side,
} from 'tickwright/venue-testing';
import { apiOf, PushHub } from '../api.ts';
import { INSTRUMENT, type Instrument, keyOf, type Order, ThirdExchange } from '../exchange.ts';

const ACCOUNT = 'bot';
/** Dollars. */
const CASH = 100_000;
const [TICK, LOT] = [Number(INSTRUMENT.tick), Number(INSTRUMENT.lot)];
const sideOf = (side: Order['side']): Side => (side === 'buy' ? 'bid' : 'ask');
const row = (order: OthersOrder) => ({
  side: order.side === 'bid' ? ('buy' as const) : ('sell' as const),
  price: Math.round(order.price / TICK),
  size: Math.round(order.size / LOT),
});

const price = (ticks: number): number => ticks * TICK;
const size = (lots: number): number => lots * LOT;

/** `tokens`: what the account has of a spot market's base token, in lots. */
export const fakeOf = (
  instrument: Instrument,
  { can, tokens = 0 }: { can: readonly DeclaredCapability[]; tokens?: number },
): FakeDefinition => ({
  market: instrument.name,
  price: 60_000,
  size: 0.01,
  key: `${ACCOUNT} ${keyOf(ACCOUNT).secret}`,
  wrongKey: `${ACCOUNT} another-secret`,
  can,
  open({ clock, rng }): FakeExchange {
    const exchange = new ThirdExchange({ clock, rng, quiet: true, instrument });
    exchange.open(ACCOUNT, CASH, tokens);
    const hub = new PushHub(exchange);
    return {
      handle: apiOf(exchange),
      connect(_path, send) {
        const { onMessage, onClose } = hub.subscribe(send);
        return { message: onMessage, closed: onClose };
      },
      quote: (orders) => exchange.quoteAs(orders.map(row)),
      take: (order) => exchange.takeAs(row(order)),
      setFrozen(frozen) {
        exchange.frozen = frozen;
      },
      orders: () =>
        exchange.placed.map((order) => ({
          clientOrderId: order.clientId,
          side: sideOf(order.side),
          price: price(order.price),
          size: size(order.size),
          left: size(order.left),
          isOpen: exchange.orders.includes(order),
        })),
      fills: () =>
        exchange.fills
          .filter(({ account }) => account === ACCOUNT)
          .map((fill) => ({
            clientOrderId: fill.clientId,
            side: sideOf(fill.side),
            price: price(fill.price),
            size: size(fill.size),
            fee: fill.fee,
            role: fill.role,
          })),
      held: () => size(exchange.account(ACCOUNT).position),
    };
  },
});

export default defineFake(fakeOf(INSTRUMENT, { can: ['post-only', 'ioc', 'reduce-only', 'expiry', 'unique-ids'] }));
