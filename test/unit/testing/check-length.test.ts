// What `bot check` says before it begins. That the command prints it: `unit/cli/research/check.test.ts`; that the checks then play so much: `check.test.ts`.
import { expect, test } from 'vitest';
import { lengthText } from '../../../src/research/testing/check/length.ts';

test('in plain words', () => {
  expect(lengthText({ checks: 10, backtests: 43, simulated: 4, seconds: 12.6 })).toBe(
    '10 checks: 43 backtests and 4 simulated runs, about 13 s of processor time',
  );
  expect(lengthText({ checks: 1, backtests: 0, simulated: 0, seconds: 0 })).toBe('1 check: no backtest, about 1 s of processor time');
});
