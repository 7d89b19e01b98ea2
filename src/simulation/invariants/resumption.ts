// Invariant of runs with lies: soon after a lie has ended, orders rest again, without a person.
import type { Millis } from '../../base/clock.ts';
import { DEFAULT_ORDER_LIFE } from '../../domain/action.ts';
import type { Fault } from '../plan/faults.ts';
import { SIMULATION_START } from '../plan/options.ts';
import type { MakeCheck, Process, Scene } from './record/scene.ts';

/** The time within which trading resumes. */
export const RESUMES: Millis = 60_000;
/** How long after a start an order of an earlier process may be without an answer: its bytes live on, and then two accounts must lack it. */
const LIVES_ON: Millis = DEFAULT_ORDER_LIFE * 1_000 + 10_000;

export const resumption: MakeCheck = (scene) => {
  const { clock, faults, tolerated, fail } = scene;
  /** The process that traded last, and when it began to. */
  let last: { readonly by: Process; readonly since: Millis } | undefined;
  const check = (lie: Fault): void => {
    if (tolerated.isOver || scene.requestedMode() !== undefined || faults.of('stop').some(({ from }) => from < lie.until + RESUMES)) return;
    if (last === undefined || !scene.isAlive(last.by.number))
      fail('V27', `${RESUMES / 1_000} s after a lie (${lie.detail}) the bot does not trade`);
    else if (last.by.wanted > 0 && scene.venue.truth.open().length === 0 && !mayLock(last.by, scene.now() - last.since))
      fail('V27', `${RESUMES / 1_000} s after a lie (${lie.detail}) ${last.by.wanted} levels are wanted, and no order rests`);
  };
  for (const lie of faults.of('lie')) if (isLast(lie, scene)) clock.at(SIMULATION_START + lie.until + RESUMES, () => check(lie));
  return {
    trades(by) {
      last = { by, since: scene.now() };
    },
  };
};

/** True if an order of an earlier process has no answer, and its bytes may still be alive: it counts as open and as filled, and keeps its level. */
const mayLock = ({ trading }: Process, age: Millis): boolean =>
  age < LIVES_ON && trading?.run.world.orders().some(({ status }) => status === 'unknown') === true;

/** True if no other fault is active from the end of the lie on, for as long as trading takes to resume. */
const isLast = (lie: Fault, { faults }: Scene): boolean =>
  !faults.all.some(({ id, from, until }) => id !== lie.id && from < lie.until + RESUMES && Math.max(from, until) > lie.until);
