// The events that a run observes itself, beside those of the exchange: jumps of the clock, the allowance of its fleet, the health of its records.
import type { Millis } from '../../../base/clock.ts';
import type { ClockJumped, Command, HealthSeen, TimerFired } from '../../domain/event.ts';
import type { Allowance } from '../../world/commands.ts';
import type { World } from '../../world/world.ts';
import { ClockWatch } from './clock-watch.ts';
import { RecordHealth, type RecordHealthOptions } from './record-health.ts';

export interface OwnEventsOptions extends RecordHealthOptions {
  readonly world: World;
  /** What the worst case of the run may be worth; absent outside of a fleet with such a limit. */
  readonly allowance?: (() => Allowance) | undefined;
}

export class OwnEvents {
  readonly #options: OwnEventsOptions;
  readonly #clockWatch: ClockWatch;
  readonly #recordHealth: RecordHealth;

  constructor(options: OwnEventsOptions) {
    this.#options = options;
    this.#clockWatch = new ClockWatch(options.clock);
    this.#recordHealth = new RecordHealth(options);
  }

  /** Returns what a turn whose newest event came at `latest` must know before it decides. */
  beforeTurn(latest: Millis): readonly (ClockJumped | TimerFired | Command)[] {
    return [this.#clockWatch.check(latest), this.#allowance()].filter((event) => event !== undefined);
  }

  afterTurn(): readonly HealthSeen[] {
    return this.#recordHealth.changes();
  }

  #allowance(): Command | undefined {
    const { clock, world, allowance } = this.#options;
    const allowed = allowance?.();
    if (allowed === undefined || allowed.notional === world.commands.allowance?.notional) return undefined;
    return { kind: 'command', at: clock.now(), command: 'allow', ...allowed };
  }
}
