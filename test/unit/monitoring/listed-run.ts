// A run in the list of runs, made by hand.
import type { ListedRun, RunLine } from '../../../src/program/monitoring/listed-run.ts';

export const LISTED_AT = Date.parse('2026-01-02T12:00:00Z');
export const TOTALS = { pnl: '0.00', fills: 0, trips: 0, won: 0, heldMs: 0 };

/** A practice run that lives, and whose figures are a second old at `LISTED_AT`. */
export function listedRun(run: string, line: Partial<RunLine> = {}, more: Partial<ListedRun> = {}): ListedRun {
  const made: RunLine = {
    kind: 'run',
    run,
    state: `/runs/${run}`,
    money: 'practice',
    strategy: 'grid',
    exchange: 'embedded',
    markets: ['BTCUSDC'],
    started: '2026-01-02T10:00:00.000Z',
    process: 'alive',
    outcome: 'running',
    mode: 'active',
    at: '2026-01-02T11:59:59.000Z',
    pnl: '0.00',
    ...line,
  };
  return { line: made, id: run, history: undefined, ...more };
}
