// Returns the fault of a plan that strikes now, if any, and counts how often each kind struck.
import type { Millis } from '../../../base/clock.ts';
import { groupBy } from '../../../base/collections/lists.ts';
import { type Rng, rngFrom } from '../../../base/rng.ts';
import type { FaultKind, InjectedFault, Path, Plan } from './faults.ts';

export class FaultBox {
  readonly #now: () => Millis;
  readonly #seed: string;
  readonly #byKind: ReadonlyMap<FaultKind, readonly InjectedFault[]>;
  readonly #rngs = new Map<string, Rng>();
  readonly #onStruck: (fault: InjectedFault) => void;
  /** The whole plan. */
  readonly all: Plan;
  readonly struck = new Map<FaultKind, number>();

  /** `now` counts from the start of the run, as the plan does. */
  constructor({ plan, seed, now, onStruck }: { plan: Plan; seed: string; now: () => Millis; onStruck: (fault: InjectedFault) => void }) {
    this.#now = now;
    this.#seed = seed;
    this.#onStruck = onStruck;
    this.all = plan;
    this.#byKind = groupBy(plan, ({ kind }) => kind);
  }

  /** Returns the fault of this kind that strikes now, by its chance, and counts it. Considers only faults for which `suits` is true. */
  hit(kind: FaultKind, path?: Path, suits: (fault: InjectedFault) => boolean = () => true): InjectedFault | undefined {
    for (const fault of this.#byKind.get(kind) ?? []) {
      if (!this.#isOn(fault, path) || !suits(fault) || (fault.chance !== undefined && this.rng(fault).next() >= fault.chance)) continue;
      this.strike(fault);
      return fault;
    }
    return undefined;
  }

  /** The fault of this kind that is active now, whether it strikes or not. */
  on(kind: FaultKind, path?: Path): InjectedFault | undefined {
    return this.#byKind.get(kind)?.find((fault) => this.#isOn(fault, path));
  }

  /** All faults of this kind that are active now, at any endpoint. */
  allOn(kind: FaultKind): readonly InjectedFault[] {
    return this.of(kind).filter((fault) => this.#isNow(fault));
  }

  of(kind: FaultKind): readonly InjectedFault[] {
    return this.#byKind.get(kind) ?? [];
  }

  strike(fault: InjectedFault): void {
    this.struck.set(fault.kind, (this.struck.get(fault.kind) ?? 0) + 1);
    this.#onStruck(fault);
  }

  /** The random stream of the fault; nothing else draws from it. */
  rng(fault: InjectedFault): Rng {
    const stream = this.#rngs.get(fault.id) ?? rngFrom(`${this.#seed}/struck/${fault.id}`);
    this.#rngs.set(fault.id, stream);
    return stream;
  }

  #isOn(fault: InjectedFault, path: Path | undefined): boolean {
    const { path: where } = fault;
    return this.#isNow(fault) && (where === undefined || where === 'all' || where === path);
  }

  #isNow({ from, until }: InjectedFault): boolean {
    const now = this.#now();
    return now >= from && now < until;
  }
}
