// Invariant: `kill` and the watchdog say that no order is left only if none rests and none can come to rest; and they come to an end.
// Orders that were signed ahead of the exchange's time, because `/timestamp` was wrong, can come to rest until that time is reached. If one of them has no answer, no
// proof is possible before.
import type { MakeCheck } from '../environment/scene.ts';

export const operations: MakeCheck = ({ venue, fail }) => {
  const begun = new Set<string>();
  /** The command that said that no order is left. */
  let claimedBy: string | undefined;
  return {
    clearing(command) {
      begun.add(command);
    },
    cleared(command, kind) {
      begun.delete(command);
      if (kind === 'late' && venue.truth.signedAhead(venue.engineTime(), { isWithoutAnswer: true }) === 0)
        fail('V13', `${command} could not prove in time that no order is left`);
      if (kind !== 'empty') return;
      claimedBy = command;
      const left = venue.truth.open().length;
      if (left > 0) fail('V12', `${command} says that no order is left, and ${left} rest`);
    },
    answered(action, receipt) {
      if (claimedBy === undefined || action.kind !== 'placeOrder' || receipt.kind !== 'placeOrder') return;
      fail('V12', `${claimedBy} said that no order is left, and order ${action.clientOrderId} is executed`);
    },
    quiescent() {
      for (const command of begun) fail('V13', `${command} did not end`);
    },
  };
};
