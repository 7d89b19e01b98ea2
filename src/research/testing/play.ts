// Plays a strategy on a scripted market or on the embedded exchange, on virtual time, with the engine, guards and execution of a live run.
import { SECOND, VirtualClock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { rngFrom } from '../../base/rng.ts';
import { durationIn } from '../../base/text/duration.ts';
import type { FillLine, FindingLine, Line, LogLine, OrderLine } from '../../bot/accounting/lines.ts';
import type { Summary } from '../../bot/accounting/summary.ts';
import { MICROS_PER_UNIT, micros } from '../../bot/domain/numbers.ts';
import { type LoadedConfig, loadConfig } from '../../bot/run/core/config.ts';
import type { Ending } from '../../bot/run/core/run.ts';
import { startTrading, type Trading } from '../../bot/run/core/trading.ts';
import type { RecordedInputs, RecordedValue } from '../../bot/run/inputs/recorded.ts';
import type { Params, Strategy } from '../../bot/strategy/contract.ts';
import { deciderOf } from '../../bot/strategy/decide.ts';
import { inputsOf } from '../../bot/strategy/inputs.ts';
import { marketsNamedIn } from '../../bot/strategy/markets.ts';
import { resolveParams } from '../../bot/strategy/params.ts';
import { embeddedVenue } from '../../embedded/adapter/venue.ts';
import { Exchange } from '../../embedded/exchange/exchange.ts';
import { DEFAULT_CANDLES } from '../../embedded/exchange/recorded/candle-path.ts';
import { DEFAULT_FUNDS, type ListedMarket, listedAs } from '../../embedded/exchange/state/listing.ts';
import { NO_STATE } from '../../embedded/recording/no-state.ts';
import type { Tape } from '../../embedded/tape/reader.ts';
import { embeddedPast } from '../../embedded/venue/open.ts';
import { type Assumptions, backtest } from '../backtest/backtest.ts';
import { recordedInputs } from '../backtest/recorded-inputs.ts';
import type { InputValue } from './check/result.ts';
import { type MarketScript, SCRIPT_START } from './market-script.ts';
import { ScriptedMarket } from './scripted-market.ts';

export interface PlayOptions {
  /** The script of each market. Default: the embedded exchange with its own traders. */
  readonly market?: MarketScript | readonly MarketScript[];
  /** Duration on the embedded exchange, such as `10m`; a script lasts until its last line. */
  readonly for?: string;
  /** Values of the strategy's inputs, by name; `after` is the time since the start, such as `5s`. */
  readonly inputs?: Readonly<Record<string, readonly InputValue[]>>;
  /** The same seed gives the same result. */
  readonly seed?: string;
  /** Overrides of the default parameters. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Overrides of the default limits, as in a configuration: `{ position: { maxNotional: 1000 } }`. */
  readonly limits?: Readonly<Record<string, unknown>>;
  /** Quote money in the account at the start. Default 100 000. */
  readonly deposit?: number;
}

/** The result of a run. Prices, sizes and money are decimal text, as in the JSON lines of a run. */
export interface Played {
  readonly summary: Summary;
  /** Every change of an order's state, in order of time. */
  readonly orders: readonly OrderLine[];
  readonly fills: readonly FillLine[];
  /** What guards refused or shrank, with the reason. */
  readonly findings: readonly FindingLine[];
  /** The log of the strategy. */
  readonly log: readonly LogLine[];
  /** The hash of all actions: equal for equal behaviour. */
  readonly fingerprint: string;
}

const DEFAULT_SPAN = '1m';
const WARM_UP_MS = 30_000;
const LATENCY = { draw: () => ({ there: 10, back: 10 }) };
const ASSUMPTIONS: Assumptions = {
  latency: { kind: 'constant', there: 10, back: 10 },
  queue: { kind: 'conservative' },
  phase: 0,
  candles: DEFAULT_CANDLES,
};

/** Plays to the end and cancels all orders. Throws a UserError for wrong options, and passes on errors of the strategy. */
export async function play<P extends Params>(strategy: Strategy<P>, options: PlayOptions = {}): Promise<Played> {
  const config = configOf(options);
  const given = strategy as unknown as Strategy<Params>;
  const params = resolveParams(given, options.params ?? {}, () => undefined);
  const plan: Plan = {
    strategy: given,
    params,
    config,
    seed: options.seed ?? 'play',
    deposit: options.deposit === undefined ? DEFAULT_FUNDS : micros(options.deposit * MICROS_PER_UNIT),
    inputs: Object.fromEntries(Object.entries(options.inputs ?? {}).map(([name, values]) => [name, values.map(recordedValue)])),
  };
  const lines: Line[] = [];
  const watch = (trading: Trading): void => void trading.lines.subscribe((line) => void lines.push(line));
  const summary =
    options.market === undefined ? await onEmbedded(plan, spanOf(options), watch) : await onScripts(plan, [options.market].flat(), watch);
  return {
    summary,
    orders: lines.filter((line) => line.kind === 'order'),
    fills: lines.filter((line) => line.kind === 'fill'),
    findings: lines.filter((line) => line.kind === 'finding'),
    log: lines.filter((line) => line.kind === 'log'),
    fingerprint: summary.fingerprint,
  };
}

interface Plan {
  readonly strategy: Strategy<Params>;
  readonly params: Params;
  readonly config: LoadedConfig;
  readonly seed: string;
  readonly deposit: ReturnType<typeof micros>;
  readonly inputs: RecordedInputs;
}

type Watch = (trading: Trading) => void;

async function onScripts(
  { strategy, params, config, seed, deposit, inputs }: Plan,
  scripts: readonly MarketScript[],
  watch: Watch,
): Promise<Summary> {
  const tapes = scripts.map(tapeOf);
  const { limits, polling } = config;
  const assumptions = ASSUMPTIONS;
  const { ending, summary } = await backtest({ strategy, params, limits, polling, seed, tapes, assumptions, deposit, inputs, watch });
  return unlessFailed(ending, summary);
}

function tapeOf(script: MarketScript): Tape {
  if (script instanceof ScriptedMarket) return script.tape();
  throw new UserError({ code: 'play', message: 'the market is not a script', hint: 'make one with marketScript()' });
}

async function onEmbedded(
  { strategy, params, config, seed, deposit, inputs: recorded }: Plan,
  span: number,
  watch: Watch,
): Promise<Summary> {
  const clock = new VirtualClock(SCRIPT_START);
  const markets = marketsNamedIn(params, strategy.name);
  const exchange = new Exchange({ seed, start: SCRIPT_START - WARM_UP_MS, markets: onlyListed(markets) });
  exchange.advanceTo(SCRIPT_START);
  const venue = embeddedVenue({
    exchange,
    clock,
    account: exchange.register('play', deposit),
    markets,
    polling: config.polling,
    phase: 0,
    latency: { seen: LATENCY, sent: LATENCY },
  });
  const decide = deciderOf(strategy, params, { rng: rngFrom(seed).fork('strategy'), markets: venue.feed.markets });
  const name = { run: 'play', strategy: strategy.name, exchange: 'embedded' };
  const inputs = recordedInputs(inputsOf(strategy, params), recorded, clock);
  const past = { ...venue, history: embeddedPast(exchange, { seed }) };
  const trading = startTrading({ clock, venue: past, state: NO_STATE, decide, limits: config.limits, params, seed, name, inputs });
  watch(trading);
  const seen = { end: false };
  trading.run.turns.subscribe({ complete: () => void (seen.end = true) });
  while (!seen.end && clock.now() < SCRIPT_START + span) clock.advanceTo(clock.now() + SECOND);
  trading.run.stop('the time is over');
  while (!seen.end) clock.advanceTo(clock.now() + SECOND);
  return unlessFailed(await trading.run.done, trading.summary());
}

/** Returns a listing of these markets only, which is faster; undefined if one is unknown, which the venue then reports. */
function onlyListed(symbols: readonly string[]): readonly ListedMarket[] | undefined {
  const listed = listedAs(symbols);
  return listed.length === symbols.length ? listed : undefined;
}

function unlessFailed(ending: Ending, summary: Summary): Summary {
  if (ending.kind === 'failed') throw ending.error;
  return summary;
}

/** Returns the configuration from the options and the defaults, with the checks of a configuration file. */
function configOf({ limits = {} }: PlayOptions): LoadedConfig {
  return loadConfig({ file: undefined, sets: Object.entries(limits).map(([guard, value]) => `limits.${guard}=${JSON.stringify(value)}`) });
}

function spanOf({ for: text = DEFAULT_SPAN }: PlayOptions): number {
  const span = durationIn(text);
  if (span !== undefined && span > 0) return span;
  throw noTime('for', text);
}

function recordedValue({ after, value }: InputValue): RecordedValue {
  const span = durationIn(after);
  if (span !== undefined) return { at: SCRIPT_START + span, value };
  throw noTime('after', after);
}

const noTime = (name: string, text: string): UserError =>
  new UserError({ code: 'play', message: `${name}: "${text}" is not a time`, hint: 'write for example 30s, 10m or 2h' });
