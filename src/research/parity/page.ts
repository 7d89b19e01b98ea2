// The page of `bot parity`: the figures of the run beside those of the backtest, the causes, and the list of differences.
import type { Market } from '../../bot/domain/market.ts';
import { plainPage, plainTable } from '../report/html/document.ts';
import { markup, type Part } from '../report/html/markup.ts';
import type { Parity } from './parity.ts';
import type { ParityDifference } from './reasons.ts';
import { atText, type ParitySummary, percent } from './summary.ts';

/** Maximum length of the list of differences. */
const MAX_LISTED = 1_000;

export function parityPage(summary: ParitySummary, { processes }: Parity): string {
  const { run, agreement, damage } = summary;
  const differences = processes.flatMap(({ differences: all, markets }) => all.map((difference) => rowOf(difference, markets)));
  const body = [
    markup`<h1>${run}: the run and its backtest</h1>
<p>${percent(agreement)} of the fills are in both. ${HOW}</p>`,
    damage.length === 0 ? undefined : markup`<ul class="notice">${damage.map((part) => markup`<li>${part}</li>`)}</ul>`,
    section('Side by side', sidesTable(summary)),
    section('Matched', matchedTable(summary), MATCHED),
    section('Why the profit differs', causesTable(summary), CAUSES),
    section('Reasons', reasonsTable(summary)),
    section(
      'Backtest options',
      queuesTable(summary),
      `Backtests with each queue model, without the queue sizes that were learned from the run's own orders. Best: ${summary.calibration.options}`,
    ),
    differences.length === 0 ? undefined : differencesSection(differences),
  ];
  return plainPage({ title: `${run}: parity`, body });
}

const HOW =
  'The backtest played the same strategy, parameters, limits and seed on a tape of what the run saw, with the latencies that were measured.';
const MATCHED = 'An order or a fill is in both if only its ids and its time differ, and its time by at most a second.';
const CAUSES =
  'In quote tokens. The profit of a fill that only one of the two has, valued at the last mark price, is counted under the reason of that difference.';

const section = (title: string, content: Part, note?: string): Part =>
  markup`<section><h2>${title}</h2>${note === undefined ? undefined : markup`<p>${note}</p>`}${content}</section>`;

function sidesTable({ fills, orders, volume, fees, funding, pnl }: ParitySummary): Part {
  const rows: readonly (readonly Part[])[] = [
    ['Fills', fills.run, fills.backtest],
    ['Orders', orders.both + orders.onlyRun, orders.both + orders.onlyBacktest],
    ['Volume', volume.run, volume.backtest],
    ['Fees', fees.run, fees.backtest],
    ['Funding', funding.run, funding.backtest],
    ['Profit', pnl.run, pnl.backtest],
  ];
  return plainTable(['', 'run', 'backtest'], rows, [1, 2]);
}

function matchedTable({ fills, orders }: ParitySummary): Part {
  const rows = [['Fills', fills] as const, ['Orders', orders] as const].map(([name, counts]) => {
    return [name, counts.both, counts.onlyRun, counts.onlyBacktest];
  });
  return plainTable(['', 'in both', 'in the run alone', 'in the backtest alone'], rows, [1, 2, 3]);
}

const causesTable = ({ causes, pnl }: ParitySummary): Part =>
  plainTable(['cause', 'backtest less run'], [...causes.map(({ cause, amount }) => [cause, amount]), ['all', differenceOf(pnl)]], [1]);

function reasonsTable({ reasons }: ParitySummary): Part {
  const rows = reasons.map(({ kind, count, orders }) => [kind, count, orders]);
  return plainTable(['reason', 'fills', 'orders'], rows, [1, 2]);
}

function queuesTable({ calibration }: ParitySummary): Part {
  const rows = calibration.queues.map(({ queue, agreement }) => [queue, percent(agreement)]);
  return plainTable(['queue model', 'agreement'], rows, [1]);
}

function differencesSection(rows: readonly (readonly Part[])[]): Part {
  const left = rows.length - MAX_LISTED;
  const note = left > 0 ? `The first ${MAX_LISTED}; ${left} more are left out.` : undefined;
  return section('Differences', plainTable(['time', 'market', 'what', 'only in', 'reason'], rows.slice(0, MAX_LISTED)), note);
}

const differenceOf = ({ run, backtest }: ParitySummary['pnl']): string => (Number(backtest) - Number(run)).toFixed(6);

function rowOf(
  { at, market: id, kind, only, reason, follows, order, fill }: ParityDifference,
  markets: readonly Market[],
): readonly Part[] {
  const market = markets[id];
  const { side, price, size } = fill?.fill ?? order ?? {};
  const deal =
    market === undefined || price === undefined || size === undefined
      ? ''
      : ` ${side ?? ''} ${market.sizeText(size)} at ${market.priceText(price)}`;
  const what = `${kind}${deal}${fill === undefined ? '' : `, ${fill.fill.role}`}`;
  return [atText(at), market?.symbol, what, only, follows ? `${reason}, a consequence of an earlier difference` : reason];
}
