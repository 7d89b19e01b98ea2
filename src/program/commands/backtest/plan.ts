// Converts the options of `bot backtest` to a plan.
import { UserError } from '../../../base/errors.ts';
import { suggestion } from '../../../base/text/phrases.ts';
import type { LoadedConfig } from '../../../bot/run/core/config.ts';
import { readRecorded } from '../../../bot/run/inputs/recorded.ts';
import type { Params } from '../../../bot/strategy/contract.ts';
import { type Inputs, inputsOf } from '../../../bot/strategy/inputs.ts';
import { marketsIn, marketsNamedIn } from '../../../bot/strategy/markets.ts';
import { resolveParams } from '../../../bot/strategy/params.ts';
import { parseLatency } from '../../../embedded/adapter/latency.ts';
import { DEFAULT_CANDLES } from '../../../embedded/exchange/recorded/candle-path.ts';
import type { QueueModel } from '../../../embedded/exchange/recorded/queue.ts';
import { DEFAULT_FUNDS } from '../../../embedded/exchange/state/listing.ts';
import { parseQueue } from '../../../embedded/paper/options.ts';
import { readPast } from '../../../embedded/recording/past-file.ts';
import type { Tape } from '../../../embedded/tape/reader.ts';
import type { Assumptions, BacktestOptions } from '../../../research/backtest/backtest.ts';
import { strategyOf } from '../../configuration.ts';
import { wrongValue } from '../../values.ts';
import type { BacktestCommandFlags } from './command.ts';

/** The options of a backtest whose tapes are known. */
export type BacktestFlags = Omit<BacktestCommandFlags, 'tape' | 'queue' | 'market' | 'for' | 'looks'> & {
  readonly tape: readonly string[];
  readonly queue?: string | undefined;
};

export type BacktestPlan = Omit<BacktestOptions, 'watch' | 'progress'> & { readonly assumptions: Assumptions };

/** Throws a UserError for invalid options. */
export async function planBacktest(flags: BacktestFlags, tapes: readonly Tape[]): Promise<BacktestPlan> {
  const { strategy, config } = await strategyOf(flags);
  const symbols = tapes.map(({ header }) => header.market.symbol);
  const { market, ...others }: Params = { ...strategy.defaults, ...(config.params as Params) };
  // `market` stays as it is if another parameter names the first tape's market: a strategy of two markets may have its tapes in any order.
  const keepsMarket = market === undefined || marketsIn(others).includes(symbols[0] ?? '');
  const configured = keepsMarket ? config.params : withTapesMarket(config, flags, symbols);
  const params = resolveParams(strategy, configured, (key) => config.placeOfParam(key));
  checkMarkets(params, { strategy: strategy.name, symbols });
  return {
    strategy,
    params,
    limits: config.limits,
    polling: config.polling,
    seed: flags.seed,
    tapes,
    inputs: recordedInputsOf(flags, inputsOf(strategy, params)),
    past: flags.past === undefined ? undefined : readPast(flags.past),
    assumptions: { latency: parseLatency(flags.latency), queue: queueOf(flags), phase: 0, candles: DEFAULT_CANDLES },
    window: { from: flags.from, to: flags.to },
    deposit: flags.deposit ?? DEFAULT_FUNDS,
    fees: flags.fees,
  };
}

/** Sets the market to that of the first tape, unless the user named one. A default configuration file does not count as named by the user. */
function withTapesMarket({ params }: LoadedConfig, { config, set = [] }: BacktestFlags, [first]: readonly string[]): Params {
  const named = set.some((text) => text.startsWith('params.market=')) || (config !== undefined && params['market'] !== undefined);
  return (named || first === undefined ? params : { ...params, market: first }) as Params;
}

function checkMarkets(params: Params, { strategy, symbols }: { strategy: string; symbols: readonly string[] }): void {
  const missing = marketsNamedIn(params, strategy).find((market) => !symbols.includes(market));
  if (missing === undefined) return;
  throw new UserError({
    code: 'market',
    message: `no tape of the market ${missing} was given; the tapes are of ${symbols.join(', ')}`,
    hint: 'add the tape of that market with --tape, or choose the market with --set params.market=…',
  });
}

/** Reads the files of `--input`. Throws a UserError for an input that the strategy does not declare, and for a file that is not a recording. */
export function recordedInputsOf(
  { input: typed = [] }: Pick<BacktestFlags, 'input'>,
  inputs: Inputs,
): NonNullable<BacktestOptions['inputs']> {
  const names = Object.keys(inputs);
  return Object.fromEntries(
    typed.map((text) => {
      const [, name = '', file = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
      if (file === '') throw wrongValue(`--input "${text}" has no "name=file"`, 'write for example --input news=news.jsonl');
      if (names.includes(name)) return [name, readRecorded(file)];
      throw wrongValue(`--input: the strategy has no input "${name}"`, names.length === 0 ? 'it declares none' : suggestion(name, names));
    }),
  );
}

/** Returns the names of inputs without recorded values. */
export const emptyInputs = ({ strategy, params, inputs = {} }: BacktestPlan): readonly string[] =>
  Object.keys(inputsOf(strategy, params)).filter((name) => !Object.hasOwn(inputs, name));

export const emptyInputWords = (name: string): string => `The input ${name} is empty: no --input ${name}=FILE was given.`;

/** Returns the queue model. The default is conservative for a single run, probabilistic for the expected run of a band. */
const queueOf = ({ band, queue = band ? 'probabilistic' : 'conservative' }: BacktestFlags): QueueModel => parseQueue(queue);
