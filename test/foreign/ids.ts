// One sequence for all ids, so that no two kinds share a value and a mix-up is visible.

/** Above 2^53, where a double rounds integers. */
export const BIG_FIRST_ID = 9_100_000_000_000_000_001n;

export class Ids {
  #last: bigint;

  constructor(first: bigint) {
    this.#last = first - 1n;
  }

  readonly next = (): bigint => ++this.#last;

  /** Returns the last id to the sequence: a refused action consumes no id. */
  giveBack(): void {
    this.#last--;
  }
}
