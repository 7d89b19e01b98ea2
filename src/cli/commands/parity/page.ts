// The page of `bot parity`: the figures of the run beside those of the backtest, the causes, and the list of differences.
import type { Market } from '../../../domain/market.ts';
import { markup, type Part } from '../../../report/html/markup.ts';
import { plainPage, plainTable } from '../../../report/html/plain-page.ts';
import type { Parity } from '../../../research/parity/parity.ts';
import type { Difference } from '../../../research/parity/reasons.ts';
import { atText, type ParitySummary } from './summary.ts';

/** The list of differences is cut off after this many. */
const MOST_LISTED = 1_000;

export function parityPage(summary: ParitySummary, { processes }: Parity): string {
  const { run, agreement, fills, orders, volume, pnl, fees, funding, reasons, causes, calibration, damage } = summary;
  const differences = processes.flatMap(({ differences: all, markets }) => all.map((difference) => rowOf(difference, markets)));
  const left = differences.length - MOST_LISTED;
  const section = (title: string, content: Part, note?: string): Part =>
    markup`<section><h2>${title}</h2>${note === undefined ? undefined : markup`<p>${note}</p>`}${content}</section>`;
  const body = [
    markup`<h1>${run}: the run and its backtest</h1>
<p>${percent(agreement)} of the fills are in both. The backtest played the same strategy, parameters, limits and seed on a tape of what the run saw, with the latencies that were measured.</p>`,
    damage.length === 0 ? undefined : markup`<ul class="notice">${damage.map((part) => markup`<li>${part}</li>`)}</ul>`,
    section(
      'Side by side',
      plainTable(
        ['', 'run', 'backtest'],
        [
          ['Fills', fills.run, fills.backtest],
          ['Orders', orders.both + orders.onlyRun, orders.both + orders.onlyBacktest],
          ['Volume', volume.run, volume.backtest],
          ['Fees', fees.run, fees.backtest],
          ['Funding', funding.run, funding.backtest],
          ['PnL', pnl.run, pnl.backtest],
        ],
        [1, 2],
      ),
    ),
    section(
      'Matched',
      plainTable(
        ['', 'in both', 'in the run alone', 'in the backtest alone'],
        [
          ['Fills', fills.both, fills.onlyRun, fills.onlyBacktest],
          ['Orders', orders.both, orders.onlyRun, orders.onlyBacktest],
        ],
        [1, 2, 3],
      ),
      'An order or a fill is in both if nothing differs but its ids and its time, and that by no more than a second.',
    ),
    section(
      'Why the PnL differs',
      plainTable(['cause', 'backtest less run'], [...causes.map(({ cause, amount }) => [cause, amount]), ['all', differenceOf(pnl)]], [1]),
      'Quote money. A fill that is in one of the two alone counts for its reason, with what it adds at the last mark.',
    ),
    section(
      'Reasons',
      plainTable(
        ['reason', 'fills', 'orders'],
        reasons.map(({ kind, count, orders: of }) => [kind, count, of]),
        [1, 2],
      ),
    ),
    section(
      'Backtest options',
      plainTable(
        ['queue model', 'agreement'],
        calibration.queues.map(({ queue, agreement: share }) => [queue, percent(share)]),
        [1],
      ),
      `Without what the run's own orders showed. Best: ${calibration.options}`,
    ),
    differences.length === 0
      ? undefined
      : section(
          'Differences',
          plainTable(['time', 'market', 'what', 'only in', 'reason'], differences.slice(0, MOST_LISTED)),
          left > 0 ? `The first ${MOST_LISTED}; ${left} more are left out.` : undefined,
        ),
  ];
  return plainPage({ title: `${run}: parity`, body });
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

const differenceOf = ({ run, backtest }: ParitySummary['pnl']): string => (Number(backtest) - Number(run)).toFixed(6);

function rowOf({ at, market: id, kind, only, reason, follows, order, fill }: Difference, markets: readonly Market[]): readonly Part[] {
  const market = markets[id];
  const { side, price, size } = fill?.fill ?? order ?? {};
  const deal =
    market === undefined || price === undefined || size === undefined
      ? ''
      : ` ${side ?? ''} ${market.sizeText(size)} at ${market.priceText(price)}`;
  const what = `${kind}${deal}${fill === undefined ? '' : `, ${fill.fill.role}`}`;
  return [atText(at), market?.symbol, what, only, follows ? `${reason}, follows from the one before` : reason];
}
