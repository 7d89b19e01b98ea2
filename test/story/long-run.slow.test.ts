// Memory of a long run: nothing in its world, accounting, journal or adapter grows with the number of orders.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { rngFrom } from '../../src/base/rng.ts';
import { startTrading } from '../../src/bot/run/core/trading.ts';
import { openState } from '../../src/bot/run/state/state.ts';
import { defineStrategy } from '../../src/bot/strategy/contract.ts';
import { deciderOf } from '../../src/bot/strategy/decide.ts';
import { embeddedVenue } from '../../src/embedded/adapter/venue.ts';
import { collectionSizes, grown } from '../collections.ts';
import { driven } from '../driven.ts';
import { DEFAULTS } from '../replay/virtual-run.ts';
import { QuietExchange, START } from '../unit/embedded/quiet-exchange.ts';
import { MemoryDisk } from '../unit/journal/memory-disk.ts';

const SECOND = 1_000;
const LEVELS = 12;
const ORDERS_A_SECOND = 2 * LEVELS;
/** Seconds from the start to the two measurements. */
const [EARLY, LATE] = [130, 300];

/** Bounded collections that are not full at the measurements, with their largest number of entries. */
const FULL_LATER: readonly (readonly [path: RegExp, most: number])[] = [
  [/\.#?attribution\.#(byOrder|byAction|filled|actionOf)|\.#closed\.#ends|\.judgedFills\.#booked/, 2 * 4096],
  [/\.#counted\./, 10_000],
  [/\.sendTimes\.#times$/, 2 * 60 * ORDERS_A_SECOND + ORDERS_A_SECOND], // the last minute, and as many older ones
  [/\.sentTerms\.#times\.#entries\[\]$/, (600 * SECOND) / SECOND], // one per second and price
  [/\.\(journal\)\.#entries$/, 20_000], // one segment
];

const isFullLater = (growth: string): boolean => FULL_LATER.some(([path]) => path.test(growth.replace(/: \d+, \d+$/, '')));

/** A strategy that moves all its orders by a tick once a second. */
const restless = defineStrategy({
  name: 'restless',
  defaults: { market: 'BTCUSDC', size: 0.001 },
  create: ({ market, size }) => {
    return (view) => {
      const { bestBid, bestAsk, quote } = view.market(market);
      if (bestBid === undefined || bestAsk === undefined) return [];
      const shift = Math.floor(view.now / SECOND) % 2;
      const levels = (best: number, sign: number) =>
        Array.from({ length: LEVELS }, (_, level) => ({ price: best + sign * (10 + 2 * level + shift), size }));
      return [quote({ bids: levels(60_000, -1), asks: levels(60_000, 1) })];
    };
  },
});

test('after seven thousand orders nothing has grown', async () => {
  const clock = new VirtualClock(START);
  const quiet = new QuietExchange();
  const [us, other] = [quiet.user('us', 1_000_000), quiet.user('other', 1_000_000)];
  quiet.index('BTCUSDC', 60_000);
  quiet.placed(other, 'bid 10 BTCUSDC @ 59000');
  quiet.placed(other, 'ask 10 BTCUSDC @ 61000');
  const latency = { draw: () => ({ there: 10, back: 20 }) };
  const { polling, limits } = DEFAULTS;
  const options = {
    exchange: quiet.exchange,
    clock,
    account: us,
    markets: ['BTCUSDC'],
    polling,
    latency: { seen: latency, sent: latency },
  };
  const venue = embeddedVenue(options);
  const disk = new MemoryDisk();
  const state = openState(disk, { clock, started: 'first' });
  const decide = deciderOf(restless, restless.defaults, { rng: rngFrom('long'), markets: venue.feed.markets });
  const name = { run: 'long', strategy: restless.name, exchange: 'quiet' };
  const loose = {
    ...limits,
    rate: { maxPerSecond: 100, maxPerMinute: 6_000 },
    repetition: { maxSame: 10_000, withinMs: 60_000, maxExecutions: 100_000 },
  };
  const trading = startTrading({ clock, venue, state, decide, limits: loose, params: {}, seed: 'long', name });
  const take = (): void => {
    const seconds = Math.floor((clock.now() - START) / SECOND);
    quiet.place(
      other,
      seconds % 2 === 0 ? 'bid 0.002 BTCUSDC @ 60020 IMMEDIATE_OR_CANCEL' : 'ask 0.002 BTCUSDC @ 59980 IMMEDIATE_OR_CANCEL',
    );
    quiet.index('BTCUSDC', 60_000 + (seconds % 10));
    clock.at(clock.now() + SECOND, take);
  };
  clock.at(START + SECOND, take);

  const others: ReadonlySet<object> = new Set([clock, disk, quiet.exchange, quiet.exchange.records]);
  const retained = (): ReadonlyMap<string, number> => collectionSizes({ trading, venue, state }, (value) => others.has(value));
  await clock.drive(START + EARLY * SECOND);
  const early = retained();
  const placed = trading.summary().orders.placed;
  await clock.drive(START + LATE * SECOND);
  const late = retained();
  expect(placed).toBeGreaterThan(3_000);
  expect(trading.run.world.mode).toBe('active');
  expect(trading.summary().orders.placed).toBeGreaterThan(2 * placed);
  expect(trading.summary().fills).toBeGreaterThan(LATE);

  // The walk and the list of exceptions must match existing objects.
  const paths = [...late.keys()];
  for (const [path, most] of FULL_LATER) {
    expect(paths.filter((known) => path.test(known))).not.toEqual([]);
    for (const known of paths)
      if (path.test(known)) expect(`${known}: ${Math.min(late.get(known) ?? 0, most)}`).toBe(`${known}: ${late.get(known)}`);
  }
  expect(grown(early, late).filter((growth) => !isFullLater(growth))).toEqual([]);

  trading.run.stop('the test is over');
  await driven(clock, trading.run.done);
  await venue.gateway.close();
  state.close();
});
