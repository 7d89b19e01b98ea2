// One revision number per input of the guards. A verdict on a resting order stays valid until an input that the guard reads has changed.

export const INPUTS = [
  /** Order books. */
  'book',
  /** Market trades in the events of this turn. */
  'trades',
  'candles',
  /** Live info: index, mark, funding. */
  'info',
  /** Balances, margins and positions in the newest account. */
  'account',
  /** Our fills in the events of this turn. */
  'fills',
  /** Our orders and the orders of others on the account: changes with any change of any of them. */
  'orders',
  /** The worst-case position of a market. Changes with `orders` only if the size that can still fill has changed. */
  'exposure',
  /** Whether our fills explain the position. */
  'agreement',
  /** The mode, and whether the run is stopping. */
  'mode',
  /** The largest worth of its worst case that the fleet allows this run. */
  'allowance',
  /** Which streams are unhealthy. */
  'health',
  'session',
  /** Everything that can change by time alone: the time itself, ages, pauses, counts within a span of time. Changes with every turn. */
  'time',
] as const;
export type GuardInput = (typeof INPUTS)[number];

/** A set of inputs, one bit an input. */
export type InputSet = number;

const RANKS = Object.fromEntries(INPUTS.map((input, rank) => [input, rank])) as Readonly<Record<GuardInput, number>>;
const ALWAYS: InputSet = 1 << RANKS.time;

export function inputSet(inputs: readonly GuardInput[]): InputSet {
  let set = 0;
  for (const input of inputs) set |= 1 << RANKS[input];
  return set;
}

/** The revision numbers at one moment, in the order of `INPUTS`. */
export type Snapshot = readonly number[];

export class Revisions {
  readonly #numbers: number[] = INPUTS.map(() => 0);

  /** Counts a change of an input. */
  markChanged(input: GuardInput): void {
    this.#numbers[RANKS[input]]!++;
  }

  snapshot(): Snapshot {
    return this.#numbers.slice();
  }

  /** The inputs that have changed since a snapshot. `time` is always among them. */
  since(snapshot: Snapshot): InputSet {
    const numbers = this.#numbers;
    let set = ALWAYS;
    for (let rank = 0; rank < numbers.length; rank++) if (numbers[rank] !== snapshot[rank]) set |= 1 << rank;
    return set;
  }
}
