// One sequence for all ids, so that mistaking one kind for another shows.

/** Above 2^53, where a double would round them. */
export const BIG_FIRST_ID = 9_100_000_000_000_000_001n;

export class Ids {
  #last: bigint;

  constructor(first: bigint) {
    this.#last = first - 1n;
  }

  readonly next = (): bigint => ++this.#last;

  /** A refused action consumes no id: the next one gets it. */
  giveBack(): void {
    this.#last--;
  }
}
