// Enforces the limits over all runs of a fleet: once a second, compares the sums with the limits; after a breach, makes the mode of all runs
// stricter. A run that fails on its own: `program/commands/fleet/member.ts`.
import { type Cancel, type Clock, every, type Millis, SECOND } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { timeText } from '../../base/text/duration.ts';
import { isStricter, type Mode } from '../../bot/domain/mode.ts';
import type { FleetFile } from './file.ts';
import type { FleetState } from './fleet-state.ts';
import { type Breach, type FleetLimit, FleetLimits, type FleetSums, type RunFigures } from './limits.ts';

/** Interval at which the state is saved; also saved at each breach. */
const SAVE_EVERY: Millis = 10_000;

/** The part of a run that the enforcer uses. */
export interface EnforcedRun {
  /** The name of the run. */
  readonly run: string;
  /** Undefined until account and prices are known. */
  figures(): RunFigures | undefined;
  /** The mode of the run's kill switch. */
  killSwitchMode(): Mode;
  /** Sets the run's kill switch. Throws if that fails. */
  raise(mode: Mode, reason: string): void;
}

export interface LimitEnforcerOptions {
  readonly file: Pick<FleetFile, 'name' | 'limits'>;
  readonly runs: readonly EnforcedRun[];
  readonly state: Pick<FleetState, 'kept' | 'keep'>;
  readonly clock: Clock;
  /** Called when a limit is breached. */
  readonly onBreach: (breach: Breach) => void;
  readonly warn: (text: string) => void;
}

export class LimitEnforcer {
  readonly #options: LimitEnforcerOptions;
  readonly #limits: FleetLimits;
  #cancel: Cancel = () => undefined;
  #savedAt: Millis = -Infinity;
  #warnedAt: Millis = -Infinity;
  /** The reason why all runs are in a stricter mode. */
  #reason: string;

  constructor(options: LimitEnforcerOptions) {
    const { file, runs, state } = options;
    this.#options = options;
    this.#limits = new FleetLimits(file.limits, { kept: state.kept, runs: runs.map(({ run }) => run) });
    const { acted } = state.kept;
    this.#reason = `a limit of the fleet ${file.name} has acted: ${acted.join(', ')}`;
    // A person has resumed all runs since a limit acted (every kill switch is less strict than the limits ask): the limits count from now on.
    if (acted.length > 0 && runs.every((run) => isStricter(this.#limits.mode, run.killSwitchMode()))) this.#limits.resumed();
  }

  get sums(): FleetSums {
    return this.#limits.sums;
  }

  /** The breached limits that are in force. */
  get acted(): readonly FleetLimit[] {
    return this.#limits.kept.acted;
  }

  /** Checks now, and then every second. */
  begin(): void {
    const { clock } = this.#options;
    this.#cancel = every(clock, SECOND, () => this.check());
    this.check();
  }

  check(): void {
    const { runs, clock, file, onBreach } = this.#options;
    const figures = new Map(
      runs.flatMap((run) => {
        const current = run.figures();
        return current === undefined ? [] : [[run.run, current] as const];
      }),
    );
    const breaches = this.#limits.check(figures, clock.now());
    for (const breach of breaches) {
      this.#reason = `${breach.limit} of the fleet ${file.name}: ${breach.reason}`;
      onBreach(breach);
    }
    this.#applyMode();
    if (breaches.length > 0 || clock.now() >= this.#savedAt + SAVE_EVERY) this.#save();
  }

  close(): void {
    this.#cancel();
    this.#save();
  }

  /** Applies the mode of the breached limits to all runs, including runs that start later and runs whose kill switch could not be set before. */
  #applyMode(): void {
    const { mode } = this.#limits;
    if (mode === 'active') return;
    for (const run of this.#options.runs) {
      try {
        if (isStricter(mode, run.killSwitchMode())) run.raise(mode, this.#reason);
      } catch (error) {
        this.#warn(`the kill switch of ${run.run} cannot be set: ${messageOf(error)}`);
      }
    }
  }

  #save(): void {
    const { state, clock } = this.#options;
    this.#savedAt = clock.now();
    try {
      state.keep(this.#limits.kept);
    } catch (error) {
      this.#warn(`the starting values of the fleet's limits cannot be written: ${messageOf(error)}`);
    }
  }

  #warn(text: string): void {
    const { clock, warn } = this.#options;
    if (clock.now() < this.#warnedAt + 60 * SECOND) return;
    this.#warnedAt = clock.now();
    warn(`${timeText(clock.now())} ${text}`);
  }
}
