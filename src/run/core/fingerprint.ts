// The fingerprint of a run: SHA-256 of all its actions in their order, one line of JSON each. Runs with the same actions have the same fingerprint.
import { Digest } from '../../base/text/digest.ts';
import type { Action } from '../../domain/action.ts';

export class Fingerprint {
  readonly #digest = new Digest();

  add(actions: readonly Action[]): void {
    for (const action of actions) this.#digest.addLine(JSON.stringify(action));
  }

  /** Returns the fingerprint of all actions so far, in hex. */
  hex(): string {
    return this.#digest.hex();
  }
}
