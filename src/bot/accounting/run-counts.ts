// How many orders of a run were placed, cancelled and rejected, and how often each guard objected, counted from turns and journal lines.
// The run's money and fills: `bot/world/position/accounting.ts`.
import { isNotSent } from '../domain/order.ts';
import type { OrderChange, Turn } from '../domain/turn.ts';
import type { JournalLine } from './lines.ts';

export interface OrderCounts {
  readonly placed: number;
  readonly cancelled: number;
  /** Without orders that were never sent, which do not count as placed either. */
  readonly rejected: number;
  /** By guard. */
  readonly findings: Readonly<Record<string, number>>;
}

export class RunCounts {
  readonly #findings: Record<string, number> = {};
  #placed = 0;
  #cancelled = 0;
  #rejected = 0;

  /** Counts of `guards` start at 0, so that a guard without findings is listed. */
  constructor(guards: readonly string[] = []) {
    for (const guard of guards) this.#findings[guard] = 0;
  }

  /** Continues from counts; call it before the first turn or line. */
  resume({ placed, cancelled, rejected, findings }: OrderCounts): void {
    [this.#placed, this.#cancelled, this.#rejected] = [placed, cancelled, rejected];
    Object.assign(this.#findings, findings);
  }

  add({ changes, findings }: Pick<Turn, 'changes' | 'findings'>): void {
    for (const change of changes) this.#countChange(change);
    for (const { guard } of findings) this.#finding(guard);
  }

  /** Adds a line that an earlier process wrote to its journal. */
  addLine(line: JournalLine): void {
    if (line.kind === 'order') this.#countChange(line);
    if (line.kind === 'finding') this.#finding(line.guard);
  }

  counts(): OrderCounts {
    return { placed: this.#placed, cancelled: this.#cancelled, rejected: this.#rejected, findings: { ...this.#findings } };
  }

  #finding(guard: string): void {
    this.#findings[guard] = (this.#findings[guard] ?? 0) + 1;
  }

  #countChange({ status, reason }: Pick<OrderChange, 'status' | 'reason'>): void {
    if (status === 'placed') this.#placed++;
    if (status === 'cancelled') this.#cancelled++;
    if (status !== 'rejected') return;
    if (isNotSent(reason)) this.#placed--;
    else this.#rejected++;
  }
}
