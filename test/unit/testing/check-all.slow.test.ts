// All ten checks on a sound strategy, and how much they play. The single checks: `check.test.ts`; on every shipped strategy: `check-shipped.slow.test.ts`.
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadConfig } from '../../../src/bot/run/core/config.ts';
import { resolveParams } from '../../../src/bot/strategy/params.ts';
import { TapePlayer } from '../../../src/research/backtest/tape-player.ts';
import { runChecks } from '../../../src/research/testing/check/check.ts';
import type { CheckLength } from '../../../src/research/testing/check/length.ts';
import crossover from '../../../strategies/crossover.ts';

test('a sound strategy passes all ten, which play as many backtests as they said', async () => {
  let length: CheckLength | undefined;
  const params = resolveParams(crossover, {}, () => undefined);
  const config = loadConfig({ file: undefined, sets: [] });
  const closed = vi.spyOn(TapePlayer.prototype, 'close'); // each backtest plays one tape
  onTestFinished(() => closed.mockRestore());
  const results = await runChecks({ strategy: crossover, params, config, seed: 'check', onPlan: (found) => void (length = found) });
  expect(results.filter(({ verdict }) => verdict === 'fail' || verdict === 'skip')).toEqual([]);
  expect(results).toHaveLength(10);
  expect(length).toMatchObject({ checks: 10, backtests: closed.mock.calls.length });
});
