// What holds for the polled data of every exchange: when books and accounts that do not change are stuck, what a failed list means, and the end.
import { merge } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { sleep, type VirtualClock } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../../src/base/transport/transport.ts';
import { POLLED, untilStuck } from './polled-benches.ts';
import { EXCHANGES } from './sending-benches.ts';

const STUCK = [true, false];
const CHANGED = [true, false, true];

type Answer = TransportError | { readonly status: number; readonly text: string; readonly retryAfter?: number } | 'silence';

/** What a start meets at an exchange that is being restarted, and behind proxies. */
const PASSING: readonly (readonly [string, Answer])[] = [
  ['502', { status: 502, text: '<html>' }],
  ['503', { status: 503, text: '' }],
  ['429', { status: 429, text: '', retryAfter: 3_600 }],
  ['403', { status: 403, text: '<html>' }],
  ['no connection', new TransportError('notSent', 'connection refused')],
  ['a reset', new TransportError('noReply', 'connection reset')],
  ['an HTML page', { status: 200, text: '<!doctype html>' }],
  ['silence', 'silence'],
  ['a body that was cut off', { status: 200, text: '{"success": tr' }],
];

/** Answers the requests for which `isSpoiled` is true with `answer`. */
const spoiling =
  (answer: Answer, isSpoiled: (request: HttpRequest) => boolean) =>
  (inner: Transport, clock: VirtualClock): Transport => ({
    async request(request, limits): Promise<HttpReply> {
      if (!isSpoiled(request)) return inner.request(request, limits);
      if (answer instanceof TransportError) throw answer;
      if (answer === 'silence') {
        await sleep(clock, limits.timeoutMs);
        throw new TransportError('noReply', 'no reply');
      }
      const { status, text, retryAfter } = answer;
      return { status, contentType: 'text/html', body: new TextEncoder().encode(text), retryAfter };
    },
    close: () => inner.close(),
  });

describe.each(Object.entries(POLLED))('%s', (_, open) => {
  describe('a book that does not change', () => {
    test('is healthy while nobody trades, stuck after a trade that it should show, and healthy when it changes', async () => {
      const { bench, rules, trade, changeBook } = await open();
      await bench.run(30_000);
      expect(bench.health('book')).toEqual([true]);
      trade();
      await bench.run(untilStuck(rules));
      expect(bench.health('book')).toEqual(STUCK);
      changeBook();
      await bench.run(10_000);
      expect(bench.health('book')).toEqual(CHANGED);
    });

    test('need not change again for a trade that it showed before the list of trades did', async () => {
      const { bench, trade, changeBook } = await open();
      await bench.run(10_000);
      changeBook();
      await bench.run(300);
      trade();
      await bench.run(20_000);
      expect(bench.health('book')).toEqual([true]);
    });
  });

  test('an account that does not change is healthy while nothing is filled, and stuck after a fill until it changes', async () => {
    const { bench, rules, fill, changeAccount } = await open();
    await bench.run(30_000);
    expect(bench.health('account')).toEqual([true]);
    fill();
    await bench.run(untilStuck(rules));
    expect(bench.health('account')).toEqual(STUCK);
    changeAccount();
    await bench.run(1_000);
    expect(bench.health('account')).toEqual(CHANGED);
  });

  test('one list of our trades that fails makes the poll fail, and nothing is lost', async () => {
    const { bench, fill, failFills } = await open();
    failFills(true);
    await bench.run(1_500); // what was asked for before is answered
    const rounds = bench.of('fillsSeen').length;
    fill();
    await bench.run(10_000);
    expect(bench.of('fillsSeen')).toHaveLength(rounds);
    expect(bench.health('fills')).toEqual(STUCK);
    failFills(false);
    await bench.run(12_000);
    expect(bench.of('fillsSeen').flatMap(({ fills }) => fills)).toHaveLength(1);
    expect(bench.health('fills')).toEqual(CHANGED);
  });
});

describe.each(Object.entries(EXCHANGES))('%s', (_, open) => {
  test.each(PASSING)('a start continues after %s, whichever request it was', async (_fault, answer) => {
    const failed = new Set<string>();
    const isFirst = ({ method, path }: HttpRequest): boolean => failed.size < failed.add(`${method} ${path.replace(/\?.*/, '')}`).size;
    const { bench } = await open({ spoil: spoiling(answer, isFirst) });
    expect(failed.size).toBeGreaterThan(4);
    await bench.run(60_000);
    expect(bench.of('accountSeen')).not.toHaveLength(0);
    expect(bench.logged.join('\n')).toMatch(/no answer from the .*(exchange|process) yet/);
  });

  test.each(PASSING)('a start continues if one answer in six is %s', async (_fault, answer) => {
    const rng = rngFrom('start');
    let isStarting = true;
    const { bench } = await open({ spoil: spoiling(answer, () => isStarting && rng.below(6) === 0) });
    isStarting = false;
    await bench.run(60_000);
    expect(bench.of('accountSeen')).not.toHaveLength(0);
  });

  test('a subscription after the gateway is closed sends nothing, and ends', async () => {
    const { bench, wire } = await open({});
    const { feed, gateway } = bench.venue;
    await gateway.close();
    const asked = wire.reads;
    let ended = 0;
    merge(feed.events, gateway.events).subscribe({ complete: () => ended++ });
    await bench.run(10_000);
    expect([wire.reads - asked, ended]).toEqual([0, 1]);
  });
});
