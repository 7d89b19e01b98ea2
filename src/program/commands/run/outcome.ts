// The outcome of a run, from how it ended and who set its kill switch.
import { isStricter } from '../../../bot/domain/mode.ts';
import type { KillSwitchState } from '../../../bot/journal/kill-switch.ts';
import { type Ending, reasonOf } from '../../../bot/run/core/ending.ts';
import type { Ended } from '../../outcome.ts';

/** Who sets the kill switch because of a limit; anyone else is a person, or the watchdog. */
const LIMITERS: ReadonlySet<string> = new Set(['bot', 'fleet']);

/** `ending` is undefined if the run was stopped before it traded. */
export function outcomeOf(ending: Ending | undefined, { mode, cause }: KillSwitchState): Ended {
  if (ending?.kind === 'failed') return { outcome: 'failed', reason: reasonOf(ending.error) };
  if (ending?.kind === 'unsettled') return { outcome: 'failed', reason: `not every order is proved gone: ${ending.reason}` };
  if (!isStricter(mode, 'close-only')) return { outcome: 'done' };
  const reason = cause?.reason ?? `the kill switch is set to ${mode}`;
  return { outcome: LIMITERS.has(cause?.by ?? '') ? 'limit' : 'killed', reason };
}
