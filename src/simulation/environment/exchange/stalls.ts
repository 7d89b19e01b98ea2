// Engine time that stands still, and what of it is lost when it goes on.
import type { Millis } from '../../../base/clock.ts';
import type { Scheduling } from './market-faults.ts';

interface StallsOptions extends Scheduling {
  readonly lose: (span: Millis) => void;
}

/** Where stalls overlap it stands until the last has ended, which says whether it catches up; what they share is lost once. */
export function scheduleStalls({ clock, faults, each, when, lose }: StallsOptions): void {
  let since: Millis | undefined;
  each('stall', ({ until, detail }) => {
    const began = (since ??= clock.now());
    when(until, () => {
      if (faults.on('stall') !== undefined) return;
      since = undefined;
      if (detail === 'behind') lose(clock.now() - began);
    });
  });
}
