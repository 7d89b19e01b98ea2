// One revision number per input of the guards: a verdict on a resting order stays valid until one of the inputs that it was reached from has moved.
import type { Event } from '../domain/event.ts';

export const INPUTS = [
  /** Order books. */
  'book',
  /** Market trades told by the events of this turn. */
  'trades',
  'candles',
  /** Live info: index, mark, funding. */
  'info',
  /** Balances, margins and positions as the newest account has them. */
  'account',
  /** Our fills told by the events of this turn. */
  'fills',
  /** Our orders and those of others on the account: any change of any of them. */
  'orders',
  /** What may be held in a market at the worst. Moves with `orders` only where what can still fill has changed. */
  'exposure',
  /** Whether our fills explain the position. */
  'agreement',
  /** The mode and the stop. */
  'mode',
  /** Which streams are unsound. */
  'health',
  'session',
  /** Everything that can change by time alone: the time itself, ages, pauses, counts within a span of time. Moves with every turn. */
  'time',
] as const;
export type Input = (typeof INPUTS)[number];

/** A set of inputs, one bit an input. */
export type InputSet = number;

const RANKS = Object.fromEntries(INPUTS.map((input, rank) => [input, rank])) as Readonly<Record<Input, number>>;
const ALWAYS: InputSet = 1 << RANKS.time;

export function inputSet(inputs: readonly Input[]): InputSet {
  let set = 0;
  for (const input of inputs) set |= 1 << RANKS[input];
  return set;
}

/** The revision numbers at one moment, in the order of `INPUTS`. */
export type Snapshot = readonly number[];

export class Revisions {
  readonly #numbers: number[] = INPUTS.map(() => 0);

  moved(input: Input): void {
    this.#numbers[RANKS[input]]!++;
  }

  /** Moves the inputs that are an event as such. */
  seen({ kind }: Event): void {
    if (kind === 'sessionSeen') this.moved('session');
    if (kind === 'candlesSeen') this.moved('candles');
  }

  snapshot(): Snapshot {
    return this.#numbers.slice();
  }

  /** The inputs that have moved since a snapshot; `time` always has. */
  since(snapshot: Snapshot): InputSet {
    const numbers = this.#numbers;
    let set = ALWAYS;
    for (let rank = 0; rank < numbers.length; rank++) if (numbers[rank] !== snapshot[rank]) set |= 1 << rank;
    return set;
  }
}
