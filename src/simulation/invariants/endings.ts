// Invariant: a run that closes, also because its strategy failed, ends when all its orders are proved gone, or when its time is over, not before.
import type { Millis } from '../../base/clock.ts';
import type { MakeCheck } from './record/scene.ts';

/** How long a run that closes has to try. Not that of the run, so that a shorter one is seen. */
const CLOSING: Millis = 90_000;

export const endings: MakeCheck = ({ venue, tolerated, reached, fail }) => {
  /** By the clock of the process, which jumps if its wall clock is set. */
  const failedAt = new Map<number, Millis>();
  /** How long each process took that ended after a failure before the time for closing was over. */
  const ended = new Map<number, Millis>();
  /** When the closing of each process began, by its monotonic clock, which stands still while its machine sleeps and cannot be set. */
  const closing = new Map<number, Millis>();
  return {
    turn(_, { number, life, trading }) {
      if (trading?.run.world.stopping !== undefined && !closing.has(number)) closing.set(number, life.monotonic());
    },
    strategyFailed(by) {
      if (!failedAt.has(by.number)) failedAt.set(by.number, by.life.clock.now());
      reached('strategy failed with an order in flight');
    },
    ended({ number, life }, { kind }) {
      const tried = life.monotonic() - (closing.get(number) ?? life.monotonic());
      if (kind === 'unsettled' && tried < CLOSING) fail('V13', `the run ended unsettled ${tried} ms after it began to close`);
      const since = failedAt.get(number);
      const span = life.clock.now() - (since ?? 0);
      if (since === undefined || span >= CLOSING) return;
      ended.set(number, span);
      const left = venue.truth.open().length;
      if (left > 0) fail('V25', `the run ended ${span} ms after its strategy failed, and ${left} of its orders rest`);
    },
    answered(action, receipt, copy) {
      if (action.kind !== 'placeOrder' || receipt.kind !== 'placeOrder' || receipt.posted === undefined || copy > 1) return;
      const signedAction = venue.truth.placements(action.clientOrderId ?? '').find(({ executions }) => executions.length > 0);
      const span = signedAction && ended.get(signedAction.process);
      if (signedAction !== undefined && span !== undefined && tolerated.forExecution(signedAction) === undefined)
        fail('V25', `order ${action.clientOrderId} was in flight when its run ended ${span} ms after the strategy failed, and rests now`);
    },
  };
};
