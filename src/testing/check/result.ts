// The checks of a strategy by name, and what each of them says.

/** In the order in which they are done. */
export const CHECK_NAMES = [
  'determinism',
  'restart',
  'warm-up',
  'look-ahead',
  'parameters',
  'inputs',
  'markets',
  'random-walk',
  'simulation',
  'cost',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** `warn`: a person should look at it, but it does not fail. `skip`: the check could not say anything. */
export type CheckVerdict = 'pass' | 'fail' | 'warn' | 'skip';

/** The verdict of one check. */
export interface CheckResult {
  /** The name of a check; `orders` is about all of them. */
  readonly name: CheckName | 'orders';
  readonly verdict: CheckVerdict;
  /** One line for a person. */
  readonly reason: string;
  readonly seed: string;
}

/** A value of an input. */
export interface InputValue {
  /** The time since the start, such as `5s`. */
  readonly after: string;
  readonly value: unknown;
}

export interface CheckOptions {
  /** Parameters other than the defaults. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Limits other than the defaults, as in a configuration. */
  readonly limits?: Readonly<Record<string, unknown>>;
  /** Values of the strategy's inputs, by name. Each check gives them to it. */
  readonly inputs?: Readonly<Record<string, readonly InputValue[]>>;
  /** The check to do; all by default. */
  readonly only?: readonly CheckName[];
  /** One seed, one result; `check` by default. */
  readonly seed?: string;
}
