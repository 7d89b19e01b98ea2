// Texts for the progress and the result of cancelling all orders, and for the kill switch.
import type { Clock, Millis } from '../../base/clock.ts';
import { COMMAND } from '../../base/package.ts';
import { counted } from '../../base/text/phrases.ts';
import type { Mode } from '../../bot/domain/mode.ts';
import type { KillSwitchState } from '../../bot/journal/kill-switch.ts';
import type { CancelAllEnd, CancelProgress } from '../../venues/operate/cancel-all.ts';
import { safeText } from './table.ts';

export function progressWords({ resting, cancelled, mayArrive, failure }: CancelProgress): string {
  const done = `${counted(cancelled, 'order')} cancelled`;
  if (failure !== undefined) return safeText(`${done}; trying again: ${failure}`);
  if (resting > 0) return `${done}, ${counted(resting, 'order')} left`;
  if (mayArrive.count > 0)
    return `${done}, none left; waiting ${mayArrive.seconds} s: ${counted(mayArrive.count, 'action')} may still arrive`;
  return `${done}, none left, and nothing can arrive any more; reading the account once more`;
}

export function endWords(end: CancelAllEnd): string {
  const foreignWords = end.foreign === 0 ? '' : `, ${end.foreign} of them not placed by this run`;
  const done = `${counted(end.cancelled, 'order')} cancelled${foreignWords}`;
  if (end.kind === 'empty') return `proved: the account has no orders left; ${done}`;
  if (end.kind === 'superseded') return `another process takes care of the orders now; ${done}`;
  const left = end.resting > 0 ? `${counted(end.resting, 'order')} may still be open` : 'an order may still arrive';
  return `not proved in time that no order is left: ${done}; ${left}${end.failure === undefined ? '' : safeText(`; last error: ${end.failure}`)}`;
}

/** Progress that has changed only in its countdown is printed again after this time. */
const AGAIN: Millis = 10_000;

/** Returns a function that prints progress when more than its countdown has changed, and every 10 s otherwise. */
export function progressPrinter(clock: Clock, say: (text: string, progress: CancelProgress) => void): (progress: CancelProgress) => void {
  let [printed, printedAt] = ['', 0];
  return (progress) => {
    const key = progressWords({ ...progress, mayArrive: { ...progress.mayArrive, seconds: 0 } });
    if (key === printed && clock.now() < printedAt + AGAIN) return;
    [printed, printedAt] = [key, clock.now()];
    say(progressWords(progress), progress);
  };
}

/** What a run does in each mode. */
const MODE_WORDS: Readonly<Record<Mode, string>> = {
  active: 'the run trades',
  'close-only': 'the run only reduces positions',
  'cancel-all': 'the run cancels its open orders and places none',
  flatten: 'the run cancels its open orders and closes its positions',
  halted: 'the run sends nothing at all',
};

/** Printed when a run starts or ends while its kill switch is set; `flag` names the run on a command line, if it can be continued. */
export function killSwitchWarning(state: KillSwitchState, { run, flag }: { run: string; flag: string | undefined }): string {
  const does = MODE_WORDS[state.mode];
  const remedy =
    flag === undefined ? 'it cannot be continued: start another one' : `when the cause is gone, type: ${COMMAND} resume ${flag}`;
  return `${run}: the kill switch is at ${killSwitchWords(state)}\n  ${does}; ${remedy}`;
}

/** Returns for example `cancel-all since 2026-01-02T03:04:05.000Z, by kill: typed by a person` */
export function killSwitchWords({ mode, cause }: KillSwitchState): string {
  if (cause === undefined) return `${mode}, with no reason recorded`;
  return safeText(`${mode} since ${cause.at}, by ${cause.by}: ${cause.reason}`);
}
