// Engine time that stands still, and how much of it is lost when it continues.
import type { Millis } from '../../../../base/clock.ts';
import type { Scheduling } from './market-faults.ts';

interface StallsOptions extends Scheduling {
  readonly lose: (span: Millis) => void;
}

/** If stalls overlap, time stands until the last one has ended, which decides whether it catches up; the time that they share is lost once. */
export function scheduleStalls({ clock, faults, each, when, lose }: StallsOptions): void {
  let since: Millis | undefined;
  each('stall', ({ until, detail }) => {
    since ??= clock.now();
    const began = since;
    when(until, () => {
      if (faults.on('stall') !== undefined) return;
      since = undefined;
      if (detail === 'behind') lose(clock.now() - began);
    });
  });
}
