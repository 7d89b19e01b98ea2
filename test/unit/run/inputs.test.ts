// The inputs of a strategy: the sources of values, failures, and what a run records of them.

import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom, Observable, of, Subject, throwError } from 'rxjs';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock, VirtualClock } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import type { Answer } from '../../../src/base/streams/answer.ts';
import type { InputEvent } from '../../../src/bot/domain/event.ts';
import { inputEvents } from '../../../src/bot/run/inputs/events.ts';
import { openStream } from '../../../src/bot/run/inputs/open-stream.ts';
import { pollUrl } from '../../../src/bot/run/inputs/poll-url.ts';
import { playRecorded, readRecorded } from '../../../src/bot/run/inputs/recorded.ts';
import { FileReader, watchFile } from '../../../src/bot/run/inputs/watch-file.ts';
import { LineFiles } from '../../../src/bot/run/state/line-files.ts';
import { file, inputsOf, poll, stream, webhook } from '../../../src/bot/strategy/inputs.ts';
import { SimDisk } from '../../../src/research/simulation/environment/disk/sim-disk.ts';

const START = 1_800_000_000_000;
const rng = rngFrom('inputs');

/** The events of a stream input on virtual time. */
function played(open: Parameters<typeof stream>[0], { maxAgeMs, until }: { maxAgeMs?: number; until: number }): readonly InputEvent[] {
  const clock = new VirtualClock(START);
  const input = stream(open, maxAgeMs === undefined ? {} : { maxAgeMs });
  const events: InputEvent[] = [];
  const subscription = inputEvents(openStream(input, { clock, rng }), { name: 'x', input, clock }).subscribe((event) => events.push(event));
  clock.advanceTo(START + until);
  subscription.unsubscribe();
  return events;
}

describe('a stream', () => {
  test('emits each value as an event, and none after its end', () => {
    expect(played(() => of(1, { a: [2] }), { until: 60_000 })).toEqual([
      { kind: 'inputSeen', at: START, asked: START, name: 'x', value: 1 },
      { kind: 'inputSeen', at: START, asked: START, name: 'x', value: { a: [2] } },
    ]);
  });

  test('that fails is unhealthy once, is opened again after growing pauses, and is healthy with the next value', () => {
    let opened = 0;
    const events = played(() => (++opened < 4 ? throwError(() => new Error('no route')) : of('back')), { until: 60_000 });
    expect(opened).toBe(4);
    expect(events.map((event) => (event.kind === 'inputHealth' ? [event.healthy, event.reason] : event.value))).toEqual([
      [false, 'its stream failed: no route'],
      [true, 'a value came'],
      'back',
    ]);
  });

  test.each([
    [
      'throws when it is opened',
      () => {
        throw new Error('not today');
      },
      'its stream failed: not today',
    ],
    ['is not an Observable', () => undefined as never, /^its stream failed: Cannot read/],
    ['emits a value that is not JSON', () => of(new Date(0)), 'the value is an object of a class, which is not JSON'],
    ['emits a key __proto__', () => of(JSON.parse('{"__proto__":1}')), 'the value has a key "__proto__"'],
    ['gives NaN', () => of({ rate: Number.NaN }), 'the value.rate is NaN, which is not JSON'],
    ['emits a value that is too large', () => of('x'.repeat(70_000)), 'the value has 70002 characters of JSON; at most 65536 are allowed'],
    [
      'has a key in its error',
      () => throwError(() => new Error(`bad ${'0123456789abcdef'.repeat(4)}`)),
      /^its stream failed: bad \[a key\]$/,
    ],
  ] as const)('that %s is unhealthy, and nothing is thrown', (_, open, reason) => {
    const [first, ...others] = played(open, { until: 500 });
    expect([first, others]).toEqual([
      { kind: 'inputHealth', at: START, name: 'x', healthy: false, reason: expect.stringMatching(reason) as string },
      [],
    ]);
  });

  test('whose values grow old is unhealthy until the next value', () => {
    const source = new Subject<number>();
    const clock = new VirtualClock(START);
    const input = stream(() => source, { maxAgeMs: 1_000 });
    const events: InputEvent[] = [];
    inputEvents(openStream(input, { clock, rng }), { name: 'x', input, clock }).subscribe((event) => events.push(event));
    source.next(1);
    clock.advanceTo(START + 5_000);
    source.next(2);
    expect(events.flatMap((event) => (event.kind === 'inputHealth' ? [event.reason] : []))).toEqual([
      'new value seen',
      'no new value for more than 1 s',
      'new value seen',
    ]);
  });

  test('whose source fails after its value has become too old is reported once more, with the reason', () => {
    const answers = new Subject<Answer<unknown>>();
    const clock = new VirtualClock(START);
    const input = poll({ url: 'http://a/', everyMs: 1_000 });
    const events: InputEvent[] = [];
    inputEvents(answers, { name: 'x', input, clock }).subscribe((event) => events.push(event));
    const answer = (after: number, one: { value: unknown } | { failure: string }): void => {
      clock.advanceTo(START + after);
      const times = { asked: clock.now(), at: clock.now() };
      answers.next(
        'value' in one ? { kind: 'seen', ...one, ...times } : { kind: 'failed', reason: one.failure, error: undefined, ...times },
      );
    };
    answer(0, { value: 1 });
    for (const failure of ['no reply within 5 s', 'no reply within 5 s', 'answered 500']) answer(clock.now() - START + 5_000, { failure });
    answer(20_000, { value: 2 });
    expect(events.flatMap((event) => (event.kind === 'inputHealth' ? [[event.at - START, event.healthy, event.reason]] : []))).toEqual([
      [0, true, 'new value seen'],
      [3_001, false, 'no new value for more than 3 s'],
      [5_000, false, 'no new value for more than 3 s; no reply within 5 s'],
      [20_000, true, 'new value seen'],
    ]);
  });

  test('is unsubscribed at the end of the run, even if its own clean-up throws', () => {
    let cleaned = 0;
    const open = (): Observable<never> =>
      new Observable(() => () => {
        cleaned++;
        throw new Error('clean-up');
      });
    expect(played(open, { until: 10 })).toEqual([]);
    expect(cleaned).toBe(1);
  });
});

describe('a polled URL', () => {
  let server: Server;
  afterEach(() => server.close());

  /** The value of one poll of a server with this answer. */
  async function asked(
    answer: (path: string) => { status?: number; body?: string; headers?: Record<string, string> },
    path = '/news?key=secret',
  ) {
    const requests: { readonly url: string | undefined; readonly headers: unknown }[] = [];
    server = createServer((request, response) => {
      requests.push({ url: request.url, headers: Object.keys(request.headers).sort() });
      const { status = 200, body = '', headers = {} } = answer(request.url ?? '');
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const input = poll({ url: `${origin}${path}`, everyMs: 60_000 });
    const first = await firstValueFrom(pollUrl(input, { clock: systemClock, rng }));
    return { requests, text: first.kind === 'failed' ? first.reason.replace(origin, 'ORIGIN') : first.value, first };
  }

  test('gives the parsed body, and is requested without own headers', async () => {
    const { text, requests } = await asked(() => ({ body: '{"score":0.5}' }));
    expect(text).toEqual({ score: 0.5 });
    expect(requests).toEqual([{ url: '/news?key=secret', headers: ['connection', 'host'] }]);
  });

  test.each([
    [{ status: 500 }, 'GET ORIGIN/news answered 500'],
    [{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'GET ORIGIN/news answered 302; redirects are not followed'],
    [{ body: 'hello' }, /^GET ORIGIN\/news: its answer cannot be read: Unexpected token/],
    [{ body: 'x'.repeat(2 ** 20 + 1) }, 'GET ORIGIN/news: the reply exceeds 1048576 bytes'],
  ])('with an invalid answer is a failure, reported without its query: %#', async (answer, reason) => {
    expect((await asked(() => answer)).text).toMatch(reason);
  });

  test('reports how long to wait', async () => {
    const { first } = await asked(() => ({ status: 429, headers: { 'retry-after': '7' } }));
    expect(first).toMatchObject({ kind: 'failed', error: { retryAfterMs: 7_000 } });
  });
});

test('a poll is fresh for three intervals', () => {
  expect(poll({ url: 'http://a/', everyMs: 1_000 }).maxAgeMs).toBe(3_000);
});

describe('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'watched-'));
  const path = join(folder, 'a.json');
  const write = (text: string, modified: number): void => {
    writeFileSync(`${path}.new`, text);
    utimesSync(`${path}.new`, modified / 1_000, modified / 1_000);
    renameSync(`${path}.new`, path);
  };
  const first = (parse?: (text: string) => unknown) =>
    firstValueFrom(watchFile(file({ path, ...(parse !== undefined && { parse }) }), { clock: systemClock, rng }));
  afterEach(() => rmSync(path, { recursive: true, force: true }));

  test('is read at the start and after each change, with the time at which it was written', async () => {
    const reader = new FileReader(path, (text) => JSON.parse(text) as unknown);
    write('{"side":1}', START);
    expect(await reader.read()).toEqual({ read: { value: { side: 1 }, modified: START } });
    expect(await reader.read()).toEqual({ read: undefined });
    write('{"side":2}', START + 5);
    expect(await reader.read()).toEqual({ read: { value: { side: 2 }, modified: START + 5 } });
    rmSync(path);
    await expect(reader.read()).rejects.toThrow(/a\.json cannot be read: no such file or directory/);
    write('{"side":2}', START + 5);
    expect(await reader.read()).toEqual({ read: { value: { side: 2 }, modified: START + 5 } }); // the same content after a failure
  });

  test('is passed through parse; its time is when it was written, or now if that is in the future', async () => {
    const yesterday = Date.now() - 86_400_000;
    write('a;b', yesterday);
    expect(await first((text) => text.split(';'))).toMatchObject({ kind: 'seen', value: ['a', 'b'], asked: yesterday });
    write('1', Date.now() + 3_600_000);
    expect(((await first()) as { asked: number }).asked).toBeLessThanOrEqual(Date.now());
  });

  test.each([
    ['half a value', () => write('{"half":', START), /a\.json cannot be read: .*JSON/],
    ['too large', () => write('x'.repeat(2 ** 20 + 1), START), 'it has 1048577 bytes; at most 1048576 are allowed'],
    ['a folder', () => mkdirSync(path), 'it is not a regular file'],
    ['missing', () => undefined, 'ENOENT'],
  ])('that is %s is a failure', async (_, make, reason) => {
    make();
    expect(await first()).toMatchObject({ kind: 'failed', reason: expect.stringMatching(reason) as string });
  });
});

const declared = (inputs: () => unknown) => () => inputsOf({ name: 's', inputs } as never, {});

describe('a declaration', () => {
  test.each([
    [{ 'a b': webhook() }, 'its name must be a letter'],
    [{ __proto: poll({ url: 'http://a', everyMs: 1_000 }) }, 'its name must be a letter'],
    [{ a: 1 }, 'it must be the result of poll(), file(), stream() or webhook()'],
    [{ a: file({ path: '' }) }, 'path must be the path of a file'],
    [{ a: file({ path: 'a.json', maxAgeMs: 0 }) }, 'maxAgeMs must be above 0'],
    [{ a: poll({ url: 'ftp://a/', everyMs: 1_000 }) }, 'its URL is not one of http or https'],
    [{ a: poll({ url: 'https://me:secret@a/', everyMs: 1_000 }) }, 'its URL has a user name or a password'],
    [{ a: poll({ url: 'https://a/', everyMs: 1 }) }, 'everyMs must be at least 100'],
    [{ a: webhook({ maxAgeMs: -1 }) }, 'maxAgeMs must be above 0'],
    [{ a: stream(1 as never) }, 'stream() takes a function'],
  ])('that cannot work is refused at the start: %#', (inputs, message) => {
    expect(declared(() => inputs)).toThrow(message);
  });
});

describe('recorded values', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inputs-'));
  const written = (text: string): string => {
    const file = join(folder, 'x.jsonl');
    writeFileSync(file, text);
    return file;
  };

  test('are lines with a time in either form', () => {
    const text = '{"at":"2026-01-02T03:04:05Z","value":1}\n\n{"at":1767323046000,"asked":"2026-01-02T03:04:05.5+00:00","value":null}\n';
    expect(readRecorded(written(text))).toEqual([
      { at: 1_767_323_045_000, asked: undefined, value: 1 },
      { at: 1_767_323_046_000, asked: 1_767_323_045_500, value: null },
    ]);
  });

  test.each([
    ['{"at":1,"value":1}\nnonsense', /x\.jsonl:2: not JSON/],
    ['{"at":2,"value":1}\n{"at":1,"value":1}', /x\.jsonl:2: the time .* is before that of the line above/],
    ['{"at":"yesterday","value":1}', /x\.jsonl:1: "yesterday" is not a time/],
    ['{"at":"2026-13-02T03:04:05Z","value":1}', /x\.jsonl:1: .* is not a time/],
    ['{"value":1}', /x\.jsonl:1: a line is an object with at and value/],
    ['[1]', /x\.jsonl:1: a line is an object with at and value/],
  ])('name file and line of an error: %#', (text, message) => {
    expect(() => readRecorded(written(text))).toThrow(message);
  });

  test('come at their times; the newest from before the start comes at once', () => {
    const clock = new VirtualClock(START);
    const seen: unknown[] = [];
    const values = [-2_000, -1_000, 500, 500, 4_000].map((after, value) => ({ at: START + after, value }));
    playRecorded(values, clock).subscribe((answer) =>
      seen.push(answer.kind === 'seen' ? [answer.value, answer.asked - START, answer.at - START] : answer),
    );
    clock.advanceTo(START + 1_000);
    expect(seen).toEqual([
      [1, -1_000, 0],
      [2, 500, 500],
      [3, 500, 500],
    ]);
  });
});

test('the file of an input keeps its newer half when it is full, in whole lines', () => {
  const disk = new SimDisk();
  const files = new LineFiles(disk, 100);
  for (let value = 10; value < 40; value++) files.add('input-x.jsonl', `{"at":${value}}`);
  const text = new TextDecoder().decode(disk.read('input-x.jsonl'));
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { at: number }).at);
  expect(text.length).toBeLessThanOrEqual(100);
  expect(lines).toEqual(Array.from({ length: lines.length }, (_, back) => 40 - lines.length + back));
  expect(lines.length).toBeGreaterThan(3);
});
