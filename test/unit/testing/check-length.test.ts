// What `bot check` says before it begins is what the checks then play.
import { expect, test, vi } from 'vitest';
import { loadConfig } from '../../../src/bot/run/core/config.ts';
import { resolveParams } from '../../../src/bot/strategy/params.ts';
import * as played from '../../../src/research/backtest/backtest.ts';
import { runChecks } from '../../../src/research/testing/check/check.ts';
import { type CheckLength, lengthText } from '../../../src/research/testing/check/length.ts';
import type { CheckName } from '../../../src/research/testing/check/result.ts';
import crossover from '../../../strategies/crossover.ts';
import { runCommand } from '../cli/run-command.ts';

vi.mock('../../../src/research/backtest/backtest.ts', async (load) => {
  const module = await load<typeof played>();
  return { ...module, backtest: vi.fn(module.backtest) };
});

const QUICK: readonly CheckName[] = ['determinism', 'restart', 'warm-up', 'look-ahead', 'inputs', 'random-walk', 'cost'];

test('it says how many backtests it plays', async () => {
  let length: CheckLength | undefined;
  const params = resolveParams(crossover, {}, () => undefined);
  const config = loadConfig({ file: undefined, sets: [] });
  const before = vi.mocked(played.backtest).mock.calls.length;
  await runChecks({ strategy: crossover, params, config, seed: 'check', only: QUICK, onPlan: (found) => void (length = found) });
  expect(length).toMatchObject({ checks: 7, backtests: vi.mocked(played.backtest).mock.calls.length - before, simulated: 0 });
});

test('in plain words', () => {
  expect(lengthText({ checks: 10, backtests: 43, simulated: 4, seconds: 12.6 })).toBe(
    '10 checks: 43 backtests and 4 simulated runs, about 13 s of processor time',
  );
  expect(lengthText({ checks: 1, backtests: 0, simulated: 0, seconds: 0 })).toBe('1 check: no backtest, about 1 s of processor time');
});

test('before the first verdict, on standard error, also with --json', async () => {
  const { err, lines } = await runCommand(['check', 'lean-maker', '--only', 'inputs', '--only', 'simulation', '--json']);
  expect(err).toMatch(/^lean-maker: 2 checks: 3 simulated runs, about 2 s of processor time\n/);
  expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(['check', 'check', 'checks']);
});
