// The events of one simulated run: all of them hashed, and the newest kept for a person.
import type { Millis } from '../../base/clock.ts';
import { Digest } from '../../bot/run/core/fingerprint.ts';

const KEPT = 4_000;

interface Noted {
  readonly at: Millis;
  readonly text: string;
}

export class Trace {
  readonly #now: () => Millis;
  readonly #digest = new Digest();
  #noted: Noted[] = [];

  /** `now` counts from the start of the run. */
  constructor(now: () => Millis) {
    this.#now = now;
  }

  /** Adds an event to the hash only. */
  count(text: string): void {
    this.#digest.addLine(`${this.#now()} ${text}`);
  }

  /** Adds an event to the hash and to the timeline. */
  note(text: string): void {
    this.count(text);
    this.#noted.push({ at: this.#now(), text });
    if (this.#noted.length >= 2 * KEPT) this.#noted = this.#noted.slice(KEPT);
  }

  /** The newest `most` events whose text contains one of `words`; all events if none is given. */
  timeline(most: number, words: readonly string[] = []): readonly string[] {
    const chosen = words.length === 0 ? this.#noted : this.#noted.filter(({ text }) => words.some((word) => text.includes(word)));
    return chosen.slice(-most).map(({ at, text }) => `${elapsedText(at)} ${text}`);
  }

  hash(): string {
    return this.#digest.hex();
  }
}

/** `00:41:07.220` since the start. */
export function elapsedText(span: Millis): string {
  return new Date(span).toISOString().slice(11, 23);
}
