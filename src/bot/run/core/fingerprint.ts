// The fingerprint of a run: SHA-256 of all its actions in their order, one line of JSON each. Runs with the same actions have the same fingerprint.
import { Digest } from '../../../base/text/digest.ts';
import type { Action } from '../../domain/action.ts';

/** Which order a placement replaces is not sent. */
const sentPartOf = (action: Action): Action =>
  action.kind === 'place' && action.replaces !== undefined ? { ...action, replaces: undefined } : action;

export class Fingerprint {
  readonly #digest = new Digest();

  add(actions: readonly Action[]): void {
    for (const action of actions) this.#digest.addLine(JSON.stringify(sentPartOf(action)));
  }

  /** Returns the fingerprint of all actions so far, in hex. */
  hex(): string {
    return this.#digest.hex();
  }
}
