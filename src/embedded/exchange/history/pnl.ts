// The realised profit of one account, action by action.
import { type Micros, micros } from '../../../bot/domain/numbers.ts';
import type { PnlChange } from './statement.ts';

const KEPT = 1_000;

/** The newest thousand changes, or some more. The executions of one action are one change. */
export class PnlHistory {
  /** Oldest first. */
  #changes: PnlChange[] = [];

  add({ time, action, price, funding }: PnlChange): void {
    if (price === 0 && funding === 0) return;
    const newest = this.#changes.at(-1);
    if (newest?.action === action) {
      this.#changes[this.#changes.length - 1] = { time, action, price: sum(newest.price, price), funding: sum(newest.funding, funding) };
      return;
    }
    if (this.#changes.length === 2 * KEPT) this.#changes = this.#changes.slice(KEPT);
    this.#changes.push({ time, action, price, funding });
  }

  /** Newest first. */
  changes(): readonly PnlChange[] {
    return this.#changes.toReversed();
  }
}

const sum = (a: Micros, b: Micros): Micros => micros(a + b);
