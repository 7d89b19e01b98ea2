// Runs with the websocket of the embedded exchange on virtual time, with lost, repeated, delayed and cut messages: every book of a turn is one that the
// exchange had, and the run ends like one with polls.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { walletOf } from '../../src/base/keys/key.ts';
import { rngFrom } from '../../src/base/rng.ts';
import type { Dial } from '../../src/base/transport/transport.ts';
import { newSecretKey } from '../../src/base/wire/ed25519.ts';
import { stopAfter } from '../../src/bot/run/core/trading.ts';
import { inheritedOptions } from '../../src/bot/run/core/venue.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import type { Embedded } from '../../src/embedded/server/embedded.ts';
import { connectHosted } from '../../src/venues/hosted/open.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { driven } from '../driven.ts';
import { inProcessTransport } from '../in-process.ts';
import { memoryState } from '../memory-state.ts';
import { stateOf } from '../naive/streamed-market.ts';
import { DEFAULTS, latencies, livelyExchange, QUIET, START, tradeAt } from '../replay/virtual-run.ts';

interface Faults {
  readonly loss: number;
  readonly repeat: number;
  readonly cut: number;
  /** Longest delay of a frame, in milliseconds. Frames keep their order. */
  readonly lateMs: number;
}

export const FAULTLESS: Faults = { loss: 0, repeat: 0, cut: 0, lateMs: 20 };

/** A websocket in this process with faults. */
function faultyLine({ streams }: Embedded, clock: VirtualClock, faults: Faults, seed: string): (path: string) => Dial {
  const rng = rngFrom(seed).fork('line');
  const chance = (likely: number): boolean => rng.next() < likely;
  return (path) =>
    ({ opened, message, closed }) => {
      let isOpen = true;
      let free = 0;
      let leave: (() => void) | undefined;
      const later = (act: () => void): void => {
        free = Math.max(free, clock.now() + Math.floor(rng.next() * faults.lateMs));
        clock.at(free, () => isOpen && act());
      };
      const close = (): void => {
        isOpen = false;
        leave?.();
      };
      later(() => {
        leave = streams(path)((text) => {
          if (chance(faults.loss)) return;
          later(() => message(text));
          if (chance(faults.repeat)) later(() => message(text));
          if (!chance(faults.cut)) return;
          later(() => message(text.slice(0, text.length / 2)));
          close();
          clock.at(clock.now() + 1, () => closed('cut'));
        });
        opened();
      });
      return { send: () => undefined, close };
    };
}

/** Runs the grid for thirty seconds. */
export async function played(seed: string, faults: Faults | undefined) {
  const clock = new VirtualClock(START);
  const schema = bundledSchema();
  const embedded = await livelyExchange(clock, seed);
  const { exchange } = embedded;
  const states = new Map<string, string>();
  const note = (): void => {
    const book = exchange.book(0)!;
    states.set(book.updateId, stateOf(book));
  };
  note();
  embedded.streams('/ws/deltas@BTCUSDC')(note);
  const state = memoryState();
  const { strategy } = await loadStrategy('grid');
  const venue = await driven(
    clock,
    connectHosted({
      ...inheritedOptions({ clock, state }),
      transport: inProcessTransport({ handler: embedded.hosted, clock, latencyMs: latencies(seed) }),
      clock,
      rng: rngFrom(seed).fork('venue'),
      wallet: walletOf(newSecretKey()),
      schema,
      polling: DEFAULTS.polling,
      log: QUIET,
      markets: ['BTCUSDC'],
      dialStreams: faults && faultyLine(embedded, clock, faults, seed),
    }),
  );
  const books: { readonly updateId: string; readonly isTrue: boolean; readonly age: number }[] = [];
  venue.feed.events.subscribe((event) => {
    if (event.kind !== 'bookSeen') return;
    const { updateId } = event.book;
    books.push({ updateId, isTrue: states.get(updateId) === stateOf(event.book), age: event.at - event.asked });
  });
  const trading = tradeAt(venue, { clock, seed, strategy, state, exchange: 'embedded' });
  stopAfter(trading.run, { clock, spanMs: 30_000 });
  const ending = await driven(clock, trading.run.done);
  const summary = trading.summary();
  await venue.gateway.close();
  await embedded.close();
  return { ending, summary, books, states };
}

export function testDelivery(cases: readonly (readonly [string, Faults])[]): void {
  describe.each(cases)('a websocket %s', (name, faults) => {
    test('delivers only books that the exchange had, and the run settles', async () => {
      const { ending, summary, books } = await played(name, faults);
      expect(ending).toEqual({ kind: 'settled' });
      expect(summary.orders).toMatchObject({ unknown: 0, openAtExit: 0 });
      expect(books.filter(({ isTrue }) => !isTrue)).toEqual([]);
      expect(Math.max(...books.map(({ age }) => age))).toBeLessThan(3_000);
      expect(books.length).toBeGreaterThan(110); // more than the polls alone
    });
  });
}
