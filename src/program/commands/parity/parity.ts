// `bot parity`: backtests a run's strategy on the data that the run saw, and prints how far run and backtest agree. The figures
// and the page: `research/parity/`.
import { UserError } from '../../../base/errors.ts';
import { counted } from '../../../base/text/phrases.ts';
import { parityPage } from '../../../research/parity/page.ts';
import { parityOf } from '../../../research/parity/parity.ts';
import { openRecordedRun } from '../../../research/parity/recorded-run.ts';
import { type ParityCounts, type ParitySummary, paritySummary, percent, type RunAndBacktest } from '../../../research/parity/summary.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { safeText } from '../../output/table.ts';
import { type PageRow, pageLine } from '../../output/words.ts';
import { requireOwnPage, writePage } from '../../report-files.ts';
import { isSimulated } from '../../venues.ts';
import { recordedRunOf } from '../replay/replay.ts';
import type { ParityFlags } from './command.ts';

export async function parity(named: string | undefined, flags: ParityFlags, host: Host): Promise<ExitCode> {
  const { stdout, stderr, venues } = host;
  if (flags.report !== undefined) requireOwnPage(flags.report);
  const { directory, facts } = recordedRunOf(named, flags, host);
  const recorded = await openRecordedRun(directory);
  const kind = venues.of(facts.exchange);
  const paper = kind.leavesTape ? directory : undefined;
  const result = await parityOf(recorded, { strategy: flags.strategy, embedded: isSimulated(kind), paper });
  for (const part of recorded.damage) say(stderr, `warning: ${part}`);
  if (result.processes.length === 0) {
    const message = `nothing of the run ${facts.run} can be compared: ${recorded.damage.join('; ')}`;
    throw new UserError({ code: 'recording', message, hint: 'choose another run' });
  }
  const summary = paritySummary(facts.run, result, recorded.damage);
  say(stdout, flags.json ? JSON.stringify(summary) : [facts.run, ...parityRows(summary).map((row) => safeText(pageLine(row)))].join('\n'));
  if (flags.report !== undefined) {
    writePage(flags.report, parityPage(summary, result));
    if (!flags.json) say(stdout, pageLine(['report', flags.report]));
  }
  return 0;
}

const countsText = ({ both, onlyRun, onlyBacktest }: ParityCounts): string =>
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
