// The names of the checks of a strategy, and the types of their options and results. A public entry shows these types, so nothing of Node is imported here.

/** In the order in which they run. */
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

/** `warn`: needs attention, but is not a failure. `skip`: the check was not applicable. */
export type CheckVerdict = 'pass' | 'fail' | 'warn' | 'skip';

/** The verdict of one check. */
export interface CheckResult {
  /** The name of a check; `orders` is about all of them. */
  readonly name: CheckName | 'orders';
  readonly verdict: CheckVerdict;
  /** The reason in one line. */
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
  /** Overrides of the default parameters. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Overrides of the default limits, as in a configuration. */
  readonly limits?: Readonly<Record<string, unknown>>;
  /** Values of the strategy's inputs, by name, used in every check. */
  readonly inputs?: Readonly<Record<string, readonly InputValue[]>>;
  /** The checks to run. Default: all. */
  readonly only?: readonly CheckName[];
  /** The same seed gives the same result. Default `check`. */
  readonly seed?: string;
}
