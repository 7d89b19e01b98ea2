// Invariant of runs with lies: soon after a lie has ended, orders rest again, without a person.
import type { Millis } from '../../base/clock.ts';
import type { Fault } from '../plan/faults.ts';
import { SIMULATION_START } from '../plan/options.ts';
import type { MakeCheck, Scene } from './record/scene.ts';

/** The time within which trading resumes. */
export const RESUMES: Millis = 60_000;

export const resumption: MakeCheck = (scene) => {
  const { clock, faults, tolerated, fail } = scene;
  /** The process that traded last, and how many levels its strategy wanted. */
  let wanted: { readonly process: number; readonly levels: () => number } | undefined;
  const check = (lie: Fault): void => {
    if (tolerated.isOver || scene.requestedMode() !== undefined || faults.of('stop').some(({ from }) => from < lie.until + RESUMES)) return;
    if (wanted === undefined || !scene.isAlive(wanted.process))
      fail('V27', `${RESUMES / 1_000} s after a lie (${lie.detail}) the bot does not trade`);
    else if (wanted.levels() > 0 && scene.venue.truth.open().length === 0)
      fail('V27', `${RESUMES / 1_000} s after a lie (${lie.detail}) ${wanted.levels()} levels are wanted, and no order rests`);
  };
  for (const lie of faults.of('lie')) if (isLast(lie, scene)) clock.at(SIMULATION_START + lie.until + RESUMES, () => check(lie));
  return {
    trades(by) {
      wanted = { process: by.number, levels: () => by.wanted };
    },
  };
};

/** True if no other fault is active from the end of the lie on, for as long as trading takes to resume. */
const isLast = (lie: Fault, { faults }: Scene): boolean =>
  !faults.all.some(({ id, from, until }) => id !== lie.id && from < lie.until + RESUMES && Math.max(from, until) > lie.until);
