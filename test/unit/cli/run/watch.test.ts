// The output of a run, from the first line to the last.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { Interrupts } from '../../../../src/program/commands/run/interrupts.ts';
import { watch } from '../../../../src/program/commands/run/watch.ts';
import { jsonPresenter } from '../../../../src/program/output/json.ts';
import { plainPresenter } from '../../../../src/program/output/plain.ts';
import type { Presenter } from '../../../../src/program/output/presenter.ts';
import { livePresenter } from '../../../../src/program/terminal/live.ts';
import { watchOf } from '../../monitoring/test-page.ts';
import { bookTurn } from '../../report/turns.ts';
import { BTC } from '../../world-builder.ts';
import { FakeHost } from '../fake-host.ts';
import { FakeRun, FINDING } from './fake-run.ts';
import { FACTS, SUMMARY } from './samples.ts';

function watched(presenterFor: (host: FakeHost) => Presenter, { isTTY = false, spanMs }: { isTTY?: boolean; spanMs?: number } = {}) {
  const host = new FakeHost({ isTTY });
  const clock = new VirtualClock(0);
  const run = new FakeRun();
  const presenter = presenterFor(host);
  presenter.opening();
  const following = watchOf();
  presenter.follow?.(following, () => ({}));
  const interrupts = new Interrupts(host);
  return { host, clock, run, following, over: watch(run.trading, { presenter, clock, interrupts, spanMs }) };
}

const json = (host: FakeHost): Presenter => jsonPresenter(host, FACTS);
const plain = (host: FakeHost): Presenter => plainPresenter(host.stdout, FACTS);
const live = (host: FakeHost): Presenter => livePresenter(host, FACTS);

describe('JSON lines', () => {
  test('have the events, a status once a second, and the summary last', async () => {
    const { host, clock, run, over } = watched(json);
    run.line(FINDING);
    run.becomeFresh();
    run.line({ ...FINDING, guard: 'rate' });
    run.turn();
    clock.advanceTo(2_500);
    run.trading.run.stop('Ctrl-C');
    run.end({ kind: 'settled' });
    expect(await over).toMatchObject({ ending: { kind: 'settled' }, open: [] });
    clock.advanceTo(10_000);
    const reported = host.stdout.lines.map((line) => JSON.parse(line) as { kind: string });
    expect(reported.map(({ kind }) => kind)).toEqual(['finding', 'ready', 'finding', 'status', 'status', 'stopping', 'summary']);
    expect(reported[1]).toMatchObject({ run: 'grid-embedded-x', seed: 'a', markets: ['BTCUSDC'], state: '.bot/x' });
    expect(reported[5]).toMatchObject({ reason: 'Ctrl-C' });
    expect(reported.at(-1)).toEqual(SUMMARY);
  });

  test('have the summary of a failed run too, and standard error names what is still open', async () => {
    const { host, run, over } = watched(json);
    run.becomeFresh();
    run.builder.placed({ side: 'bid', price: 99.5, size: 0.1, id: '5' });
    run.end({ kind: 'unsettled', reason: 'stopped twice' });
    expect((await over).open).toHaveLength(1);
    expect(JSON.parse(host.stdout.lines.at(-1) ?? '')).toEqual(SUMMARY);
    expect(host.stderr.text).toContain('  bid 0.1000 BTCUSDC at 99.5, open, order exchange-5\n');
  });
});

test('plain lines have the time, what happened, why, and a status every ten seconds', async () => {
  const { host, clock, run, over } = watched(plain);
  run.becomeFresh();
  run.turn();
  run.line(FINDING);
  clock.advanceTo(10_000);
  run.trading.run.stop('the time of 10 s is over');
  run.end({ kind: 'settled' });
  await over;
  const [start = '', ...reported] = host.stdout.lines;
  expect(start).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z start: run grid-embedded-x, seed a, state in \.bot\/x$/);
  expect(reported.slice(0, 4)).toEqual([
    expect.stringMatching(/Z ready: grid trades BTCUSDC on embedded$/),
    '2026-01-02T03:04:05.678Z margin refuses BTCUSDC: too little',
    '2026-01-02T03:04:05.678Z status: profit 0.00, flat, 0 open orders, account not read yet',
    expect.stringMatching(/Z stopping: the time of 10 s is over; cancelling all orders$/),
  ]);
  expect(reported[4]).toBe('grid-embedded-x: done, no order is open');
  expect(host.stdout.text).not.toContain('\x1b');
});

test('a terminal is taken over while the run lasts, drawn at most four times a second, and released before the final page', async () => {
  const { host, clock, run, following, over } = watched(live, { isTTY: true });
  run.becomeFresh();
  for (let at = 0; at <= 2_000; at += 50) {
    following.add(bookTurn(at, 100 + at / 100, 200));
    clock.advanceTo(at);
  }
  run.held = [{ guard: 'margin', verdict: 'refuse', market: BTC.id, reason: 'too little' }];
  run.line(FINDING);
  clock.advanceTo(2_250);
  run.end({ kind: 'settled' });
  await over;
  const { text } = host.stdout;
  expect(text.split('\x1b[H').length - 1).toBe(10); // at its start, and every 250 ms
  expect(text).toContain('margin refuses BTCUSDC: too little');
  const [, after = ''] = text.split('\x1b[?1049l');
  expect(after).toContain('grid-embedded-x: done, no order is open');
  expect(text.indexOf('\x1b[?1049h')).toBeGreaterThan(text.indexOf('opening grid-embedded-x'));
});

test('a run with a limited time stops by itself', async () => {
  const { clock, run, over } = watched(json, { spanMs: 20_000 });
  clock.advanceTo(19_999);
  expect(run.stops).toEqual([]);
  clock.advanceTo(20_000);
  expect(run.stops).toEqual(['the time of 20 s is over']);
  run.end({ kind: 'settled' });
  await over;
});

test('plain lines say when a market is traded again, once each time', async () => {
  const { host, clock, run, over } = watched(plain);
  run.becomeFresh();
  run.turn();
  run.held = [{ guard: 'data-age', verdict: 'hold', market: BTC.id, reason: 'the order book is 30.1 s old' }];
  run.turn();
  run.held = [];
  run.turn();
  clock.advanceTo(1_000);
  run.end({ kind: 'settled' });
  await over;
  expect(host.stdout.lines.filter((line) => line.includes('again'))).toEqual([
    expect.stringMatching(/Z trading again; it was held: the order book is 30\.1 s old$/),
  ]);
});

test('old data that first holds a market and then cancels its orders is one hold', async () => {
  const { host, run, over } = watched(plain);
  run.becomeFresh();
  run.turn();
  for (const verdict of ['hold', 'refuse'] as const) {
    run.held = [{ guard: 'data-age', verdict, market: BTC.id, reason: 'no order book for more than 3 s' }];
    run.turn();
  }
  expect(host.stdout.lines.filter((line) => line.includes('again'))).toEqual([]);
  run.held = [];
  run.turn();
  run.end({ kind: 'settled' });
  await over;
  expect(host.stdout.lines.filter((line) => line.includes('again'))).toEqual([
    expect.stringMatching(/Z trading again; it was held: no order book for more than 3 s$/),
  ]);
});
