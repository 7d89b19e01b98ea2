// Which runs of the list are shown, and in which order.
import type { RunRow } from '../contract.ts';

export const STATES = ['all', 'running', 'failed', 'ended'] as const;
export const ORDERS = ['state', 'profit', 'today', 'started', 'name'] as const;

export interface RunChoice {
  readonly state: (typeof STATES)[number];
  readonly order: (typeof ORDERS)[number];
  /** A run is shown if one of its words contains this; empty: all. */
  readonly text: string;
}

/** The rank in the order by state: live runs first, those that failed next. */
const rankOf = ({ process, outcome }: RunRow): number => (process !== 'ended' ? 0 : outcome === 'failed' ? 1 : 2);

const BY: Readonly<Record<RunChoice['order'], (a: RunRow, b: RunRow) => number>> = {
  state: (a, b) => rankOf(a) - rankOf(b),
  profit: (a, b) => Number(b.pnl ?? 0) - Number(a.pnl ?? 0),
  today: (a, b) => Number(b.today ?? 0) - Number(a.today ?? 0),
  started: (a, b) => b.started.localeCompare(a.started),
  name: (a, b) => a.run.localeCompare(b.run),
};

/** Returns the chosen runs in the chosen order. Runs that are equal in this order keep the order of the list. */
export function shownRuns(runs: readonly RunRow[], { state, order, text }: RunChoice): readonly RunRow[] {
  const wanted = text.trim().toLowerCase();
  return runs.filter((run) => isInState(run, state) && (wanted === '' || wordsOf(run).includes(wanted))).sort(BY[order]);
}

function isInState({ process, outcome }: RunRow, state: RunChoice['state']): boolean {
  if (state === 'running') return process !== 'ended';
  if (state === 'failed') return outcome === 'failed';
  return state === 'all' || process === 'ended';
}

const wordsOf = ({ run, strategy, exchange, markets, identity, state, mode, outcome, reason = '' }: RunRow): string =>
  [run, strategy, exchange, ...markets, identity, state, mode, outcome, reason].join('\n').toLowerCase();
