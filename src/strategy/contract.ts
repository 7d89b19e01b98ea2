// The strategy contract: a name, parameters with their defaults, and a function from a view to intents.
// `view.ts`, `market-view.ts`, `market-parts.ts`: what a strategy sees. `intents.ts`: quotes and targets from decimals, `exits.ts`: stops and profits. `indicators/`: averages
// and what is made of them.
// `loader.ts` and `shape.ts` load a strategy file, `params.ts` its parameters; `decide.ts` calls it, `place.ts` finds the line of its error.
// `memory.ts`: what survives a restart. `schedule.ts`: in which turns it is called. `log.ts`: lines in the output of the run. `inputs.ts`: data of the
// author's own.
import type { Rng } from '../base/rng.ts';
import type { Resolution } from '../domain/candle.ts';
import type { Intent } from '../domain/intent.ts';
import type { Input } from './inputs.ts';
import type { Log } from './log.ts';
import type { Memory } from './memory.ts';
import type { View } from './view/view.ts';

/** A text that is a duration, such as `15m`, makes the parameter a duration; `millisOf` reads it. A list has values of one type. */
export type ParamValue = number | string | boolean | readonly number[] | readonly string[];
export type Params = Readonly<Record<string, ParamValue>>;

/** The bounds of a number, both included, or the allowed texts; of a list, those of each value. */
export type Range = readonly [min: number, max: number] | readonly string[];

type RangeOf<Value> = [Value] extends [number | readonly number[]]
  ? readonly [min: number, max: number]
  : [Value] extends [string | readonly string[]]
    ? readonly string[]
    : Range;

/**
 * Called once a turn. Returns the desired state from now on: for each market at most one quote or target, and exits beside it. An order that no intent contains any more is
 * cancelled.
 */
export type Decide = (view: View) => readonly Intent[];

/** All that a strategy gets besides the view. */
export interface Tools {
  /** The strategy's own random numbers, from the run's seed. */
  readonly rng: Rng;
  /** JSON of the strategy's own that survives a restart. */
  readonly memory: Memory;
  /** Writes lines into the output of the run. */
  readonly log: Log;
}

/** A function of the parameters. Taken from a method, so that strategies with any parameters fit into one list. */
type OfParams<P, Value> = { of(params: P): Value }['of'];

/** What a strategy needs to have seen before it is first called. */
export interface History {
  /** How many finished candles, by resolution. */
  readonly candles: Readonly<Partial<Record<Resolution, number>>>;
}

/** A strategy: its name, its parameters with their defaults, and a function that makes a decider for a run. */
export interface Strategy<P> extends StrategyBody<P> {
  /** Also the schema: a configuration may override each of these keys with a value of the same type, and has no others. */
  readonly defaults: P;
}

/** All of a strategy but its defaults. */
export interface StrategyBody<P> {
  /** The name under which `--strategy`, lines and reports show it. */
  readonly name: string;
  /** If absent, a number whose default is above zero must be above zero, and one whose default is zero must be at least zero. */
  readonly ranges?: { readonly [Key in keyof P]?: RangeOf<P[Key]> };
  /**
   * The finished candles that every market of the run must have before the strategy is first called: `{ candles: { '1h': 200 } }`, at most 5000 of each
   * resolution. A run reads them from the exchange if that has them, and waits for those that are missing. A backtest takes them from the beginning of
   * its tapes.
   */
  readonly history?: History | OfParams<P, History>;
  /**
   * If set, the strategy is called only when a candle of this resolution has finished in any of its markets, and once at the start of a run that already
   * has one. What it returned stays in force in between, and the guards go on watching.
   */
  readonly every?: Resolution | OfParams<P, Resolution>;
  /** Data of the author's own, by name: the results of `poll`, `stream` and `webhook`. Each value becomes an event of the run. */
  inputs?(params: P): Readonly<Record<string, Input>>;
  /** Called once a run. Throws a `UserError` if the parameters do not fit together. */
  create(params: P, tools: Tools): Decide;
}

/**
 * The type of a parameter with this default: a number, a boolean or a text, and lists of them. A text that is a length of candles, such as `1h`, has the
 * type `Resolution`, so that `market.candles` and `every` take it.
 */
export type ParamOf<Default> = Default extends number
  ? number
  : Default extends boolean
    ? boolean
    : Default extends Resolution
      ? Resolution
      : Default extends string
        ? string
        : Default extends readonly number[]
          ? readonly number[]
          : readonly string[];

/** The parameters of a strategy with these defaults. */
export type ParamsOf<Defaults> = { readonly [Key in keyof Defaults]: ParamOf<Defaults[Key]> };

/** Gives `create` the types of `defaults`; returns the strategy unchanged. */
export function defineStrategy<const Defaults extends Params>(
  strategy: StrategyBody<ParamsOf<Defaults>> & { readonly defaults: Defaults },
): Strategy<ParamsOf<Defaults>> {
  return strategy as unknown as Strategy<ParamsOf<Defaults>>;
}
