// history.json: the profit of a run since its first turn, for pages and lists of runs. Written every ten seconds and at the end, and not synced: a loss
// of its newest part loses nothing but this display.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY, type Millis, SECOND } from '../../../base/clock.ts';
import { replaceFile } from '../../../base/files/text-file.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import { moneyText } from '../../accounting/lines.ts';
import { type HistoryCarry, ProfitHistory, type ProfitTotals } from '../../accounting/profit-history.ts';
import { micros } from '../../domain/numbers.ts';
import type { World } from '../../world/world.ts';
import type { Trading } from './trading.ts';

export const HISTORY_FILE = 'history.json';
const EVERY: Millis = 10 * SECOND;

interface Stored extends HistoryCarry {
  readonly version: 1;
}

/** Totals since the run began; money is decimal text. */
interface PeriodTotals extends Omit<ProfitTotals, 'pnl'> {
  readonly pnl: string;
}

/** What a page shows of it. */
export interface RunHistory {
  /** Time, equity, profit; oldest first. */
  readonly points: readonly (readonly [Millis, string, string])[];
  /** The totals when the history began. */
  readonly start: PeriodTotals;
  /** The totals at the end of each UTC day with a turn (`2026-01-31`), oldest first; the last one so far. */
  readonly days: readonly (PeriodTotals & { readonly day: string })[];
}

/** Continues the file of the directory. A failed write does not stop the run. */
export function keepHistory({ run: { world, turns } }: Pick<Trading, 'run'>, directory: string): void {
  const history = new ProfitHistory(world.accounting.totals, stored(directory));
  const file = join(directory, HISTORY_FILE);
  let written: Millis = -Infinity;
  let revision: number | undefined;
  const write = (at: Millis): void => {
    written = at;
    try {
      const content: Stored = { version: 1, ...history.carry() };
      replaceFile(file, `${JSON.stringify(content)}\n`);
    } catch {
      // pages then show the older file
    }
  };
  turns.subscribe({
    next: ({ at }) => {
      const { totals, profit } = world.accounting;
      const markets = profit.revision === revision ? [] : resultsOf(world);
      revision = profit.revision;
      history.add({ at, totals, equity: world.account?.value.margins.mf, markets });
      if (at >= written + EVERY) write(at);
    },
    complete: () => write(world.now),
  });
}

function* resultsOf({ markets, accounting }: World) {
  for (const [id, { symbol }] of markets) yield { symbol, ...accounting.profit.realisedIn(id) };
}

/** Returns the content of the file; undefined if there is none, or a damaged one. */
function stored(directory: string): Stored | undefined {
  try {
    const found = readJson(readFileSync(join(directory, HISTORY_FILE), 'utf8'), JSON_LIMITS.state) as Stored;
    return found.version === 1 ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the history of the run of a state directory; undefined if it has none: it never traded, or is of an earlier version. */
export function readHistory(directory: string): RunHistory | undefined {
  const found = stored(directory);
  if (found === undefined) return undefined;
  const { curve, start, days } = found;
  return {
    points: curve.points.map(({ at, equity, pnl }) => [at, text(equity), text(pnl)]),
    start: { ...start, pnl: text(start.pnl) },
    days: days.map(({ day, ...totals }) => ({ ...totals, pnl: text(totals.pnl), day: new Date(day * DAY).toISOString().slice(0, 10) })),
  };
}

const text = (money: number): string => moneyText(micros(money));
