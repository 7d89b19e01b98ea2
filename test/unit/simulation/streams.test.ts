// The simulation with streams: the option changes nothing else, and the invariant of books finds false ones. Runs over failing connections: `streams.slow.test.ts`.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import type { Book } from '../../../src/bot/domain/book.ts';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import { LISTED_MARKETS } from '../../../src/embedded/exchange/state/listing.ts';
import { streamHub } from '../../../src/embedded/server/hosted/streams/hub.ts';
import { StreamServer } from '../../../src/research/simulation/environment/exchange/stream-server.ts';
import { thinMarket } from '../../../src/research/simulation/environment/exchange/thin-market.ts';
import type { Invariant, Process, Scene } from '../../../src/research/simulation/environment/scene.ts';
import { books } from '../../../src/research/simulation/invariants/books.ts';
import { classOf, pathOf, STREAM_KINDS } from '../../../src/research/simulation/plan/faults.ts';
import { optionsOf } from '../../../src/research/simulation/plan/options.ts';
import { planOf } from '../../../src/research/simulation/plan/plan.ts';

const asked = (seed: string, profile: 'calm' | 'smoke' | 'swarm') => ({ seed, profile, strategy: 'grid' });

test('streams change nothing else that a seed decides', () => {
  for (let seed = 0; seed < 20; seed++) {
    const without = optionsOf(asked(String(seed), 'swarm'));
    const { streams, faults, ...rest } = optionsOf({ ...asked(String(seed), 'swarm'), streams: true });
    const others = faults.kinds.filter((kind) => !STREAM_KINDS.includes(kind));
    expect({ ...rest, faults: { ...faults, kinds: others } }).toEqual(without);
    expect(streams).toBeDefined();
    const plan = planOf({ ...rest, faults, streams: streams! }).filter(({ kind }) => classOf(kind) !== 'streams');
    expect(plan).toEqual(planOf(without));
  }
});

/** The violations of the invariant of books, two seconds after the start of an exchange. */
function complaintsAbout(
  events: (book: Book, clock: VirtualClock) => readonly { readonly book: Book; readonly asked: number }[],
): readonly string[] {
  const clock = new VirtualClock(0);
  const exchange = new Exchange({
    seed: 's',
    start: 0,
    markets: LISTED_MARKETS.slice(0, 1),
    flow: thinMarket({ every: 1, volatility: 5, takes: 0.5 }),
  });
  exchange.advanceTo(1_000);
  const tick = (): void => exchange.advanceTo(1_000 + clock.now());
  const rules = { everyMs: 100, atOnce: true };
  const streams = new StreamServer({
    clock,
    rules,
    server: { streams: streamHub(exchange), books: () => exchange.markets.flatMap(({ id }) => exchange.book(id) ?? []) },
    pathOf,
    venue: { catchUp: tick, isDown: false },
  });
  streams.open('/ws/deltas@BTCUSDC', { frame: () => undefined, lost: () => undefined });
  clock.advanceTo(1_000);
  const complaints: string[] = [];
  const scene = {
    clock,
    venue: { streams },
    faults: { of: () => [] },
    reached: () => undefined,
    fail: (invariant: string, message: string) => complaints.push(`${invariant} ${message}`),
  };
  const check: Invariant = books(scene as unknown as Scene);
  const seen = events(exchange.book(0)!, clock).map((event) => ({ kind: 'bookSeen', at: clock.now(), ...event }));
  check.turn?.({ events: seen } as never, { number: 1, life: { clock } } as unknown as Process);
  return complaints;
}

describe('V24', () => {
  test('a current book of the exchange passes', () => {
    expect(complaintsAbout((book) => [{ book, asked: 0 }])).toEqual([]);
    expect(complaintsAbout((book, clock) => [{ book, asked: clock.now() }])).toEqual([]);
  });

  test('a book that the exchange did not have under its number is a violation', () => {
    const [complaint] = complaintsAbout((book) => [{ book: { ...book, bids: book.bids.slice(1) }, asked: 0 }]);
    expect(complaint).toMatch(/^V24 process 1 decides on a book \d+ that the exchange has not shown$/);
  });

  test('a book that is older than the process counts it is a violation', () => {
    const [complaint] = complaintsAbout((book, clock) => {
      clock.advanceTo(5_000);
      return [{ book, asked: 4_900 }];
    });
    expect(complaint).toMatch(/^V24 process 1 counts book \d+ as \d+ ms younger than it is$/);
  });
});
