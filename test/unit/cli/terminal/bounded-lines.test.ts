// Lines for a reader that reads nothing for a while: beyond a bound they are dropped and counted, and the count is printed in their place.
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { Interrupts } from '../../../../src/program/commands/run/interrupts.ts';
import { watch } from '../../../../src/program/commands/run/watch.ts';
import { jsonPresenter } from '../../../../src/program/output/json.ts';
import { boundedLines } from '../../../../src/program/output/plain.ts';
import { Screen } from '../../../../src/program/terminal/screen.ts';
import { FakeHost } from '../fake-host.ts';
import { FakeRun, FINDING } from '../run/fake-run.ts';
import { FACTS, SUMMARY } from '../run/samples.ts';

/** A stream that takes its input only when `reads` is called. */
class Stopped extends Writable {
  readonly isTTY = true;
  readonly columns = 80;
  readonly rows = 24;
  text = '';
  #reading = false;
  #given: (() => void)[] = [];

  constructor() {
    super({ highWaterMark: 50 });
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    const take = (): void => {
      this.text += chunk.toString();
      done();
    };
    if (this.#reading) take();
    else this.#given.push(take);
  }

  /** Settles when everything that waits has been taken. */
  async read(): Promise<void> {
    this.#reading = true;
    for (const take of this.#given.splice(0)) take();
    await new Promise<void>((resolve) => this.write('', () => resolve()));
  }
}

const numbered = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, index) => `line ${from + index}`);

test('the waiting lines stay below the bound, and the number of dropped lines is printed in their place', async () => {
  const output = new Stopped();
  const lines = boundedLines(output, (count) => `${count} dropped`, 100);
  for (const line of numbered(100, 200)) lines.write(line);
  expect(output.writableLength).toBeLessThanOrEqual(100);
  await output.read();
  lines.write('later');
  const reported = output.text.trimEnd().split('\n');
  const kept = reported.length - 2;
  expect(reported).toEqual([...numbered(100, 100 + kept), `${100 - kept} dropped`, 'later']);
  expect(kept).toBeGreaterThan(5);
});

test('the last line is kept, after the number of dropped lines', async () => {
  const output = new Stopped();
  const lines = boundedLines(output, (count) => `${count} dropped`, 100);
  for (const line of numbered(100, 200)) lines.write(line);
  lines.last('the end');
  await output.read();
  expect(output.text).toMatch(/\n\d+ dropped\nthe end\n$/);
});

test('a run whose JSON nobody reads has bounded memory, one line with the count, and the summary', async () => {
  const host = new FakeHost();
  const stdout = new Stopped();
  Object.assign(host, { stdout });
  const run = new FakeRun();
  const over = watch(run.trading, {
    presenter: jsonPresenter(host, FACTS),
    clock: new VirtualClock(0),
    interrupts: new Interrupts(host),
    spanMs: undefined,
  });
  const count = 20_000;
  for (let line = 0; line < count; line++) run.line(FINDING);
  expect(stdout.writableLength).toBeLessThan(2 ** 20 + 10_000);
  run.end({ kind: 'settled' });
  await over;
  await stdout.read();
  const reported = stdout.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; lines?: number });
  expect(reported.slice(-2)).toMatchObject([{ kind: 'dropped', lines: count - reported.length + 2 }, SUMMARY]);
});

test('a terminal that reads nothing gets one picture, and the newest one when it reads again', async () => {
  const host = new FakeHost({ isTTY: true });
  const stdout = new Stopped();
  Object.assign(host, { stdout });
  const screen = new Screen(host);
  screen.enter();
  for (let frame = 0; frame < 1_000; frame++) screen.draw(`frame ${frame}`);
  expect(stdout.writableLength).toBeLessThan(100);
  await stdout.read();
  screen.draw('the newest');
  expect(stdout.text).toContain('the newest');
});
