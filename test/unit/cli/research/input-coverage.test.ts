// Recorded values of an input against the time of the tape, in a backtest and in `bot check`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'input-coverage-'));
const at = (name: string): string => join(folder, name);
const run = (...words: readonly string[]) => runCommand(words);
const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);
const tape = at('candles.tape');
const strategy = at('mood.ts');

const STRATEGY = `import { defineStrategy, webhook } from 'tickwright';
export default defineStrategy({
  name: 'mood',
  defaults: { market: 'BTC' },
  inputs: () => ({ mood: webhook() }),
  create: ({ market }) => (view) => {
    const mood = view.input('mood')?.value;
    return typeof mood === 'number' ? [view.market(market).target({ position: mood, maxSlippageBps: 50 })] : [];
  },
});
`;

/** A file with a value at each of these hours after the start of the tape. */
function valuesAt(...hours: readonly number[]): string {
  writeFileSync(at('mood.jsonl'), hours.map((hour) => `${JSON.stringify({ at: START + hour * HOUR, value: 0.1 })}\n`).join(''));
  return `mood=${at('mood.jsonl')}`;
}

beforeAll(async () => {
  const rows = Array.from({ length: 24 }, (_, hour) =>
    [START + hour * HOUR, 60_000 + hour, 60_100 + hour, 59_900 + hour, 60_000 + hour, 24 + hour].join(','),
  );
  writeFileSync(at('candles.csv'), `time_ms,open,high,low,close,volume\n${rows.join('\n')}\n`);
  writeFileSync(strategy, STRATEGY);
  expect((await run('import', at('candles.csv'), '--from', 'candles', '--market', 'BTC', '--out', tape)).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the values of an input', () => {
  const TIME = '2024-01-01T00:00:00.000Z to 2024-01-02T00:00:00.000Z';
  test.each([
    [[2, 30], '1 of 2 values within the time of the tape.'],
    [
      [-9, -5],
      `0 of 2 values within the time of the tape, ${TIME}; the file is from 2023-12-31T15:00:00.000Z to 2023-12-31T19:00:00.000Z, so the strategy sees only the newest one from before it, all the time.`,
    ],
    [
      [30],
      `0 of 1 value within the time of the tape, ${TIME}; the file is from 2024-01-02T06:00:00.000Z to 2024-01-02T06:00:00.000Z, so the strategy sees none of them.`,
    ],
  ])('at the hours %s: a backtest says %s', async (hours, words) => {
    const backtest = ['backtest', '--strategy', strategy, '--tape', tape, '--input', valuesAt(...hours), '--report', at('report.html')];
    expect((await run(...backtest)).out).toContain(`note: The input mood: ${words}`);
    expect((await run(...backtest, '--json')).err).toContain(`The input mood: ${words}`);
  });

  test('outside of the tape are the reason that bot check names, and not the tape', async () => {
    const check = ['check', strategy, '--tape', tape, '--only', 'determinism', '--input'];
    const outside = await run(...check, valuesAt(30));
    expect(outside.err).toContain('The input mood: 0 of 1 value within the time of the tape');
    expect(outside.out).toContain('no value within the time of the tape for its input mood: give --input with values of that time');
    expect((await run(...check.slice(0, -1))).out).toContain('no values for its input mood: give --input mood=FILE');
    const inside = await run(...check, valuesAt(2));
    expect([inside.code, inside.out]).toEqual([0, expect.not.stringContaining('placed no order in any check')]);
  });
});
