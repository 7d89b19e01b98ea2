// The contract of the page: the turns of a recorded minute give fixed events, and all data has the promised shape.
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { eventShape, type PageEvent, stateShape } from '../../../src/program/monitoring/page/contract.ts';
import { type NewEvent, PageFeed } from '../../../src/program/monitoring/page/feed.ts';
import { turnsIn } from './recorded-turns.ts';
import { watchOf } from './test-page.ts';

const FOLDER = new URL('../../fixtures/page/', import.meta.url);
const linesOf = (name: string): readonly string[] =>
  gunzipSync(readFileSync(new URL(name, FOLDER)))
    .toString()
    .trimEnd()
    .split('\n');
const recorded = turnsIn(linesOf('turns.jsonl.gz'));

function eventsOf(turns = recorded.turns): { readonly feed: PageFeed; readonly events: readonly NewEvent[] } {
  const watch = watchOf(recorded.markets);
  const events: NewEvent[] = [];
  const feed = new PageFeed({ watch, emit: (event) => events.push(event) });
  for (const turn of turns) {
    watch.add(turn);
    feed.add(turn);
  }
  return { feed, events };
}

describe('a recorded minute', () => {
  const { feed, events } = eventsOf();
  const texts = events.map((event) => JSON.stringify(event));

  // After an intended change of the events: RENEW=1 npx vitest run --config test/vitest.config.ts test/unit/monitoring/feed.test.ts
  test('gives the events of the file, byte for byte', () => {
    if (process.env['RENEW'] !== undefined)
      writeFileSync(new URL('events.jsonl.gz', FOLDER), gzipSync(`${texts.join('\n')}\n`, { level: 9 }));
    expect(texts).toEqual(linesOf('events.jsonl.gz'));
  });

  test('has every kind of event that a minute can have, in the shape of the contract', () => {
    const parsed = texts.map((text, rank) => eventShape.parse({ ...(JSON.parse(text) as object), seq: rank + 1 }));
    expect(new Set(parsed.map(({ kind }: PageEvent) => kind))).toEqual(
      new Set(['turn', 'book', 'orders', 'status', 'order', 'fill', 'finding', 'held', 'released']),
    );
  });

  const count = (kind: string): number => events.filter((event) => event.kind === kind).length;

  test('gives a state in the shape of the contract, with money as decimal text', () => {
    const state = JSON.parse(JSON.stringify(feed.state({ seq: 7, now: 0, control: false }))) as unknown;
    const parsed = stateShape.parse(state);
    expect(parsed).toMatchObject({ seq: 7, run: 'grid-test', mode: 'active', ended: false });
    expect(parsed.candles['BTCUSDC']?.seconds.length).toBeGreaterThan(50);
    expect(parsed.equity.length).toBeGreaterThan(50);
    for (const text of [parsed.status.pnl, parsed.status.equity, ...parsed.orders.map(({ price }) => price)])
      expect(text).toMatch(/^-?\d+(\.\d+)?$/);
  });

  test('has at most five books, ten turns and one status a second', () => {
    const spanSeconds = ((recorded.turns.at(-1)?.at ?? 0) - (recorded.turns[0]?.at ?? 0)) / 1_000;
    expect(count('book')).toBeLessThanOrEqual(5 * spanSeconds + 1);
    expect(count('turn')).toBeLessThanOrEqual(10 * spanSeconds + 1);
    expect(count('status')).toBeLessThanOrEqual(spanSeconds + 1);
  });
});

test('the same state follows from the events as from the turns', () => {
  const half = Math.floor(recorded.turns.length / 2);
  const { feed, events } = eventsOf(recorded.turns.slice(0, half));
  const { orders, status, held } = feed.state({ seq: 0, now: 0, control: false });
  const last = (kind: NewEvent['kind']): NewEvent | undefined => events.findLast((event) => event.kind === kind);
  feed.catchUp();
  expect(last('orders')).toEqual({ kind: 'orders', orders });
  expect(last('status')).toMatchObject({ kind: 'status', turns: status.turns, pnl: status.pnl, positions: status.positions });
  const standing = new Map<string, unknown>();
  for (const event of events) {
    if (event.kind === 'held') standing.set([event.guard, event.market, event.side, event.verdict].join(), event);
    if (event.kind === 'released') standing.delete([event.guard, event.market, event.side, event.verdict].join());
  }
  expect([...standing.values()]).toEqual(held.map((one) => ({ kind: 'held', ...one })));
});

test('the fills of an exchange whose clock is two minutes behind have our time, as the candles have', () => {
  const behind = recorded.turns.map((turn) => ({
    ...turn,
    events: turn.events.map((event) => (event.kind === 'timeSeen' ? { ...event, engineSeconds: event.engineSeconds - 120 } : event)),
    fills: turn.fills.map((fill) => ({ ...fill, time: fill.time - 120_000 })),
  }));
  const timesOf = (turns: typeof recorded.turns): readonly number[] =>
    eventsOf(turns).events.flatMap((event) => (event.kind === 'fill' ? [Date.parse(String(event.at))] : []));
  const [right, corrected] = [timesOf(recorded.turns), timesOf(behind)];
  expect(right.length).toBeGreaterThan(0);
  for (const [index, at] of corrected.entries()) expect(Math.abs(at - (right[index] ?? 0))).toBeLessThanOrEqual(1_000);
});
