// The other traders of a simulated market, as few as possible: one makes a thin book, one takes from it.
import { assert } from '../../../../base/errors.ts';
import type { Rng } from '../../../../base/rng.ts';
import { SIDES, type Side, signOf } from '../../../../bot/domain/book.ts';
import { lots, type Ticks, ticks } from '../../../../bot/domain/numbers.ts';
import type { CreateFlow, FlowPort, MarketFlow } from '../../../../embedded/exchange/traders/flow-port.ts';
import type { ThinMarketOptions } from '../../plan/options.ts';

const MAKER = 0;
const TAKER = 1;
/** Distances of the maker's levels from the index, in basis points; and the value of each level in quote money. */
const DISTANCES = [2, 6, 12];
const NOTIONAL = 3_000;
/** The maker moves its ladder when the index is this far from its middle. */
const SLACK = 1;

/** Equal options and seeds make equal traders. */
export const thinMarket =
  ({ every, volatility, takes }: ThinMarketOptions): CreateFlow =>
  ({ rng, market, basePrice }) => {
    const base = market.ticksNear(basePrice);
    assert(base !== undefined, `market ${market.symbol}: no price can start at ${basePrice}`);
    let price: number = base;
    let step = 0;
    const maker = new Maker(rng.fork('maker'));
    const priceRng = rng.fork('walk');
    const takerRng = rng.fork('taker');
    const flow: MarketFlow = {
      traderCount: 2,
      get index() {
        return ticks(Math.round(price));
      },
      get indexConf() {
        return ticks(Math.max(1, Math.round(price * 1e-4)));
      },
      step(port) {
        if (step++ % every !== 0) return;
        price = base * Math.exp(0.98 * Math.log(price / base) + (priceRng.normal() * volatility) / 1e4);
        maker.update(port, price);
        if (takerRng.next() < takes) take(port, takerRng);
      },
    };
    return flow;
  };

class Maker {
  readonly #rng: Rng;
  #orders: string[] = [];
  #middle = 0;
  #updates = 0;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  update(port: FlowPort, price: number): void {
    const moved = Math.abs(price / this.#middle - 1) > SLACK / 1e4;
    if (!moved && this.#updates++ % 5 !== 0) return;
    for (const orderId of this.#orders) port.cancel({ trader: MAKER, orderId });
    this.#orders = [];
    this.#middle = price;
    for (const side of SIDES) for (const distance of DISTANCES) this.#rest(port, side, price * (1 - (signOf(side) * distance) / 1e4));
  }

  #rest(port: FlowPort, side: Side, at: number): void {
    const price = ticks(Math.max(1, Math.round(at)));
    const orderId = port.place({
      trader: MAKER,
      side,
      fillMode: 'LIMIT',
      price,
      size: sizeAt(port, price, NOTIONAL * (0.5 + this.#rng.next())),
    });
    if (orderId !== undefined) this.#orders.push(orderId);
  }
}

function take(port: FlowPort, rng: Rng): void {
  const side: Side = rng.next() < 0.5 ? 'bid' : 'ask';
  const best = port.best(side === 'bid' ? 'ask' : 'bid');
  const size = NOTIONAL * 0.4 * Math.exp(rng.normal());
  if (best === undefined) return;
  const price = ticks(Math.max(1, Math.round(best * (1 + (signOf(side) * 8) / 1e4))));
  port.place({ trader: TAKER, side, fillMode: 'IMMEDIATE_OR_CANCEL', price, size: sizeAt(port, price, size) });
}

const sizeAt = ({ market }: FlowPort, price: Ticks, notional: number) => lots(Math.max(1, market.lots(notional / market.price(price))));
