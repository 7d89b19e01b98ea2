// Invariants of how a run, `kill` and the watchdog end. A closing run, also one whose strategy failed, ends when all its orders are proved gone or when its
// time is over, not before. When its time is over, it may leave an order without an answer only if it could not read what proves that order gone.
import type { Millis } from '../../../base/clock.ts';
import type { Disk } from '../../../base/files/disk.ts';
import type { OrderId } from '../../../bot/domain/ids.ts';
import type { World } from '../../../bot/world/world.ts';
import { outstandingIn } from '../../../venues/kind/account-canceller.ts';
import type { MakeCheck, Process } from '../environment/scene.ts';
import { ProofReads } from '../record/proof-reads.ts';

/** How long a closing run must try. Not imported from the run, so that a shorter time there is detected. */
const CLOSING: Millis = 90_000;

export const endings: MakeCheck = ({ venue, faults, tolerated, reached, fail }) => {
  /** By the clock of the process, which jumps if its wall clock is set. */
  const failedAt = new Map<number, Millis>();
  /** How long each process took that ended after a failure before the time for closing was over. */
  const ended = new Map<number, Millis>();
  /** When the closing of each process began, by its monotonic clock, which stands still while its machine sleeps and cannot be set. */
  const closing = new Map<number, Millis>();
  const reads = new Map<number, ProofReads>();
  return {
    turn({ events }, { number, life, trading }) {
      if (trading?.run.world.stopping === undefined) return;
      if (faults.allOn('lie').length > 0) reads.delete(number); // what is read during a lie is no proof
      if (!closing.has(number)) closing.set(number, life.monotonic());
      const read = reads.get(number) ?? new ProofReads();
      reads.set(number, read);
      read.add(events, deadAfterOf(trading.run.world));
    },
    strategyFailed(by) {
      if (!failedAt.has(by.number)) failedAt.set(by.number, by.life.clock.now());
      reached('strategy failed with an order in flight');
    },
    ended(by, { kind }) {
      const { number, life } = by;
      const tried = life.monotonic() - (closing.get(number) ?? life.monotonic());
      if (kind === 'unsettled' && tried < CLOSING) fail('V13', `the run ended unsettled ${tried} ms after it began to close`);
      if (kind === 'unsettled' && reads.get(number)?.isComplete === true && !tolerated.isUnexplained && !isPositionUnexplained(by))
        fail('V13', 'the run ended unsettled, and had read what proves its orders gone');
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

/** When the bytes of all orders without an answer have expired. */
const deadAfterOf = (world: World): number =>
  world.orders().reduce((latest, { status, deadAfter = 0 }) => (status === 'unknown' ? Math.max(latest, deadAfter) : latest), 0);

/** While the position is not explained, an order that may have changed it is not proved absent. */
function isPositionUnexplained({ trading }: Process): boolean {
  const world = trading?.run.world;
  return world !== undefined && [...world.marketIds].some((id) => world.unexplained(id) !== undefined);
}

/**
 * `kill` and the watchdog say that no order is left only if none rests and none can come to rest; and they come to an end. Orders that were signed ahead of the
 * exchange's time, because `/timestamp` was wrong, can come to rest until that time is reached. If one of them has no answer, no proof is possible before.
 * An order without an answer has no id by which it could be cancelled: while accounts lie about it and its count, nothing shows it.
 */
export const operations: MakeCheck = ({ venue, disk, tolerated, fail }) => {
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
      const open = venue.truth.open();
      const left = tolerated.areOrdersHidden ? withKnownIds(open, disk) : open;
      if (left.length > 0) fail('V12', `${command} says that no order is left, and ${left.length} rest`);
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

/** Returns the orders whose ids the journal has. */
function withKnownIds(open: readonly OrderId[], disk: Disk): readonly OrderId[] {
  const known = new Set(outstandingIn(disk).open?.map(({ orderId }) => orderId));
  return open.filter((orderId) => known.has(orderId));
}
