// Gates that are checked only for markets that an event concerns open the same markets as gates that are checked in every turn, also with missing data.
import { expect, test } from 'vitest';
import { rngFrom } from '../../src/base/rng.ts';
import { JSON_LIMITS, readJson } from '../../src/base/text/json.ts';
import type { Event } from '../../src/bot/domain/event.ts';
import type { Turn } from '../../src/bot/domain/turn.ts';
import { KeptGates } from '../../src/bot/risk/kept-gates.ts';
import { passGates } from '../../src/bot/risk/review.ts';
import { limitsSchema, rulesFrom } from '../../src/bot/risk/rules.ts';
import { readHeader } from '../../src/bot/run/state/turn-recording.ts';
import { assembleReplay } from '../../src/research/parity/follower.ts';
import { virtualRun } from '../replay/virtual-run.ts';

/** A stream fails for some seconds, again and again; what it would have shown is left out. */
const FAILING = ['bookSeen', 'infoSeen', 'accountSeen', 'timeSeen'] as const;
const RULES = rulesFrom(
  limitsSchema.parse({ 'data-age': { bookMs: 1_000, infoMs: 2_000, accountMs: 1_500 }, oracle: { maxBookDistance: 0.0002 } }),
);

/** Moves the book away from the index, or makes one side of it empty. */
function distorted(event: Event, by: number): Event {
  if (event.kind !== 'bookSeen') return event;
  const { bids, asks } = event.book;
  return { ...event, book: { ...event.book, bids: by < 1 ? [] : bids, asks: asks.slice(by) } };
}

test.each(['gates 1', 'gates 2', 'gates 3'])('seed %s', async (seed) => {
  const rng = rngFrom(seed);
  const { recording } = await virtualRun({ strategy: 'grid', seed, seconds: 30, markets: ['BTCUSDC', 'ETHUSDC'] });
  const [head = '', ...turns] = recording;
  const { world } = assembleReplay({ header: readHeader(head), decide: () => [], rules: RULES }, {});
  const gates = new KeptGates(RULES, world);
  let failing: { readonly kind: (typeof FAILING)[number]; readonly until: number } | undefined;
  const counts = { open: 0, closed: 0 };
  for (const line of turns) {
    const { at, events } = readJson(line, JSON_LIMITS.state) as Turn;
    if (failing === undefined || at > failing.until + 1_000)
      failing = { kind: FAILING[rng.below(FAILING.length)]!, until: at + rng.below(4_000) };
    const { kind, until } = failing;
    const shown = events.filter((event) => event.kind !== kind || at > until);
    world.apply(...shown.map((event) => (rng.below(40) === 0 ? distorted(event, rng.below(3)) : event)));
    const all = passGates(RULES, world);
    expect(gates.check()).toEqual(all);
    counts[all.findings.length > 0 ? 'closed' : 'open'] += 1;
  }
  expect(counts.open).toBeGreaterThan(50);
  expect(counts.closed).toBeGreaterThan(50);
});
