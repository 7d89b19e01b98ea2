// Checks that signed bytes are accepted only once, and only within 60 seconds of engine time.
import type { Millis } from '../../../base/clock.ts';

/** Seconds that an action's timestamp may differ from engine time, either way. */
export const WINDOW_SECONDS = 60;

/** Engine time as clients receive and sign it: whole seconds. */
export const wholeSeconds = (now: Millis): number => Math.floor(now / 1000);

/** Checks the timestamp of signed bytes, and whether they are duplicates. All times in engine seconds. */
export interface ActionFilter {
  admits(timestamp: number, now: number): boolean;
  /** True if the bytes were not accepted before. Their timestamp must be admitted. */
  isFirst(bytes: { signed: Uint8Array; timestamp: number; nonce: number; now: number }): boolean;
}

export class ActionWindow implements ActionFilter {
  /** Accepted bytes by timestamp. An entry is dropped only when its timestamp is outside the window, so a duplicate is always refused. */
  readonly #accepted = new Map<number, Set<string>>();

  admits(timestamp: number, now: number): boolean {
    return Math.abs(now - timestamp) <= WINDOW_SECONDS;
  }

  isFirst({ signed, timestamp, now }: Omit<Parameters<ActionFilter['isFirst']>[0], 'nonce'>): boolean {
    for (const second of this.#accepted.keys()) if (!this.admits(second, now)) this.#accepted.delete(second);
    const accepted = this.#accepted.get(timestamp) ?? new Set();
    this.#accepted.set(timestamp, accepted);
    const key = Buffer.from(signed).toString('latin1');
    if (accepted.has(key)) return false;
    accepted.add(key);
    return true;
  }
}
