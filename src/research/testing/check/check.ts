// Runs all checks of a strategy; each gives one verdict.
//   checks/                  one file per check
//   tapes/                   tapes for the checks: recordings of the embedded exchange, scripted scenarios, candles
//   length.ts                what the checks will play, and about how long that takes
//   subject.ts               the subject of the checks, and a play of it
//   result.ts                the result of a check, as callers get it
//   verdict.ts               what a check itself returns
//   shadows.ts               new instances during a play, and the comparison of their intents
//   order-counter.ts         order storms
import { UserError } from '../../../base/errors.ts';
import { suggestion } from '../../../base/text/phrases.ts';
import type { LoadedConfig } from '../../../bot/run/core/config.ts';
import type { Params, Strategy } from '../../../bot/strategy/contract.ts';
import { inputsOf } from '../../../bot/strategy/inputs.ts';
import { marketsNamedIn } from '../../../bot/strategy/markets.ts';
import { DEFAULT_FUNDS, LISTED_MARKETS } from '../../../embedded/exchange/state/listing.ts';
import type { Tape } from '../../../embedded/tape/reader.ts';
import { cost, costPlayCounts } from './checks/cost.ts';
import { inputs, inputsPlayCounts } from './checks/inputs.ts';
import { markets, marketsPlayCounts } from './checks/markets.ts';
import { parameters, parametersPlayCounts } from './checks/parameters.ts';
import { lookAhead, lookAheadPlayCounts, randomWalk, randomWalkPlayCounts } from './checks/random-walk.ts';
import { determinism, determinismPlayCounts, restart, restartPlayCounts, warmUp, warmUpPlayCounts } from './checks/restart.ts';
import { simulation, simulationPlayCounts } from './checks/simulation.ts';
import { type CheckLength, lengthOf } from './length.ts';
import { CHECK_NAMES, type CheckName, type CheckResult } from './result.ts';
import type { Subject, TimedInputs } from './subject.ts';
import { candlesFor, candleTape } from './tapes/candle-tapes.ts';
import { embeddedTapes } from './tapes/embedded-tapes.ts';
import { type CheckFinding, fail, type PlayCounts, type StrategyCheck, thrownText } from './verdict.ts';

const CHECKS: Readonly<Record<CheckName, StrategyCheck>> = {
  determinism,
  restart,
  'warm-up': warmUp,
  'look-ahead': lookAhead,
  parameters,
  inputs,
  markets,
  'random-walk': randomWalk,
  simulation,
  cost,
};

const PLAY_COUNTS: Readonly<Record<CheckName, PlayCounts | ((subject: Subject) => PlayCounts)>> = {
  determinism: determinismPlayCounts,
  restart: restartPlayCounts,
  'warm-up': warmUpPlayCounts,
  'look-ahead': lookAheadPlayCounts,
  parameters: parametersPlayCounts,
  inputs: inputsPlayCounts,
  markets: marketsPlayCounts,
  'random-walk': randomWalkPlayCounts,
  simulation: simulationPlayCounts,
  cost: costPlayCounts,
};

export interface Checking {
  readonly strategy: Strategy<Params>;
  /** Resolved parameters. */
  readonly params: Params;
  readonly config: Pick<LoadedConfig, 'limits' | 'polling'>;
  readonly seed: string;
  /** Values of the strategy's inputs. */
  readonly inputs?: TimedInputs | undefined;
  /** The inputs without a value in the time of the tapes, although the caller gave values. */
  readonly unplayedInputs?: readonly string[] | undefined;
  /** One tape for each market of the strategy. Default: a recording of the embedded exchange. */
  readonly tapes?: readonly Tape[] | undefined;
  readonly only?: readonly CheckName[] | undefined;
  /** Called once before the first check. */
  readonly onPlan?: ((length: CheckLength) => void) | undefined;
  /** Called before each check. */
  readonly onStart?: ((name: CheckName, share: number) => void) | undefined;
  /** Called with each verdict. */
  readonly onResult?: ((result: CheckResult) => void) | undefined;
}

/** Length of the default recording. */
const RECORDED = 300_000;

export async function runChecks({
  strategy,
  params,
  config,
  seed,
  inputs = {},
  unplayedInputs = [],
  tapes,
  only,
  onPlan,
  onStart,
  onResult,
}: Checking): Promise<readonly CheckResult[]> {
  const names = namesOf(only);
  const { limits, polling } = config;
  const subject: Subject = {
    strategy,
    params,
    limits,
    polling,
    deposit: DEFAULT_FUNDS,
    seed,
    inputs,
    tapes: tapes ?? makeTapes(strategy, params, seed),
  };
  const plays = names.map((name) => {
    const found = PLAY_COUNTS[name];
    return typeof found === 'function' ? found(subject) : found;
  });
  onPlan?.(lengthOf(plays, subject));
  const results: CheckResult[] = [];
  const add = (result: CheckResult): void => {
    results.push(result);
    onResult?.(result);
  };
  let placed: number | undefined;
  for (const [index, name] of names.entries()) {
    onStart?.(name, index / names.length);
    const found = await runCheck(CHECKS[name], subject);
    if (found.placed !== undefined) placed = (placed ?? 0) + found.placed;
    add({ name, verdict: found.verdict, reason: found.reason, seed });
  }
  if (placed === 0) add({ name: 'orders', verdict: 'fail', seed, reason: nothingPlaced(unplayedInputs, silentInputs(subject)) });
  return results;
}

/** The declared inputs without values. */
const silentInputs = ({ strategy, params, inputs }: Subject): readonly string[] =>
  Object.keys(inputsOf(strategy, params)).filter((name) => (inputs[name] ?? []).length === 0);

/** Names the most likely cause: inputs without values, otherwise a tape on which the strategy does not trade. */
function nothingPlaced(unplayedInputs: readonly string[], silent: readonly string[]): string {
  const found = 'it placed no order in any check, so most of them say nothing';
  if (unplayedInputs.length > 0)
    return `${found}; no value within the time of the tape for its ${inputsText(unplayedInputs)}: give --input with values of that time`;
  if (silent.length > 0) return `${found}; no values for its ${inputsText(silent)}: give --input ${silent[0]}=FILE`;
  return `${found}; choose a tape or parameters with which it trades`;
}

const inputsText = (names: readonly string[]): string => `${names.length === 1 ? 'input' : 'inputs'} ${names.join(', ')}`;

async function runCheck(checkIt: StrategyCheck, subject: Subject): Promise<CheckFinding> {
  try {
    return await checkIt(subject);
  } catch (thrown) {
    const text = thrownText(thrown);
    if (text === undefined) throw thrown;
    return fail(text);
  }
}

function namesOf(only: readonly CheckName[] | undefined): readonly CheckName[] {
  const wrong = only?.find((name) => !CHECK_NAMES.includes(name));
  if (wrong === undefined) return only ?? CHECK_NAMES;
  throw new UserError({
    code: 'check',
    message: `there is no check "${wrong}"`,
    hint: suggestion(wrong, CHECK_NAMES),
  });
}

/** Makes a recording of the embedded exchange, or tapes of candles for a strategy that uses candles. */
function makeTapes(strategy: Strategy<Params>, params: Params, seed: string): readonly Tape[] {
  const named = marketsNamedIn(params, strategy.name);
  const listed = LISTED_MARKETS.map(({ spec }) => spec.symbol);
  const strange = named.find((symbol) => !listed.includes(symbol));
  if (strange !== undefined)
    throw new UserError({
      code: 'market',
      message: `the embedded exchange has no market "${strange}"`,
      hint: `give a tape of it, or choose one of ${listed.join(', ')}`,
    });
  const candles = candlesFor(strategy, params);
  if (candles === undefined) return embeddedTapes({ seed, markets: named, spanMs: RECORDED });
  return LISTED_MARKETS.filter(({ spec }) => named.includes(spec.symbol)).map(({ spec, basePrice }) =>
    candleTape({ market: spec, basePrice }, candles, { seed }),
  );
}
