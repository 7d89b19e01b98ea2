// The result of `bot parity` as one JSON object, and in words.
import { counted } from '../../../base/text/phrases.ts';
import { moneyText, timeText } from '../../../bot/accounting/lines.ts';
import { type Micros, micros } from '../../../bot/domain/numbers.ts';
import type { QueueModel } from '../../../embedded/exchange/recorded/queue.ts';
import type { OneWayLatency, Parity, PlayedProcess } from '../../../research/parity/parity.ts';
import { CAUSES, type CauseName, type Money } from '../../../research/parity/pnl-causes.ts';
import type { PageRow } from '../../output/words.ts';

/** Amounts are decimal text. */
export interface ParitySummary {
  readonly kind: 'summary';
  readonly run: string;
  readonly fills: Counts & { readonly run: number; readonly backtest: number };
  readonly volume: RunAndBacktest;
  readonly pnl: RunAndBacktest;
  readonly fees: RunAndBacktest;
  readonly funding: RunAndBacktest;
  readonly orders: Counts;
  readonly agreement: number;
  readonly reasons: Parity['reasons'];
  /** By cause: the part of the difference between the backtest's and the run's profit. The parts sum to the difference. */
  readonly causes: readonly { readonly cause: CauseName; readonly amount: string }[];
  /** The backtest options that agree best with the run, and the agreement without the data that only the run's own orders revealed. */
  readonly calibration: {
    readonly options: string;
    readonly agreement: number;
    readonly queues: readonly { queue: string; agreement: number }[];
  };
  readonly damage: readonly string[];
}

interface RunAndBacktest {
  readonly run: string;
  readonly backtest: string;
}

interface Counts {
  readonly both: number;
  readonly onlyRun: number;
  readonly onlyBacktest: number;
}

export function paritySummary(run: string, parity: Parity, damage: readonly string[]): ParitySummary {
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
    causes: CAUSES.map((cause) => ({ cause, amount: sumText(processes.map(({ causes }) => causes.get(cause) ?? micros(0))) })),
    calibration: calibrationOf(parity),
    damage,
  };
}

function calibrationOf({ queues, latency }: Parity): ParitySummary['calibration'] {
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

const countsOf = (processes: readonly PlayedProcess[], what: 'fills' | 'orders'): Counts => {
  const sum = (part: keyof Counts): number => processes.reduce((total, { match }) => total + match[what][part].length, 0);
  return { both: sum('both'), onlyRun: sum('onlyRun'), onlyBacktest: sum('onlyBacktest') };
};

const sumText = (amounts: readonly Micros[]): string => moneyText(micros(amounts.reduce((sum, amount) => sum + amount, 0)));
const rounded = (share: number): number => Math.round(share * 1e4) / 1e4;

const countsText = ({ both, onlyRun, onlyBacktest }: Counts): string =>
  `${both} in both, ${onlyRun} in the run alone, ${onlyBacktest} in the backtest alone`;
const bothText = (amounts: RunAndBacktest): string => `${amounts.run} in the run, ${amounts.backtest} in the backtest`;

export function parityRows(summary: ParitySummary): readonly PageRow[] {
  const { agreement, fills, orders, volume, pnl, fees, funding, reasons, causes, calibration } = summary;
  const nonZero = causes.filter(({ amount }) => Number(amount) !== 0);
  const hasFills = fills.run > 0 || fills.backtest > 0;
  return [
    ['agreement', hasFills ? `${percent(agreement)} of fills` : 'neither has a fill: only orders can be compared'],
    ['fills', countsText(fills)],
    ['orders', countsText(orders)],
    ['volume', bothText(volume)],
    ['profit', bothText(pnl)],
    ...(nonZero.length === 0 ? [] : [['because', nonZero.map(({ cause, amount }) => `${cause} ${amount}`).join(', ')] as const]),
    ['fees', bothText(fees)],
    ['funding', bothText(funding)],
    ...reasons.map(
      ({ kind, count, orders: ofOrders }) => ['differs', `${kind}: ${counted(count, 'fill')}, ${counted(ofOrders, 'order')}`] as const,
    ),
    ...(hasFills ? [calibrationRow(calibration)] : []),
  ];
}

const calibrationRow = ({ options, agreement }: ParitySummary['calibration']): PageRow => [
  'backtest',
  `would have agreed best with ${options}: ${percent(agreement)} of fills`,
];

export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

export const atText = (at: number): string => timeText(Math.floor(at));
