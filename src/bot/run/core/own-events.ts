// The events that a run observes itself, beside those of the exchange: jumps of the clock, the allowance of its fleet, the health of its records.
import type { Clock, Millis } from '../../../base/clock.ts';
import { concat } from '../../../base/collections/lists.ts';
import type { ClockJumped, Command, HealthSeen, TimerFired } from '../../domain/event.ts';
import type { Allowance } from '../../world/commands.ts';
import type { World } from '../../world/world.ts';
import { gapWords, type RecordingGap } from '../state/turn-recorder.ts';

export interface OwnEventsOptions extends RecordHealthOptions {
  readonly world: World;
  /** What the worst case of the run may be worth; absent outside of a fleet with such a limit. */
  readonly allowance?: (() => Allowance) | undefined;
}

const NONE: readonly never[] = [];

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
    const jump = this.#clockWatch.check(latest);
    const allowance = this.#allowance();
    if (jump === undefined && allowance === undefined) return NONE;
    return [jump, allowance].filter((event) => event !== undefined);
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

/** If the newest event is older than this, the turn needs the current time. */
const LONGEST_WAIT: Millis = 1_000;

/**
 * Detects that the machine slept or the process was suspended, before a turn decides. A clock that is off by minutes is no danger to orders: they are
 * signed with the exchange's own time (`venues/hosted/session/engine-time.ts`).
 */
class ClockWatch {
  readonly #clock: Clock;
  #skipped: Millis;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#skipped = clock.skipped();
  }

  /**
   * Returns an event with the current time for a turn whose newest event came at `latest`, if the machine slept since the last call or the process
   * was suspended before the turn. Undefined otherwise.
   */
  check(latest: Millis): ClockJumped | TimerFired | undefined {
    const at = this.#clock.now();
    const skipped = this.#clock.skipped();
    const by = skipped - this.#skipped;
    this.#skipped = skipped;
    if (by > 0) return { kind: 'clockJumped', at, by };
    return at - latest > LONGEST_WAIT ? { kind: 'timerFired', at } : undefined;
  }
}

interface RecordHealthOptions {
  readonly clock: Clock;
  /** Why the journal cannot be written; undefined while it can. */
  readonly trouble?: (() => string | undefined) | undefined;
  /** The newest gap of the recording; undefined if it has none. */
  readonly recordingGap?: (() => RecordingGap | undefined) | undefined;
}

/** Reports when the journal or the recording of turns cannot be written, and when they are written again. */
class RecordHealth {
  readonly #options: RecordHealthOptions;
  #trouble: string | undefined;
  #gap: RecordingGap | undefined;

  constructor(options: RecordHealthOptions) {
    this.#options = options;
  }

  /** Returns the changes since the last call. A gap of the recording stops nothing. */
  changes(): readonly HealthSeen[] {
    return concat(this.#journal(), this.#recording());
  }

  #journal(): readonly HealthSeen[] {
    const trouble = this.#options.trouble?.();
    if ((trouble === undefined) === (this.#trouble === undefined)) return NONE;
    this.#trouble = trouble;
    const reason = trouble === undefined ? 'the journal is written again' : `the journal cannot be written: ${trouble}`;
    return [this.#seen('journal', { healthy: trouble === undefined, reason })];
  }

  #recording(): readonly HealthSeen[] {
    const gap = this.#options.recordingGap?.();
    if (gap === this.#gap || gap === undefined) return NONE;
    this.#gap = gap;
    return [this.#seen('recording', { healthy: gap.to !== undefined, reason: gapWords(gap) })];
  }

  #seen(stream: 'journal' | 'recording', state: Pick<HealthSeen, 'healthy' | 'reason'>): HealthSeen {
    return { kind: 'healthSeen', at: this.#options.clock.now(), stream, ...state };
  }
}
