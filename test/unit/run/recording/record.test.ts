// A recording of a hosted exchange by polling: the tape has what was polled, and gaps where nothing was.
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { type Transport, TransportError } from '../../../../src/base/transport/transport.ts';
import type { MarketEvent } from '../../../../src/bot/domain/event.ts';
import { DEFAULT_POLLING } from '../../../../src/bot/exchange/kit/streams/polling.ts';
import { recordHosted } from '../../../../src/embedded/recording/record-hosted.ts';
import { KIND_BITS, LAST_BIT, ROW, STAMPS_PER_MILLI } from '../../../../src/embedded/rows/rows.ts';
import { openTape } from '../../../../src/embedded/tape/reader.ts';
import { connectHostedFeed } from '../../../../src/venues/hosted/open.ts';
import { driven } from '../../../driven.ts';
import { inProcessTransport } from '../../../in-process.ts';
import { embeddedOn, latencies, ONE_MARKET, START } from '../../../replay/virtual-run.ts';

const SEED = 'record';
const QUIET = { info: () => undefined, warn: () => undefined };
let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'record-')), 'x.tape');
});

/** Records for a number of seconds, with an optional outage; returns all polled events. */
async function recorded({ seconds, from = START, down }: { seconds: number; from?: number; down?: readonly [number, number] }) {
  const clock = new VirtualClock(from);
  const exchange = await embeddedOn(clock, { seed: SEED, markets: ONE_MARKET });
  const network = inProcessTransport({ handler: exchange.hosted, clock, latencyMs: latencies(SEED) });
  const isDown = (): boolean => down !== undefined && clock.now() >= from + down[0] * 1_000 && clock.now() < from + down[1] * 1_000;
  const transport: Transport = {
    ...network,
    request: (request, terms) => (isDown() ? Promise.reject(new TransportError('notSent', 'no network')) : network.request(request, terms)),
  };
  const options = { transport, clock, rng: rngFrom(SEED), polling: DEFAULT_POLLING, markets: ['BTCUSDC'], log: QUIET };
  const feed = await driven(clock, connectHostedFeed(options));
  const seen: MarketEvent[] = [];
  feed.events.subscribe((event) => seen.push(event));
  const ends = { now: (): void => undefined };
  const until = new Promise<void>((resolve) => {
    ends.now = resolve;
  });
  const isNew = !existsSync(file);
  const opening = { over: false };
  const opened = (): void => {
    opening.over = true;
  };
  const recording = recordHosted({ feed, clock, pollMs: 250, source: 'a test', command: 'record', fileOf: () => file, until, opened });
  recording.catch(opened);
  while (!opening.over) {
    if (isNew && seenBooks(seen).length === 0)
      await clock.drive(clock.now() + 100); // a new tape begins with a book
    else await new Promise((resolve) => setImmediate(resolve)); // the disk does not use virtual time
  }
  await clock.drive(clock.now() + seconds * 1_000);
  ends.now();
  const [facts] = await recording;
  feed.close();
  await exchange.close();
  return { facts, seen };
}

/** The books on the tape by the time when each was complete, and the gaps. */
async function read() {
  const tape = await openTape(file);
  const books = new Map<number, string>();
  const gaps: number[] = [];
  let trades = 0;
  const sides = [new Map<number, number>(), new Map<number, number>()] as const;
  for await (const rows of tape.blocks()) {
    for (let at = 0; at < rows.count; at++) {
      const kind = rows.codes[at]! & KIND_BITS;
      const side = sides[(rows.codes[at]! & 0x10) === 0 ? 0 : 1];
      if (kind === ROW.clear) for (const levels of sides) levels.clear();
      if (kind === ROW.gap) gaps.push(rows.times[at]! / STAMPS_PER_MILLI);
      if (kind === ROW.trade) trades++;
      if (kind === ROW.level && rows.sizes[at] === 0) side.delete(rows.prices[at]!);
      else if (kind === ROW.level) side.set(rows.prices[at]!, rows.sizes[at]!);
      if (kind === ROW.level && (rows.codes[at]! & LAST_BIT) !== 0) books.set(rows.times[at]! / STAMPS_PER_MILLI, textOf(sides));
    }
  }
  await tape.close();
  return { header: tape.header, books, gaps, trades };
}

const textOf = (sides: readonly ReadonlyMap<number, number>[]): string =>
  JSON.stringify(sides.map((levels) => [...levels].sort(([a], [b]) => a - b)));

const seenBooks = (seen: readonly MarketEvent[]) =>
  seen.flatMap((event) => {
    if (event.kind !== 'bookSeen') return [];
    const sides = [event.book.bids, event.book.asks].map(
      (levels) => new Map(levels.map(({ price, size }) => [price as number, size as number])),
    );
    return [[Math.round(((event.asked + event.at) / 2) * STAMPS_PER_MILLI) / STAMPS_PER_MILLI, textOf(sides)] as const];
  });

describe('a recording', () => {
  test('has every book as it was polled, at the middle of request and reply, and all trades', async () => {
    const { seen } = await recorded({ seconds: 12 });
    const { header, books, gaps, trades } = await read();
    expect([header.books, header.pollMs, header.market.symbol, gaps]).toEqual(['polled', 250, 'BTCUSDC', []]);
    expect(header.fundingIntervalMs).toBe(3_600_000);
    const reported = new Map(seenBooks(seen));
    expect(books.size).toBeGreaterThan(30);
    for (const [time, text] of books) expect(reported.get(time)).toBe(text);
    expect(trades).toBeGreaterThan(20);
  });

  test('through an outage has a gap from the last book, and then a complete one', async () => {
    const { seen } = await recorded({ seconds: 30, down: [8, 18] });
    const { books, gaps } = await read();
    const times = [...books.keys()];
    const lastBefore = times.filter((time) => time < START + 8_500).at(-1);
    expect(gaps).toEqual([lastBefore]);
    expect(times.some((time) => time > START + 18_000)).toBe(true);
    const reported = new Map(seenBooks(seen));
    for (const [time, text] of books) expect(reported.get(time)).toBe(text);
  });

  test('of an existing tape is continued after a gap', async () => {
    await recorded({ seconds: 5 });
    const before = await read();
    await recorded({ seconds: 5, from: START + 60_000 });
    const after = await read();
    expect(after.gaps).toHaveLength(1);
    expect([...after.books.keys()].slice(0, before.books.size)).toEqual([...before.books.keys()]);
    expect(after.books.size).toBeGreaterThan(before.books.size);
  });
});
