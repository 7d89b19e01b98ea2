// What an author writes: a name, parameters with their defaults, and a function from what is seen to what is wanted.
import type { Rng } from '../base/rng.ts';
import type { Intent } from '../domain/intent.ts';
import type { View } from './view.ts';

export type ParamValue = number | string | boolean;
export type Params = Readonly<Record<string, ParamValue>>;

/** The bounds of a number, both included, or the texts that are allowed. */
export type Range = readonly [min: number, max: number] | readonly string[];

type RangeOf<Value> = [Value] extends [number] ? readonly [min: number, max: number] : [Value] extends [string] ? readonly string[] : Range;

/** Called once a turn. Returns what is wanted from now on, at most one intent a market; what is no longer said is withdrawn. */
export type Decide = (view: View) => readonly Intent[];

/** The only things that a strategy is given besides the view. */
export interface Tools {
  /** Randomness of its own, from the run's seed. */
  readonly rng: Rng;
}

export interface Strategy<P> {
  readonly name: string;
  /** The schema too: a configuration may override each of these keys with a value of the same type, and knows no other. */
  readonly defaults: P;
  /** Where it is left out, a number whose default is above zero must be above zero, and one whose default is zero at least zero. */
  readonly ranges?: { readonly [Key in keyof P]?: RangeOf<P[Key]> };
  /** Called once a run. Throws a `UserError` where parameters do not fit together. */
  create(params: P, tools: Tools): Decide;
}

/** Gives `create` the types of `defaults`; returns the strategy as it is. */
export const defineStrategy = <P extends Params>(strategy: Strategy<P>): Strategy<P> => strategy;
