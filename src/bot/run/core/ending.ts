// The ways in which a run ends. `run.ts` beside it stops one (`stop`): on a signal, `program/commands/run/interrupts.ts` calls it.

import type { Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { DiskError } from '../../../base/files/disk.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { FindingLine } from '../../accounting/lines.ts';
import type { OrderStatus } from '../../domain/order.ts';
import { StrategyError } from '../../strategy/decide.ts';
import { ACCEPTED_AFTER } from '../../world/orders/proof.ts';
import type { World } from '../../world/world.ts';

/** How long a stopping run waits for its orders to be proved gone: longer than the life of a signed action. */
export const CLOSING: Millis = 90_000;

/**
 * How long a stopping run waits after CLOSING if all its orders are gone, until our trades show how they ended. An order that is gone waits for its trades as
 * long as this while accounts show a position that our trades do not explain.
 */
export const ENDS_KNOWN_WITHIN: Millis = ACCEPTED_AFTER;

/**
 * The accounts that arrive within this time after all orders are gone count in the summary: a stopping run waits until a list of our trades, requested
 * later, has the fills that explain them, or shows that there are none.
 */
const LAST_ACCOUNTS: Millis = 5_000;

/** How long it waits for such a list, which an exchange may allow to read only every ten seconds. */
const LAST_FILLS: Millis = 30_000;

/** How long it waits for possible prices and fees of provisional fills. */
const LAST_CORRECTIONS: Millis = 5_000;

/** Interval of the lines that report what a stopping run waits for. */
const REPORT_EVERY: Millis = 5_000;

export type Ending =
  /** All our orders are proved gone. */
  | { readonly kind: 'settled' }
  /** A person ended it at once, or the exchange did not answer for too long; `reason` says which. */
  | { readonly kind: 'unsettled'; readonly reason: string }
  /** The strategy or the program threw an error, or the journal could not be written. `settled`: all our orders are proved gone. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly settled: boolean };

export const UNPROVED: Ending = { kind: 'unsettled', reason: 'the exchange did not prove every order gone in time' };

/** Decides when a stopping run is done. */
export class ClosingRun {
  #emptySince: Millis | undefined;

  /**
   * True once all orders are gone and a later account has arrived, for the summary, with the fills that explain it and the possible prices and fees of
   * provisional ones, if they are listed soon. A failed run waits for none of these. Call it after each turn.
   */
  isDone({ settled, account, binding, judgedFills, now }: World, { failed }: { failed: boolean }): boolean {
    this.#emptySince = settled ? (this.#emptySince ?? now) : undefined;
    if (this.#emptySince === undefined || failed) return settled;
    const awaitsFills = binding.awaitsFills(this.#emptySince + LAST_ACCOUNTS);
    const awaitsCorrections = judgedFills.provisional.length > 0 && now <= this.#emptySince + LAST_CORRECTIONS;
    if (awaitsCorrections) return false;
    return (account?.asked ?? 0) > this.#emptySince && (!awaitsFills || now > this.#emptySince + LAST_FILLS);
  }
}

/** Reports every five seconds what a stopping run waits for. */
export class ClosingLines {
  readonly #world: World;
  #due: Millis | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns the line that is due after a turn, if any. */
  line(): FindingLine | undefined {
    const { now, stopping } = this.#world;
    if (stopping === undefined) return undefined;
    this.#due ??= now + REPORT_EVERY;
    if (now < this.#due) return undefined;
    this.#due = now + REPORT_EVERY;
    return { kind: 'finding', at: timeText(now), guard: 'stop', verdict: 'hold', reason: `the stop waits for ${waitsFor(this.#world)}` };
  }
}

function waitsFor(world: World): string {
  const orders = world.orders();
  const count = (...statuses: readonly OrderStatus[]): number => orders.filter(({ status }) => statuses.includes(status)).length;
  const parts = [
    counted(count('open'), 'open'),
    counted(count('cancelling'), 'with a cancel whose effect is not proved'),
    counted(count('pending', 'unknown'), 'without an answer'),
  ].filter((part) => part !== undefined);
  if (parts.length > 0) return parts.join(', ');
  if (world.awaitsEnds) return 'trades that show how the orders that are gone have ended';
  if (!world.settled) return 'proof that the orders reported gone are gone';
  if (world.binding.awaitsFills(world.now)) return 'fills that are not listed yet';
  return world.judgedFills.provisional.length > 0 ? 'possible prices and fees of provisional fills' : 'a later read of the account';
}

const counted = (count: number, what: string): string | undefined =>
  count === 0 ? undefined : `${count} ${count === 1 ? 'order' : 'orders'} ${what}`;

/** Why a failed run stops, for a person. The message of a bug is left to the log. */
export function reasonOf(error: unknown): string {
  if (error instanceof DiskError) return `the state directory cannot be used: ${error.message}`;
  return error instanceof StrategyError || error instanceof UserError ? error.message : 'a bug in the program';
}
