// The outcome of a run: from how it ended, and from who set its kill switch.
import { expect, test } from 'vitest';
import { DiskError } from '../../../../src/base/files/disk.ts';
import { UNPROVED } from '../../../../src/bot/run/core/ending.ts';
import { DAILY_LOSS, DRAWDOWN, LOSING_HOURS } from '../../../../src/bot/world/position/losses.ts';
import { outcomeOf } from '../../../../src/program/outcome.ts';

const SETTLED = { kind: 'settled' } as const;
const by = (who: string, mode: 'close-only' | 'cancel-all' = 'cancel-all') => ({ mode, cause: { reason: 'why', at: '', by: who } });

test.each([
  ['stopped by a person', SETTLED, { mode: 'active' }, { outcome: 'done' }],
  ['stopped before it traded', undefined, { mode: 'active' }, { outcome: 'done' }],
  ['with a limit that only closes', SETTLED, by('bot', 'close-only'), { outcome: 'limit', reason: 'why' }],
  ['with a person who lets it only close', SETTLED, by('kill', 'close-only'), { outcome: 'done' }],
  ['by its own limit', SETTLED, by('bot'), { outcome: 'limit', reason: 'why' }],
  ['by its daily loss', SETTLED, by(DAILY_LOSS), { outcome: 'limit', reason: 'why' }],
  ['by its drawdown', SETTLED, by(DRAWDOWN), { outcome: 'limit', reason: 'why' }],
  ['by hours that lose', SETTLED, by(LOSING_HOURS), { outcome: 'limit', reason: 'why' }],
  ['by a limit of its fleet', SETTLED, by('fleet'), { outcome: 'limit', reason: 'why' }],
  ['by bot kill', SETTLED, by('kill'), { outcome: 'killed', reason: 'why' }],
  ['by the watchdog', SETTLED, by('watchdog'), { outcome: 'killed', reason: 'why' }],
  ['by a file made by hand', SETTLED, { mode: 'cancel-all' }, { outcome: 'killed', reason: 'the kill switch is set to cancel-all' }],
  ['without proof', UNPROVED, by('kill'), { outcome: 'failed', reason: expect.stringContaining('not every order is proved gone') }],
] as const)('%s', (_, ending, killSwitch, outcome) => {
  expect(outcomeOf(ending, killSwitch)).toEqual(outcome);
});

const failed = (error: unknown) => outcomeOf({ kind: 'failed', error, settled: true }, { mode: 'active' }).reason;

test('by an error: its reason, but not the text of a bug', () => {
  expect(failed(new Error('undefined is not a function'))).toBe('a bug in the program');
  expect(failed(new DiskError('full', 'no space'))).toContain('the state directory cannot be used');
});
