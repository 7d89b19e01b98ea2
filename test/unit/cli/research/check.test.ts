// `bot check` as a person types it: its lines, its exit codes, and the command that repeats a verdict.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProgram } from '../../../../src/program/program.ts';
import { FakeHost } from '../fake-host.ts';
import { runCommand } from '../run-command.ts';

const run = (...words: readonly string[]) => runCommand(['check', ...words]);

describe('check', () => {
  test('prints a line for each check, with the command that repeats it', async () => {
    const { code, lines: out, err } = await run('lean-maker', '--only', 'restart', '--only', 'cost', '--set', 'params.leanBps=1');
    expect([code, out.length]).toEqual([0, 3]);
    expect(err).toMatch(/^lean-maker: 2 checks: \d+ backtests?, about \d+ s of processor time\n/);
    expect(out[0]).toMatch(
      /^pass {2}restart +created anew at 20 moments, .*; seed check, again: .* check lean-maker --set params\.leanBps=1 --only restart --seed check$/,
    );
    expect(out[2]).toMatch(/^lean-maker: 2 passed, 0 warned, 0 skipped, 0 failed in \d+ s$/);
  });

  test('writes JSON lines for scripts', async () => {
    const { code, lines: out, err } = await run('grid', '--only', 'determinism', '--seed', 'other', '--json');
    expect(code).toBe(0);
    expect(err).toMatch(/^grid: 1 check: 2 backtests, about \d+ s of processor time\n/);
    expect(out.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        kind: 'check',
        name: 'determinism',
        verdict: 'pass',
        reason: expect.any(String),
        seed: 'other',
        command: expect.stringContaining('check grid'),
      },
      { kind: 'checks', strategy: 'grid', seed: 'other', passed: 1, warned: 0, skipped: 0, failed: 0, seconds: expect.any(Number) },
    ]);
  });

  test('ends with 1 if a check fails', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'check-')), 'broken.mjs');
    writeFileSync(
      file,
      "export default { name: 'broken', defaults: { market: 'BTCUSDC' }, create: () => () => { throw new Error('no luck'); } };",
    );
    const { code, lines: out } = await run(file, '--only', 'determinism');
    expect([code, out[0]]).toEqual([
      1,
      expect.stringMatching(/^fail {2}determinism +strategy broken failed at .*broken\.mjs:1:\d+: no luck;/),
    ]);
  });

  test('plays tapes instead of the embedded exchange', async () => {
    const tape = join(mkdtempSync(join(tmpdir(), 'check-')), 'minute.tape');
    await runProgram(['record', '--markets', 'ETHUSDC', '--for', '60s', '--seed', 'check', '--out', tape], new FakeHost());
    const { code, lines: out } = await run('lean-maker', '--tape', tape, '--only', 'look-ahead');
    expect([code, out[0]]).toEqual([0, expect.stringContaining(`--tape ${tape} --only look-ahead`)]);
  });

  test.each([
    [['grid', '--only', 'luck'], 'there is no check "luck"'],
    [['gird'], 'did you mean "grid"?'],
    [['grid', '--set', 'params.market=DOGEUSDC'], 'the embedded exchange has no market "DOGEUSDC"'],
  ])('ends with 2 for wrong use: %j', async (words, message) => {
    const { code, err } = await run(...words);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
