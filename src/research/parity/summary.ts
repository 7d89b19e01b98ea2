// The result of a comparison as one JSON object, for `bot parity` and its page.
import { timeText } from '../../base/text/duration.ts';
import { moneyText } from '../../bot/accounting/lines.ts';
import { type Micros, micros } from '../../bot/domain/numbers.ts';
import type { QueueModel } from '../../embedded/exchange/recorded/queue.ts';
import type { OneWayLatency, Parity, PlayedProcess } from './parity.ts';
import { CAUSES, type Money } from './pnl-causes.ts';

export type ParitySummary = ReturnType<typeof paritySummary>;

export interface RunAndBacktest {
  readonly run: string;
  readonly backtest: string;
}

export interface ParityCounts {
  readonly both: number;
  readonly onlyRun: number;
  readonly onlyBacktest: number;
}

/** Returns the summary. Amounts are decimal text. */
export function paritySummary(run: string, parity: Parity, damage: readonly string[]) {
  const { processes, agreement, reasons } = parity;
  const sums = (part: keyof Money): RunAndBacktest => ({
    run: sumText(processes.map(({ money }) => money.run[part])),
    backtest: sumText(processes.map(({ money }) => money.backtest[part])),
  });
  const fills = countsOf(processes, 'fills');
  return {
    kind: 'summary',
    run,
    fills: { run: fills.both + fills.onlyRun, backtest: fills.both + fills.onlyBacktest, ...fills },
    volume: sums('volume'),
    pnl: sums('pnl'),
    fees: sums('fees'),
    funding: sums('funding'),
    orders: countsOf(processes, 'orders'),
    agreement: rounded(agreement),
    reasons,
    /** By cause: the part of the difference between the backtest's and the run's profit. The parts sum to the difference. */
    causes: CAUSES.map((cause) => ({ cause, amount: sumText(processes.map(({ causes }) => causes.get(cause) ?? micros(0))) })),
    calibration: calibrationOf(parity),
    damage,
  };
}

/** Returns the backtest options that agree best with the run, and the agreement without the data that only the run's own orders revealed. */
function calibrationOf({ queues, latency }: Parity) {
  const [best] = queues;
  const options = `--queue ${queueText(best?.queue ?? { kind: 'conservative' })} --latency ${latencyText(latency)}`;
  return {
    options,
    agreement: rounded(best?.agreement ?? 1),
    queues: queues.map(({ queue, agreement }) => ({ queue: queueText(queue), agreement: rounded(agreement) })),
  };
}

const queueText = (queue: QueueModel): string => (queue.kind === 'probabilistic' ? `probabilistic:${queue.power}` : queue.kind);

/** Formats a latency for `--latency`, one way. */
function latencyText({ median, p99 }: OneWayLatency): string {
  const [middle, most] = [median, Math.min(1_000, p99)].map((span) => Number(Math.max(0, span).toFixed(1))) as [number, number];
  return middle === 0 || most <= middle ? String(middle) : `${middle}~${most}`;
}

const countsOf = (processes: readonly PlayedProcess[], what: 'fills' | 'orders'): ParityCounts => {
  const sum = (part: keyof ParityCounts): number => processes.reduce((total, { match }) => total + match[what][part].length, 0);
  return { both: sum('both'), onlyRun: sum('onlyRun'), onlyBacktest: sum('onlyBacktest') };
};

const sumText = (amounts: readonly Micros[]): string => moneyText(micros(amounts.reduce((sum, amount) => sum + amount, 0)));
const rounded = (share: number): number => Math.round(share * 1e4) / 1e4;

export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

export const atText = (at: number): string => timeText(Math.floor(at));
