// The stream of events: pages that were disconnected, pages that do not read, and the size of the buffer.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import type { ReplyStream } from '../../../src/base/transport/transport.ts';
import { EventStream } from '../../../src/program/monitoring/page/stream.ts';
import { logIn, openTestPage, sendRequest } from './test-page.ts';

/** A page that reads only if the test says so. */
class FakePage implements ReplyStream {
  readonly got: string[] = [];
  #unread = 0;
  #read: () => void = () => undefined;
  reads = true;

  write(text: string): void {
    this.got.push(text);
    if (!this.reads) this.#unread += text.length;
  }
  get waiting(): number {
    return this.#unread;
  }
  whenRead(read: () => void): void {
    this.#read = read;
  }
  whenClosed(): void {}
  end(): void {}
  readAll(): void {
    this.#unread = 0;
    this.reads = true;
    this.#read();
  }
  get numbers(): readonly number[] {
    return [...this.got.join('').matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
  }
}

const TURN = { kind: 'turn', at: 0, turns: 1 } as const;
const resets = ({ got }: FakePage): number => got.join('').split('"reset"').length - 1;

test('events have increasing numbers and are sent together, and a page that was disconnected gets those it missed', () => {
  const clock = new VirtualClock(0);
  const stream = new EventStream(clock);
  const page = new FakePage();
  stream.open(page, 0);
  for (let count = 0; count < 5; count++) stream.emit(TURN);
  expect(page.numbers).toEqual([]);
  clock.advanceTo(100);
  expect([page.numbers, page.got.length]).toEqual([[1, 2, 3, 4, 5], 2]);
  const late = new FakePage();
  stream.open(late, 3);
  expect(late.numbers).toEqual([4, 5]);
});

test('a page whose position is not in the buffer gets a reset', () => {
  const stream = new EventStream(new VirtualClock(0));
  for (let count = 0; count < 5_000; count++) stream.emit(TURN);
  for (const from of [0, 5_001, -1]) {
    const page = new FakePage();
    stream.open(page, from);
    expect([from, resets(page), page.numbers]).toEqual([from, 1, []]);
  }
  const page = new FakePage();
  stream.open(page, 3_000);
  expect(page.numbers.length).toBe(2_000);
});

test('a page that does not read gets at most the limit, and a reset when it has read that', () => {
  const clock = new VirtualClock(0);
  const stream = new EventStream(clock);
  const [slow, quick] = [new FakePage(), new FakePage()];
  slow.reads = false;
  stream.open(slow, 0);
  stream.open(quick, 0);
  for (let second = 1; second <= 60; second++) {
    for (let count = 0; count < 10; count++) stream.emit({ kind: 'turn', at: second, turns: count });
    for (let count = 0; count < 10; count++) clock.advanceTo(second * 1_000 + count * 100);
  }
  stream.flush();
  expect(quick.numbers.length).toBe(600);
  expect(slow.got.length).toBeLessThanOrEqual(65);
  expect(slow.waiting).toBeLessThan(1_000_000);
  const before = resets(slow);
  slow.readAll();
  expect(resets(slow)).toBe(before + 1);
});

test('eight streams at most', async () => {
  const testPage = await openTestPage();
  const cookie = await logIn(testPage);
  const abort = new AbortController();
  const open = (): Promise<Response> => fetch(`${testPage.page.url}/api/stream?from=0`, { headers: { cookie }, signal: abort.signal });
  const opened = await Promise.all(Array.from({ length: 8 }, open));
  expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect((await open()).status).toBe(503);
  abort.abort();
  while (testPage.source.stream.clients > 0) await new Promise((resolve) => setImmediate(resolve));
  expect((await sendRequest(testPage.port, '/api/state', { headers: { cookie } })).status).toBe(200);
  await testPage.close();
});
