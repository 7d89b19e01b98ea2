// A clock of the exchange that is consistently wrong, while the Date header of its answers, or its trades, are right.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/transport/transport.ts';
import { World } from '../../../../src/bot/world/world.ts';
import { Bench } from './bench.ts';

let bench: Bench;
let lie: number;
let world: World;
let applied: number;
beforeEach(() => {
  bench = new Bench();
  lie = 0;
  applied = 0;
  bench.exchange.pages.set('/timestamp', () => bench.exchange.now() + lie);
});

/** The exchange behind HTTP: each answer has a Date header, which is `skew` seconds ahead. */
const dated = (skew: number): Transport => ({
  request: async (request, limits) => {
    const reply = await bench.exchange.request(request, limits);
    return { ...reply, date: Math.floor(bench.clock.now() / 1_000) + skew };
  },
  close: () => bench.exchange.close(),
});

async function connect(transport: Transport = bench.exchange): Promise<void> {
  const { feed } = await bench.connect({ transport });
  world = new World(feed.markets);
}
async function run(seconds: number): Promise<void> {
  await bench.run(seconds * 1_000);
  world.apply(...bench.events.slice(applied));
  applied = bench.events.length;
}
const found = (): string[] => [...world.unhealthy()].filter(({ stream }) => stream === 'clock').map(({ reason }) => reason);
const alarms = (): string[] => world.takeAlarms().map(({ name, reason }) => `${name}: ${reason}`);

describe('a clock that differs from the Date header', () => {
  test.each([120, -120])('by %i s is a finding after half a minute, and an alarm after two minutes, with both times', async (by) => {
    await connect(dated(0));
    await run(10);
    lie = by;
    await run(28);
    expect(found()).toEqual([]);
    await run(6);
    expect(found()).toEqual([expect.stringMatching(/^the exchange's clock says 20\d\d-.*, but the Date header of its answers 20\d\d-/)]);
    await run(80);
    expect(alarms()).toEqual([]);
    await run(60);
    expect(alarms()).toEqual([expect.stringMatching(/^clock: the exchange's clock says .*, but the Date header/)]);
    lie = 0;
    await run(5);
    expect([found(), alarms()]).toEqual([[], []]);
  });

  test('is found by the first answers of a start too', async () => {
    lie = 300;
    await connect(dated(0));
    await run(35);
    expect(found()).toHaveLength(1);
  });

  test('by less than a minute, or for a short time only, is no finding', async () => {
    await connect(dated(50));
    for (let n = 0; n < 4; n++) {
      lie = 0;
      await run(25);
      lie = 200;
      await run(25);
    }
    expect([found(), alarms()]).toEqual([[], []]);
  });
});

describe('without a Date header', () => {
  test('nothing is found while there is no other time', async () => {
    await connect();
    lie = 600;
    await run(180);
    expect([found(), alarms()]).toEqual([[], []]);
  });

  test('the times of new trades show it', async () => {
    await connect();
    lie = -90;
    world = new World(bench.venue.feed.markets);
    const market = bench.venue.feed.markets[0]!;
    for (let n = 0; n < 16; n++) {
      await run(10);
      const at = world.now;
      const trade = { tradeId: `t${n}`, market: market.id, takerSide: 'bid', price: market.ticksNear(100), size: 1, time: at } as never;
      world.apply({ kind: 'tradesSeen', at, market: market.id, trades: [trade] });
    }
    expect(found()).toEqual([expect.stringMatching(/but its newest trades 20\d\d-/)]);
    expect(alarms()).toHaveLength(1);
  });
});
