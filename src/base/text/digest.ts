// SHA-256 of text that is added line by line. Hashes larger pieces, because each call costs as much as hashing a few thousand characters.
// The fingerprint of a run: `bot/run/core/fingerprint.ts`.
import { createHash } from 'node:crypto';

const PIECE = 16_384;

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
