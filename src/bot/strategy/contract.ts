// The strategy contract: a name, parameters with their defaults, and a function from a view to intents.
// `view/`: what a strategy sees, from `view/view.ts`. `intents/`: `intents.ts` makes quotes and targets from decimals, `exits.ts` stops and profits.
// `indicators/`: averages, bands and other indicators.
// `loading/` loads a strategy's file, `params.ts` its parameters; `decide.ts` calls it, `place.ts` finds the line of its error.
// `memory.ts`: what survives a restart. `schedule.ts`: in which turns it is called. `log.ts`: lines in the output of the run. `inputs.ts`: data of the
// author's own.
import type { Rng } from '../../base/rng.ts';
import type { Resolution } from '../domain/candle.ts';
import type { Intent } from '../domain/intent.ts';
import type { MarketKind } from '../domain/market.ts';
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
 * Called once a turn. Returns the desired state from now on: for each market at most one quote or target, and exits beside it. An order that no
 * intent contains any more is cancelled.
 */
export type Decide = (view: View) => readonly Intent[];

/** The tools of a strategy, besides the view. */
export interface Tools {
  /** The strategy's own random numbers, from the run's seed. */
  readonly rng: Rng;
  /** The strategy's own JSON value, which survives a restart. */
  readonly memory: Memory;
  /** Writes lines to the output of the run. */
  readonly log: Log;
}

/** A function of the parameters. Taken from a method, so that strategies with any parameters fit into one list. */
type OfParams<P, Value> = { of(params: P): Value }['of'];

/** The data that a strategy needs before it is first called. */
export interface History {
  /** Number of finished candles, by resolution. */
  readonly candles: Readonly<Partial<Record<Resolution, number>>>;
}

/** A strategy: its name, its parameters with their defaults, and a function that makes a decider for a run. */
export interface Strategy<P> extends StrategyBody<P> {
  /** Also the schema: a configuration may override these keys, with values of the same type, and no others. */
  readonly defaults: P;
}

/** A strategy without its defaults. */
export interface StrategyBody<P> {
  /** The name for `--strategy`, lines and reports. */
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
   * If set, the strategy is called only when a candle of this resolution has finished in any of its markets, and once at the start of a run that
   * already has one. In between, its last intents stay in force, and the guards keep checking them.
   */
  readonly every?: Resolution | OfParams<P, Resolution>;
  /** Custom inputs by name: the results of `poll`, `stream` and `webhook`. Each value becomes an event of the run. */
  inputs?(params: P): Readonly<Record<string, Input>>;
  /**
   * The kinds of markets that the strategy needs, by symbol: `{ [spotMarket]: 'spot', [perpMarket]: 'perp' }`. A run and a backtest are refused if one of
   * them is of the other kind. Markets that are absent may be of either kind.
   */
  kinds?(params: P): Readonly<Record<string, MarketKind>>;
  /** Called once per run. Throw a `UserError` if the parameters are inconsistent. */
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
