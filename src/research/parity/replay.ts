// Decides the turns of a run again from the recorded events, and finds the first turn that differs.
import { statSync } from 'node:fs';
import { UserError } from '../../base/errors.ts';
import { packageVersion } from '../../base/package.ts';
import { rngFrom } from '../../base/rng.ts';
import { timeText } from '../../base/text/duration.ts';
import type { Action } from '../../bot/domain/action.ts';
import { Market } from '../../bot/domain/market.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import { rulesFrom } from '../../bot/risk/rules.ts';
import type { RecordingHeader } from '../../bot/run/state/turn-recording.ts';
import type { Params, Strategy } from '../../bot/strategy/contract.ts';
import { type Decider, deciderOf } from '../../bot/strategy/decide.ts';
import { BUILT_IN_STRATEGIES, loadStrategy } from '../../bot/strategy/loading/loader.ts';
import { strategyHash } from '../../bot/strategy/loading/source-hash.ts';
import { resolveParams } from '../../bot/strategy/params.ts';
import { desiredWords, eventWords, type Markets } from '../order-history.ts';
import { follower } from './follower.ts';
import { type RecordedProcess, type RecordedRun, turnsOf } from './recorded-run.ts';

/** A turn that is decided differently now. */
export interface ReplayDifference {
  /** RFC 3339. */
  readonly at: string;
  /** Number of the turn within its process, from 1. */
  readonly turn: number;
  /** The events of the turn, as text. */
  readonly after: string;
  /** The intents and the sent actions, as text. */
  readonly run: string;
  readonly replay: string;
}

export interface Replayed {
  readonly turns: number;
  /** Turns with the same intents and actions. */
  readonly equal: number;
  readonly first?: ReplayDifference | undefined;
  /** What has changed since the run, one phrase each. */
  readonly changed: readonly string[];
}

/** The strategy of a recording, with the parameters of the run. */
export interface RecordedStrategy {
  readonly strategy: Strategy<Params>;
  readonly params: Params;
  /** The strategy's file; undefined for a built-in strategy. */
  readonly path: string | undefined;
}

/** Loads the strategy of a recording, or another one with the parameters that it knows. Throws a UserError if its file is unknown. */
export async function strategyOf({ strategy: name, params: given, origin }: RecordingHeader, other?: string): Promise<RecordedStrategy> {
  const named = other ?? origin?.file ?? name;
  if (other === undefined && origin?.file === undefined && !BUILT_IN_STRATEGIES.some((known) => known === name)) {
    const message = `the recording does not say in which file the strategy ${name} is`;
    throw new UserError({ code: 'strategy', message, hint: 'give it: --strategy FILE' });
  }
  const { strategy, path } = await loadStrategy(named);
  const recorded = Object.entries(given as Readonly<Record<string, unknown>>);
  const known = other === undefined ? recorded : recorded.filter(([parameter]) => Object.hasOwn(strategy.defaults, parameter));
  const params = resolveParams(strategy, Object.fromEntries(known), () => undefined);
  return { strategy, params, path };
}

export const deciderFor = ({ seed, markets }: RecordingHeader, { strategy, params }: RecordedStrategy): Decider =>
  deciderOf(strategy, params, { rng: rngFrom(seed).fork('strategy'), markets: markets.map((spec) => new Market(spec)) });

/** Replays all processes of a run. `other`: a strategy to use instead of the recorded one. */
export async function replayRun(run: RecordedRun, other?: string): Promise<Replayed> {
  let [turns, equal]: [number, number] = [0, 0];
  let first: ReplayDifference | undefined;
  const changed = new Set<string>();
  for (const process of run.processes) {
    const found = await replayProcess(process, run, other);
    turns += found.turns;
    equal += found.equal;
    first ??= found.first;
    for (const change of found.changed) changed.add(change);
  }
  return { turns, equal, first, changed: [...changed] };
}

async function replayProcess(process: RecordedProcess, run: RecordedRun, other: string | undefined): Promise<Replayed> {
  const { header } = process;
  const loaded = await strategyOf(header, other);
  const rules = rulesFrom(header.limits as Readonly<Record<string, unknown>>, { live: header.live });
  const decideAgain = follower({ header, rules, decide: deciderFor(header, loaded) });
  const markets: Markets = new Map(header.markets.map((spec) => [spec.id, new Market(spec)]));
  let [turns, equal]: [number, number] = [0, 0];
  let first: ReplayDifference | undefined;
  for await (const recorded of turnsOf(process, run)) {
    turns += 1;
    const turn = decideAgain(recorded);
    if (decisionOf(turn) === decisionOf(recorded)) equal += 1;
    else first ??= differenceOf(recorded, turn, { number: turns, markets });
  }
  return { turns, equal, first, changed: changesSince(header, loaded, other) };
}

const decisionOf = ({ intents, actions }: Turn): string => JSON.stringify([intents, actions]);

function differenceOf(recorded: Turn, turn: Turn, { number, markets }: { number: number; markets: Markets }): ReplayDifference {
  const after = [...new Set(recorded.events.map((event) => eventWords(event, markets)))].join(', ');
  const [run, replay] = [recorded, turn].map((one) => decisionWords(one, markets)) as [string, string];
  return { at: timeText(recorded.at), turn: number, after, run, replay };
}

function decisionWords({ intents, actions }: Turn, markets: Markets): string {
  const wanted = intents.map((intent) => {
    const market = markets.get(intent.market);
    return market === undefined ? 'an unknown market' : `${market.symbol} ${desiredWords(intent, market)}`;
  });
  return `wants ${wanted.join('; ') || 'nothing'}; sends ${actions.map((action) => actionWords(action, markets)).join(', ') || 'nothing'}`;
}

function actionWords(action: Action, markets: Markets): string {
  if (action.kind === 'cancel') return `cancel of ${action.clientOrderId}`;
  const market = markets.get(action.market);
  if (market === undefined) return `${action.side} in an unknown market`;
  return `${action.side} ${market.sizeText(action.size)}${action.price === undefined ? '' : ` at ${market.priceText(action.price)}`}`;
}

/** Returns the known changes between the run and now. */
export function changesSince(
  { origin, params, strategy }: RecordingHeader,
  loaded: RecordedStrategy,
  other: string | undefined,
): readonly string[] {
  if (other !== undefined) return [`the strategy: ${other} in place of ${origin?.file ?? strategy}`];
  const added = Object.keys(loaded.params).filter((name) => !Object.hasOwn(params as object, name));
  const changes = added.map((name) => `the configuration: the parameter ${name} is new, its default is used`);
  if (origin === undefined) return changes;
  const version = packageVersion();
  if (origin.tickwright !== version) changes.push(`the version of this program: ${origin.tickwright} then, ${version} now`);
  if (origin.code !== strategyHash({ name: strategy, path: loaded.path })) changes.push(`the code: ${nameOf(origin.file, strategy)}`);
  return changes;
}

const nameOf = (file: string | undefined, strategy: string): string =>
  file === undefined ? `the built-in strategy ${strategy}` : `${file}, or a file that it imports`;

/** True if the path is a directory. */
export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
