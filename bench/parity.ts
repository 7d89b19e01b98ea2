// How far a backtest on what a run saw agrees with the run: every built-in strategy, many seeds, ten minutes each, in virtual time.
import { rmSync } from 'node:fs';
import { BUILT_IN_STRATEGIES } from '../src/bot/strategy/loading/loader.ts';
import { DEFAULT_REGIME, type RegimeName } from '../src/embedded/exchange/traders/regimes.ts';
import { type Parity, parityOf } from '../src/research/parity/parity.ts';
import { openRecordedRun } from '../src/research/parity/recorded-run.ts';
import type { Bench, Row } from './measure.ts';
import { seenRun } from './seen-run.ts';

const SEEDS = 20;
const SPAN = 600_000;
const AIM = 0.98;

export const parity: Bench = async ({ strategies = BUILT_IN_STRATEGIES, count = SEEDS, market = DEFAULT_REGIME }) => {
  const rows: Row[] = [];
  for (const name of strategies) rows.push(await rowOf(name, count, market));
  return rows;
};

async function rowOf(name: string, seeds: number, market: RegimeName): Promise<Row> {
  const played: Parity[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const directory = await seenRun({ name, seed: `parity-${seed}`, spanMs: SPAN, market });
    played.push(await parityOf(await openRecordedRun(directory), { embedded: true, queues: [{ kind: 'conservative' }] }));
    rmSync(directory, { recursive: true });
  }
  const of = (what: 'fills' | 'orders', part: 'both' | 'onlyRun' | 'onlyBacktest'): number =>
    sum(played.flatMap(({ processes }) => processes.map(({ match }) => match[what][part].length)));
  const [both, onlyRun, onlyBacktest] = [of('fills', 'both'), of('fills', 'onlyRun'), of('fills', 'onlyBacktest')];
  const agreement = both + onlyRun + onlyBacktest === 0 ? 1 : (2 * both) / (2 * both + onlyRun + onlyBacktest);
  const worst = Math.min(...played.map((one) => one.agreement));
  const counts = new Map<string, number>();
  for (const { reasons } of played)
    for (const { kind, count, orders } of reasons) counts.set(kind, (counts.get(kind) ?? 0) + count + orders);
  const reasons = [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ');
  return {
    name: `parity: ${name}, ${seeds} seeds of ten minutes, market ${market}`,
    figure: `${agreement.toFixed(4)} of ${both + onlyRun} fills, ${of('orders', 'both') + of('orders', 'onlyRun')} orders; worst seed ${worst.toFixed(4)}`,
    baseline: `${pollsAlone(played).toFixed(4)} on the polls alone`,
    ratio: reasons === '' ? 'no difference' : reasons,
    aim: `at least ${AIM}`,
    met: agreement >= AIM,
  };
}

/** The mean over the seeds of the agreement without what the run's own orders showed, with the conservative queue. */
function pollsAlone(played: readonly Parity[]): number {
  const shares = played.flatMap(({ queues }) => queues.map(({ agreement }) => agreement));
  return shares.length === 0 ? 1 : sum(shares) / shares.length;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
