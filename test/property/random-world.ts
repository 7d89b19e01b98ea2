// Random worlds and random intents for property tests.
import * as fc from 'fast-check';
import type { Level } from '../../src/bot/domain/book.ts';
import type { Quote } from '../../src/bot/domain/intent.ts';
import { type Lots, lots, type Micros, type Ticks } from '../../src/bot/domain/numbers.ts';
import { World } from '../../src/bot/world/world.ts';
import { BTC, ETH, START } from '../unit/world-builder.ts';

/** Seed of the property tests, so that a failure is reproducible. fast-check prints the shrunk case. */
export const SEED = 20_261_120;

export interface Scene {
  readonly mid: number;
  readonly position: number;
  readonly omf: number;
  readonly imf: number;
  readonly orders: readonly {
    readonly bid: boolean;
    readonly distance: number;
    readonly size: number;
    readonly fate: 'open' | 'pending' | 'unknown' | 'cancelling';
  }[];
  readonly intents: readonly { readonly bid: boolean; readonly distance: number; readonly size: number }[];
  readonly slack: number;
}

const order = { bid: fc.boolean(), distance: fc.integer({ min: 1, max: 3_000 }), size: fc.integer({ min: 1, max: 20_000 }) };

export const scenes: fc.Arbitrary<Scene> = fc.record({
  mid: fc.integer({ min: 100_000, max: 1_000_000 }),
  position: fc.integer({ min: -20_000, max: 20_000 }),
  omf: fc.integer({ min: -1_000, max: 200_000 }),
  imf: fc.integer({ min: 0, max: 50_000 }),
  orders: fc.array(fc.record({ ...order, fate: fc.constantFrom('open', 'pending', 'unknown', 'cancelling') }), { maxLength: 8 }),
  intents: fc.array(fc.record(order), { maxLength: 8 }),
  slack: fc.integer({ min: 0, max: 50 }),
});

/** Returns a world with fresh streams and our orders in the states of the scene. */
export function worldOf({ mid, position, omf, imf, orders }: Scene): World {
  const world = new World([BTC, ETH]);
  const at = START;
  world.apply({ kind: 'timeSeen', at, asked: at, engineSeconds: at / 1000 });
  for (const market of [0, 1]) {
    const book = {
      market,
      updateId: '1',
      bids: [{ price: (mid - 1) as Ticks, size: lots(10) }],
      asks: [{ price: (mid + 1) as Ticks, size: lots(10) }],
    };
    world.apply({ kind: 'bookSeen', at, asked: at, book });
    world.apply({
      kind: 'infoSeen',
      at,
      asked: at,
      infos: [{ market, index: mid as Ticks, mark: mid as Ticks, indexConf: 5 as Ticks, frozen: false }],
    });
  }
  const placed = orders.map(({ bid, distance, size }, index) => ({
    kind: 'place' as const,
    clientOrderId: String(index + 1),
    market: 0,
    side: bid ? ('bid' as const) : ('ask' as const),
    price: (bid ? mid - distance : mid + distance) as Ticks,
    size: size as Lots,
    fillMode: 'POST_ONLY' as const,
  }));
  world.markSent(placed);
  orders.forEach(({ fate, size }, index) => {
    const clientOrderId = String(index + 1);
    if (fate === 'unknown') world.apply({ kind: 'orderUnknown', at, clientOrderId, reason: 'no reply', deadAfter: at / 1000 + 63 });
    if (fate === 'open' || fate === 'cancelling') {
      world.apply({
        kind: 'orderOpened',
        at,
        clientOrderId,
        actionId: clientOrderId,
        orderId: `x${clientOrderId}`,
        taken: [],
        resting: size as Lots,
      });
    }
    if (fate === 'cancelling') world.markSent([{ kind: 'cancel', clientOrderId, market: 0, orderId: `x${clientOrderId}` }]);
  });
  const [held, needed] = [omf * 1e6, imf * 1e6] as [Micros, Micros];
  const margins = {
    omf: held,
    mf: held,
    imf: needed,
    cmf: 0 as Micros,
    mmf: 0 as Micros,
    pon: 0 as Micros,
    pn: 0 as Micros,
    bankruptcy: false,
  };
  const positions = [{ market: 0, size: position as Lots, tradingPnl: 0 as Micros, fundingPaymentPnl: 0 as Micros, actionId: '1' }];
  world.apply({ kind: 'accountSeen', at, asked: at, account: { id: 1, updateId: '1', balances: [], positions, orders: [], margins } });
  return world;
}

export function quoteOf({ intents, mid, slack }: Scene): Quote {
  const levels = (bid: boolean): Level[] =>
    intents
      .filter((intent) => intent.bid === bid)
      .map(({ distance, size }) => ({ price: (bid ? mid - distance : mid + distance) as Ticks, size: size as Lots }));
  return { kind: 'quote', market: 0, bids: levels(true), asks: levels(false), slack: slack as Ticks, fillMode: 'POST_ONLY' };
}
