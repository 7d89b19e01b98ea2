// The exchange's time, as last reported, and since when an expiry has passed. If that time jumps back, the expiry has not passed any more.
import type { Millis } from '../../../base/clock.ts';
import { Ring } from '../../../base/collections/recent.ts';
import type { TimeSeen } from '../../domain/event.ts';
import type { Seen } from '../seen.ts';

const SAMPLES = 128;

export class StatedTime {
  readonly #samples = new Ring<Seen<number>>(SAMPLES);
  #newest: Seen<number> | undefined;

  get newest(): Seen<number> | undefined {
    return this.#newest;
  }

  seen({ engineSeconds, asked, at }: TimeSeen): void {
    this.#newest = { value: engineSeconds, asked, at };
    this.#samples.push(this.#newest);
  }

  /**
   * Returns when the exchange's time was first reported, in the last 128 reports, as later than `engineSeconds`; undefined if not yet, or if the time has
   * gone back since.
   */
  passedSince(engineSeconds: number): Millis | undefined {
    const samples = this.#samples.values();
    const before = samples.findLastIndex(({ value }) => value <= engineSeconds);
    return samples[before + 1]?.at;
  }
}
