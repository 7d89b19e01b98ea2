// The sixty seconds around engine time in which signed bytes are accepted, and accepted only once.
import type { Millis } from '../../base/clock.ts';

/** Seconds that an action's timestamp may differ from engine time, either way. */
export const WINDOW_SECONDS = 60;

/** Engine time as clients receive and sign it: whole seconds. */
export const engineSeconds = (now: Millis): number => Math.floor(now / 1000);

/** Decides which signed bytes are accepted, and which were accepted before. All times in engine seconds. */
export interface ActionFilter {
  admits(timestamp: number, now: number): boolean;
  /** True the first time for given bytes, whose timestamp must be admitted. */
  isFirst(bytes: { signed: Uint8Array; timestamp: number; nonce: number; now: number }): boolean;
}

export class ActionWindow implements ActionFilter {
  /** The accepted bytes, by timestamp: an entry is dropped only when its timestamp alone would refuse the bytes, so no copy can come too late. */
  readonly #accepted = new Map<number, Set<string>>();

  admits(timestamp: number, now: number): boolean {
    return Math.abs(now - timestamp) <= WINDOW_SECONDS;
  }

  isFirst({ signed, timestamp, now }: Omit<Parameters<ActionFilter['isFirst']>[0], 'nonce'>): boolean {
    for (const second of this.#accepted.keys()) if (!this.admits(second, now)) this.#accepted.delete(second);
    const accepted = this.#accepted.get(timestamp) ?? new Set();
    this.#accepted.set(timestamp, accepted);
    const before = accepted.size;
    return accepted.add(Buffer.from(signed).toString('latin1')).size > before;
  }
}
