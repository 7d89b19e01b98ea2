// The fingerprint of a run: SHA-256 of all its actions in their order, one line of JSON each. Runs with the same actions have the same fingerprint.

import { createHash } from 'node:crypto';
import type { Action } from '../../domain/action.ts';

/** Returns the part of an action that is sent. Which order a placement replaces is not. */
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

/** Lines are hashed in pieces of this many characters, because each call costs as much as hashing a few thousand characters. */
const PIECE = 16_384;

/** SHA-256 of text that is added line by line. */
export class Digest {
  readonly #hash = createHash('sha256');
  #lines = '';

  addLine(line: string): void {
    this.#lines += `${line}\n`;
    if (this.#lines.length < PIECE) return;
    this.#hash.update(this.#lines);
    this.#lines = '';
  }

  /** Returns the hash of all lines so far. */
  hex(): string {
    return this.#hash.copy().update(this.#lines).digest('hex');
  }
}
