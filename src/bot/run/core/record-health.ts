// Reports when the journal or the recording of turns cannot be written, and when they are written again.
import type { Clock } from '../../../base/clock.ts';
import type { HealthSeen } from '../../domain/event.ts';
import { gapWords, type RecordingGap } from '../state/turn-recorder.ts';

export interface RecordHealthOptions {
  readonly clock: Clock;
  /** Why the journal cannot be written; undefined while it can. */
  readonly trouble?: (() => string | undefined) | undefined;
  /** The newest gap of the recording; undefined if it has none. */
  readonly recordingGap?: (() => RecordingGap | undefined) | undefined;
}

export class RecordHealth {
  readonly #options: RecordHealthOptions;
  #trouble: string | undefined;
  #gap: RecordingGap | undefined;

  constructor(options: RecordHealthOptions) {
    this.#options = options;
  }

  /** Returns the changes since the last call. A gap of the recording stops nothing. */
  changes(): readonly HealthSeen[] {
    return [...this.#journal(), ...this.#recording()];
  }

  #journal(): readonly HealthSeen[] {
    const trouble = this.#options.trouble?.();
    if ((trouble === undefined) === (this.#trouble === undefined)) return [];
    this.#trouble = trouble;
    const reason = trouble === undefined ? 'the journal is written again' : `the journal cannot be written: ${trouble}`;
    return [this.#seen('journal', { healthy: trouble === undefined, reason })];
  }

  #recording(): readonly HealthSeen[] {
    const gap = this.#options.recordingGap?.();
    if (gap === this.#gap || gap === undefined) return [];
    this.#gap = gap;
    return [this.#seen('recording', { healthy: gap.to !== undefined, reason: gapWords(gap) })];
  }

  #seen(stream: 'journal' | 'recording', state: Pick<HealthSeen, 'healthy' | 'reason'>): HealthSeen {
    return { kind: 'healthSeen', at: this.#options.clock.now(), stream, ...state };
  }
}
