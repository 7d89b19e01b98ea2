// The tables of a run: its equity over time, its fills and its round trips. turn-rows.ts makes the tables of turns.
import { lots, MICROS_PER_UNIT, ticks } from '../../../bot/domain/numbers.ts';
import { belowPeak } from '../figures/equity/drawdowns.ts';
import { equityOf } from '../figures/figures.ts';
import type { AccountColumn, MarketSeries, ReportSeries } from '../figures/report-collector.ts';
import { HORIZONS_MS } from '../figures/trades/fill-quality.ts';
import type { FillRow } from '../figures/trades/fill-rows.ts';
import type { RoundTrip } from '../figures/trades/round-trips.ts';
import type { Report } from '../report.ts';
import { csvText, type Table, type TableColumn, tableOf } from './table.ts';

const MONEY: readonly AccountColumn[] = ['held', 'fees', 'funding', 'omf', 'imf', 'cmf', 'mmf', 'pon', 'pn'];

const numbers = (name: string, values: TableColumn['values']): TableColumn => ({ name, type: 'number', values });

/** Returns the table of the account, one row for each change. Money is in quote tokens; `drawdown` is a fraction of the highest equity so far. */
export function equityTable(series: ReportSeries): Table {
  const { account, markets } = series;
  const equity = equityOf(series);
  return {
    name: 'equity',
    count: account.count,
    columns: [
      { name: 'time', type: 'time', values: account.times },
      numbers('equity', equity.values),
      numbers('drawdown', belowPeak(equity)),
      ...MONEY.map((name) =>
        numbers(
          name,
          account.column(name).map((value) => value / MICROS_PER_UNIT),
        ),
      ),
      ...markets.flatMap((market) => [
        numbers(`position_${market.market.symbol}`, positionsAt(market, account.times)),
        numbers(`mid_${market.market.symbol}`, midsAt(market, account.times)),
      ]),
    ],
  };
}

function positionsAt({ market, positions }: MarketSeries, times: Float64Array): Float64Array {
  const sizes = positions.column('size');
  const rows = rowsAt(positions.times, times);
  return Float64Array.from(rows, (row) => (row < 0 ? 0 : market.size(lots(sizes[row]!))));
}

function midsAt({ market, tops }: MarketSeries, times: Float64Array): readonly (number | undefined)[] {
  const [bids, asks] = [tops.column('bid'), tops.column('ask')];
  return rowsAt(tops.times, times).map((row) => (row < 0 ? undefined : market.price(ticks(bids[row]! + asks[row]!)) / 2));
}

/** Returns, for each of the ascending `times`, the index of the last of the ascending `rowTimes` at or before that time; -1 if there is none. */
function rowsAt(rowTimes: Float64Array, times: Float64Array): number[] {
  const rows: number[] = [];
  let row = -1;
  for (const time of times) {
    while (row + 1 < rowTimes.length && rowTimes[row + 1]! <= time) row++;
    rows.push(row);
  }
  return rows;
}

/** Returns the table of fills. Unknown values are empty. `*_bps` and money are positive in our favour. */
export const fillsTable = (rows: readonly FillRow[]): Table =>
  tableOf('fills', rows, [
    ['time', 'time', ({ at }) => Date.parse(at)],
    ['market', 'text', ({ market }) => market],
    ['side', 'text', ({ side }) => side],
    ['price', 'decimal', ({ price }) => price],
    ['size', 'decimal', ({ size }) => size],
    ['price_ticks', 'integer', ({ ticks: count }) => count],
    ['size_lots', 'integer', ({ lots: count }) => count],
    ['notional', 'number', ({ notional }) => notional],
    ['role', 'text', ({ role }) => role],
    ['fee', 'decimal', ({ fee }) => fee],
    ['mid', 'number', ({ quality }) => quality.mid],
    ['spread', 'number', ({ quality }) => quality.spread?.money],
    ['spread_bps', 'number', ({ quality }) => quality.spread?.bps],
    ...HORIZONS_MS.flatMap((horizon, i) => [
      [`markout_${horizon / 1_000}s`, 'number', ({ quality }: FillRow) => quality.markouts[i]?.money] as const,
      [`markout_${horizon / 1_000}s_bps`, 'number', ({ quality }: FillRow) => quality.markouts[i]?.bps] as const,
    ]),
    ['realised', 'number', ({ realised }) => realised],
    ['order_id', 'text', ({ orderId }) => orderId],
    ['trade_id', 'text', ({ tradeId }) => tradeId],
    ['client_order_id', 'text', ({ clientOrderId }) => clientOrderId],
  ]);

/** Returns the table of closed round trips. `mae` and `mfe` are the lowest and the highest value before the trip was closed. */
export const tripsTable = (trips: readonly RoundTrip[]): Table =>
  tableOf('trips', trips, [
    ['opened', 'time', ({ openedAt }) => openedAt],
    ['closed', 'time', ({ closedAt }) => closedAt],
    ['market', 'text', ({ market }) => market],
    ['direction', 'text', ({ direction }) => direction],
    ['fills', 'integer', ({ fills }) => fills],
    ['profit', 'number', ({ profit }) => profit],
    ['mae', 'number', ({ mae }) => mae],
    ['mfe', 'number', ({ mfe }) => mfe],
    ['largest_cost', 'number', ({ largest }) => largest],
  ]);

/** Returns all tables of a run; `turns` are those of `TurnRows`. */
export const runTables = ({ fills, trips }: Report, series: ReportSeries, turns: readonly Table[]): readonly Table[] => [
  equityTable(series),
  fillsTable(fills),
  tripsTable(trips),
  ...turns,
];

export const fillsCsv = ({ fills }: Report): string => csvText(fillsTable(fills));
