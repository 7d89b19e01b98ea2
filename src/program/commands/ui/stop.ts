// The only control of the page: makes the mode of a run stricter by its kill switch; never less strict.
import type { Clock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { DiskError } from '../../../base/files/disk.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { COMMAND } from '../../../base/package.ts';
import { timeText } from '../../../bot/accounting/lines.ts';
import { KillSwitch } from '../../../bot/journal/kill-switch.ts';
import type { StopMode } from '../../monitoring/page/contract.ts';

/** Returns a function that sets the kill switch of a state directory, as `kill` does; a live run acts on it within a second. */
export function stopBy(directory: string, clock: Clock): (mode: StopMode) => void {
  return (mode) => {
    const cause = {
      reason: `a person pressed ${mode === 'kill' ? 'stop' : 'close only'} on the page`,
      at: timeText(clock.now()),
      by: 'page',
    };
    try {
      new KillSwitch(nodeDisk(directory)).raise(mode === 'kill' ? 'cancel-all' : 'close-only', cause);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      const message = `the kill switch cannot be set, because the state directory cannot be written: ${error.message}`;
      throw new UserError({ code: 'state', message, hint: `type: ${COMMAND} kill --state ${directory}` });
    }
  };
}
