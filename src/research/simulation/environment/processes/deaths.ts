// When a process dies: at a time, at a call, before or after a signed body is sent, on its reply, and once more while it recovers.
import type { FaultBox } from '../../plan/fault-box.ts';
import type { FaultKind, InjectedFault } from '../../plan/faults.ts';
import type { PortCall } from './life.ts';

const ON_POST: readonly FaultKind[] = ['crashBeforePost', 'crashAfterPost', 'crashOnReply'];

export class Deaths {
  readonly #faults: FaultBox;
  readonly #now: () => number;
  readonly #until: number;
  readonly #counted = new Map<string, number>();
  readonly #spent = new Set<string>();
  /** Its amount is the call of the next life at which that process dies. */
  #inRecovery: InjectedFault | undefined;

  /** `now` counts from the start of the run; no process dies after `until`. */
  constructor(faults: FaultBox, { now, until }: { now: () => number; until: number }) {
    this.#faults = faults;
    this.#now = now;
    this.#until = until;
  }

  /** The fault that kills the process at this call; undefined if it lives. */
  at(call: PortCall, moment: 'before' | 'after'): InjectedFault | undefined {
    if (this.#now() >= this.#until) return undefined;
    const recovery = this.#inRecovery;
    if (recovery !== undefined && moment === 'before' && call.index === recovery.amount) {
      this.#inRecovery = undefined;
      return this.#spend({ ...recovery, id: `${recovery.id}/again` });
    }
    return this.#onPost(call, moment) ?? this.#onCall(moment);
  }

  /** Records a death. After some faults the next process dies during its recovery. */
  died(fault: InjectedFault): void {
    if (fault.kind === 'crashInRecovery' && !fault.id.endsWith('/again')) this.#inRecovery = fault;
  }

  #onCall(moment: 'before' | 'after'): InjectedFault | undefined {
    for (const fault of this.#faults.of('crashOnCall')) {
      if (!this.#isDue(fault)) continue;
      const after = (fault.amount ?? 1) % 2 === 1; // at calls with an odd number the process dies after the call, else before it
      const count = moment === 'before' ? this.#count(fault) : (this.#counted.get(fault.id) ?? 0);
      if (count === fault.amount && (moment === 'after') === after) return this.#spend(fault);
      if (count > (fault.amount ?? 1)) return this.#spend(fault);
    }
    return undefined;
  }

  #onPost({ name, request }: PortCall, moment: 'before' | 'after'): InjectedFault | undefined {
    if (request?.method !== 'POST') return undefined;
    for (const kind of ON_POST) {
      if (name !== (kind === 'crashOnReply' ? 'reply' : 'request') || moment !== (kind === 'crashAfterPost' ? 'after' : 'before')) continue;
      for (const fault of this.#faults.of(kind)) if (this.#isDue(fault) && this.#count(fault) === fault.amount) return this.#spend(fault);
    }
    return undefined;
  }

  #isDue({ id, from }: InjectedFault): boolean {
    return !this.#spent.has(id) && this.#now() >= from;
  }

  #count({ id }: InjectedFault): number {
    const count = (this.#counted.get(id) ?? 0) + 1;
    this.#counted.set(id, count);
    return count;
  }

  #spend(fault: InjectedFault): InjectedFault {
    this.#spent.add(fault.id);
    this.#faults.strike(fault);
    return fault;
  }
}
