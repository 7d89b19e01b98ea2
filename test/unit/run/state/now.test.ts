// The current state of a run for other processes: written once a second and at the end, and never a reason for the run to fail.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import type { Finding } from '../../../../src/bot/domain/turn.ts';
import { keepNow, readNow } from '../../../../src/bot/run/core/now.ts';
import { readHeader } from '../../../../src/bot/run/state/turn-recording.ts';
import { loadStrategy } from '../../../../src/bot/strategy/loading/loader.ts';
import { PageFeed } from '../../../../src/program/monitoring/page/feed.ts';
import { watchOf } from '../../../../src/program/monitoring/page/recorded.ts';
import { memoryState } from '../../../memory-state.ts';
import { tradeAt } from '../../../replay/virtual-run.ts';
import { FakeRun } from '../../cli/run/fake-run.ts';
import { FakeVenue } from '../fake-venue.ts';

function kept(holding: readonly Finding[] = []) {
  const directory = mkdtempSync(join(tmpdir(), 'now-'));
  const run = new FakeRun();
  const clock = new VirtualClock(0);
  run.held = holding;
  keepNow(run.trading, { directory, clock });
  return { directory, run, clock };
}

test('has what is held back, unhealthy or unknown, with symbols and texts', () => {
  const { directory, run } = kept([{ guard: 'margin', market: 0, side: 'bid', verdict: 'refuse', reason: 'too little' }]);
  run.builder.apply((at) => ({ kind: 'healthSeen', at, stream: 'book', market: 0, healthy: false, reason: 'no answer' }));
  run.builder.pending({ side: 'bid', price: 100, size: 1, id: '7' }).unknown('7', 63);
  run.line({ kind: 'alarm', at: 'then', alarm: 'ghost', market: 'BTCUSDC', reason: 'it is back' });
  run.turn();
  expect(readNow(directory)).toMatchObject({
    version: 1,
    mode: 'active',
    pid: process.pid,
    status: { kind: 'status' },
    holding: [{ guard: 'margin', market: 'BTCUSDC', side: 'bid', verdict: 'refuse', reason: 'too little' }],
    unhealthy: [{ stream: 'book', market: 'BTCUSDC', reason: 'no answer' }],
    unknown: [{ clientOrderId: '7', market: 'BTCUSDC', side: 'bid', price: '100.0', size: '1.0000', deadAfter: 63 }],
    alarms: [{ alarm: 'ghost', reason: 'it is back' }],
  });
});

test('what the data of a run is worth is in now.json, the summary and the page of its recording', async () => {
  const clock = new VirtualClock(0);
  const { feed, gateway } = new FakeVenue(clock);
  const venue = { feed: { ...feed, quality: 'order books every 0.5 s' }, gateway };
  const { strategy } = await loadStrategy('grid');
  const state = memoryState();
  const trading = tradeAt(venue, { clock, seed: 'quality', strategy, state, exchange: 'ccxt:binance' });
  const directory = mkdtempSync(join(tmpdir(), 'now-'));
  keepNow(trading, { directory, clock });
  trading.run.stop('the test ends');
  await clock.drive(clock.now() + 1_000);
  const watch = watchOf(readHeader(state.recording[0] ?? ''), { run: 'quality', exchange: 'ccxt:binance', directory: undefined }, 0);
  const page = new PageFeed({ watch, emit: () => undefined }).state({ seq: 0, now: 0, control: false });
  const { quality } = venue.feed;
  expect([readNow(directory), trading.summary(), page]).toMatchObject([{ quality }, { quality }, { quality }]);
});

test('is written at most once a second, but always at the end', () => {
  const { directory, run, clock } = kept();
  run.turn();
  const first = readNow(directory)?.at;
  clock.advanceTo(999);
  run.turn();
  expect(readNow(directory)?.at).toBe(first);
  clock.advanceTo(1_000);
  run.turn();
  const second = readNow(directory)?.at;
  expect(second).not.toBe(first);
  clock.advanceTo(1_100);
  run.end({ kind: 'settled' });
  expect(readNow(directory)?.at).not.toBe(second);
  expect(readdirSync(directory)).toEqual(['now.json']);
});

test('has the newest ten alarms', () => {
  const { directory, run } = kept();
  for (let count = 1; count <= 12; count++) run.line({ kind: 'alarm', at: 'then', alarm: `a${count}`, reason: '' });
  run.turn();
  expect(readNow(directory)?.alarms.map(({ alarm }) => alarm)).toEqual(Array.from({ length: 10 }, (_, index) => `a${index + 3}`));
});

test('a missing directory does not stop the run', () => {
  const { directory, run } = kept();
  rmSync(directory, { recursive: true });
  run.turn();
  expect(readNow(directory)).toBeUndefined();
});
