// The subject of the checks, and one play of it on tapes: the actions with their times.
import type { Millis } from '../../../base/clock.ts';
import type { Summary } from '../../../bot/accounting/summary.ts';
import type { Action } from '../../../bot/domain/action.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import type { Venue } from '../../../bot/exchange/port.ts';
import type { Run } from '../../../bot/run/core/run.ts';
import type { RecordedInputs, RecordedValue } from '../../../bot/run/inputs/recorded.ts';
import type { Params, Strategy } from '../../../bot/strategy/contract.ts';
import { DEFAULT_CANDLES } from '../../../embedded/exchange/recorded/candle-path.ts';
import { STAMPS_PER_MILLI } from '../../../embedded/rows/rows.ts';
import type { Tape } from '../../../embedded/tape/reader.ts';
import { type Assumptions, type BacktestOptions, backtest } from '../../backtest/backtest.ts';

/** A value of an input, or a failure of it. */
export type TimedValue = Omit<RecordedValue, 'at' | 'asked'> & {
  /** Time since the beginning of the market. */
  readonly after: Millis;
  /** Age of the value when it arrives. Default 0. */
  readonly ageMs?: Millis;
};

export type TimedInputs = Readonly<Record<string, readonly TimedValue[]>>;

/** `tapes`: those that most checks play, one for each market of the strategy. */
export interface Subject extends Pick<BacktestOptions, 'strategy' | 'params' | 'limits' | 'polling' | 'deposit' | 'seed' | 'tapes'> {
  /** Values of the strategy's inputs, by name. */
  readonly inputs: TimedInputs;
}

const ASSUMPTIONS: Omit<Assumptions, 'latency'> = {
  queue: { kind: 'conservative' },
  phase: 0,
  candles: DEFAULT_CANDLES,
};

/** All actions of one turn. */
export interface Acted {
  readonly at: Millis;
  /** The actions as text, without ids, which contain the time of the start. */
  readonly actions: readonly string[];
}

export interface PlayedTapes {
  /** The turns that sent something. */
  readonly acted: readonly Acted[];
  readonly placed: number;
  readonly summary: Summary;
  /** Start and end of the tapes. */
  readonly from: Millis;
  readonly to: Millis;
}

export interface PlayedWith {
  readonly tapes?: readonly Tape[];
  readonly strategy?: Strategy<Params>;
  readonly params?: Params;
  readonly inputs?: TimedInputs;
  /** Candles from before the tapes. Default: the history is taken from the beginning of the tapes. */
  readonly history?: Venue['history'];
  /** Milliseconds each way. Default 10. */
  readonly latencyMs?: Millis;
  readonly onTurn?: (turn: Turn, run: Run) => void;
}

/** Plays the tapes to their end. Passes on errors of the strategy. */
export async function playTapes(subject: Subject, { onTurn, history, latencyMs = 10, ...changed }: PlayedWith = {}): Promise<PlayedTapes> {
  const { strategy, params, limits, polling, deposit, seed, tapes, inputs } = { ...subject, ...changed };
  const acted: Acted[] = [];
  const names = new Map<string, string>();
  let placed = 0;
  const { ending, summary, span } = await backtest({
    strategy,
    params,
    limits,
    polling,
    seed,
    tapes,
    assumptions: { ...ASSUMPTIONS, latency: { kind: 'constant', there: latencyMs, back: latencyMs } },
    deposit,
    history,
    inputs: recordedFrom(Math.min(...tapes.map(({ facts }) => facts.first)) / STAMPS_PER_MILLI, inputs),
    watch: ({ run }) =>
      run.turns.subscribe((turn) => {
        if (run.world.stopping === undefined) {
          placed += turn.actions.filter(({ kind }) => kind === 'place').length;
          if (turn.actions.length > 0) acted.push({ at: turn.at, actions: turn.actions.map((action) => textOf(action, names)) });
        }
        onTurn?.(turn, run);
      }),
  });
  if (ending.kind === 'failed') throw ending.error;
  return { acted, placed, summary, ...span };
}

/** Returns the values with absolute times, for a market that begins at `start`. */
export const recordedFrom = (start: Millis, inputs: TimedInputs): RecordedInputs =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, values]) => [
      name,
      values.map(({ after, ageMs = 0, ...value }) => ({ ...value, at: start + after, asked: start + after - ageMs })),
    ]),
  );

/** Returns an action as text; orders are numbered in order of placement. */
function textOf(action: Action, names: Map<string, string>): string {
  const { kind, clientOrderId, market } = action;
  if (kind === 'cancel') return `cancel ${names.get(clientOrderId) ?? '?'}`;
  const name = `order ${names.size + 1}`;
  names.set(clientOrderId, name);
  return `${name}: ${sideText(action)} at ${action.price} in market ${market}`;
}

const sideText = ({ side, size }: Extract<Action, { kind: 'place' }>): string => `${side === 'bid' ? 'buy' : 'sell'} ${size}`;

/** Returns the first turn up to a time in which two plays differ; undefined if there is none. */
export function firstDifference(
  one: readonly Acted[],
  other: readonly Acted[],
  { until = Number.POSITIVE_INFINITY, moved = 0 }: { readonly until?: Millis; readonly moved?: Millis } = {},
): { readonly at: Millis; readonly one: string; readonly other: string } | undefined {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const [mine, theirs] = [one[index], other[index]];
    const at = Math.min(mine?.at ?? Number.POSITIVE_INFINITY, (theirs?.at ?? Number.POSITIVE_INFINITY) - moved);
    if (at >= until) return undefined;
    const [text, otherText] = [actedText(mine, 0), actedText(theirs, moved)];
    if (text !== otherText) return { at, one: shown(mine), other: shown(theirs) };
  }
  return undefined;
}

const actedText = (acted: Acted | undefined, moved: Millis): string =>
  acted === undefined ? '' : `${acted.at - moved} ${acted.actions.join('; ')}`;

const shown = (acted: Acted | undefined): string => (acted === undefined ? 'nothing' : `"${acted.actions[0]}"`);
