// Our fills as rows, each with its quality and its realised profit; also as CSV.
import type { MarketId } from '../../domain/ids.ts';
import { toDecimal } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';
import { moneyText, timeText } from '../accounting/lines.ts';
import { type FillQuality, HORIZONS_MS, qualityOf } from './fill-quality.ts';
import type { MarketSeries, ReportSeries } from './report-collector.ts';
import { type RoundTrip, TripTracker } from './round-trips.ts';

export interface FillRow {
  /** RFC 3339, exchange time. */
  readonly at: string;
  /** The symbol. */
  readonly market: string;
  readonly side: Fill['side'];
  /** Decimal text. */
  readonly price: string;
  readonly size: string;
  /** Quote money. */
  readonly notional: number;
  readonly role: Fill['role'];
  /** Decimal text; undefined if the exchange did not report it. */
  readonly fee: string | undefined;
  readonly quality: FillQuality;
  /** Realised profit after both fees; undefined if the fill closed nothing. */
  readonly realised: number | undefined;
  readonly orderId: string;
  readonly tradeId: string;
  readonly clientOrderId: string | undefined;
}

export interface Trades {
  /** The fills, oldest first. */
  readonly rows: readonly FillRow[];
  /** Closed round trips of all markets, by the time they were closed. */
  readonly trips: readonly RoundTrip[];
  /** Round trips that are not closed. */
  readonly openTrips: number;
}

export function tradesOf({ fills, markets, from }: ReportSeries): Trades {
  const books = new Map<MarketId, Book>();
  for (const series of markets) books.set(series.market.id, { ...series, trips: new TripTracker(series, from) });
  const rows = fills.flatMap((fill) => {
    const book = books.get(fill.market);
    return book === undefined ? [] : [rowOf(fill, book)];
  });
  const trackers = [...books.values()].map(({ trips }) => trips);
  const trips = trackers.flatMap(({ closed }) => closed).sort((a, b) => a.closedAt - b.closedAt);
  return { rows, trips, openTrips: trackers.reduce((count, { open }) => count + open, 0) };
}

type Book = MarketSeries & { readonly trips: TripTracker };

function rowOf(fill: Fill, { market, tops, trips }: Book): FillRow {
  const { side, role, price, size, fee, orderId, tradeId, clientOrderId } = fill;
  return {
    at: timeText(fill.time),
    market: market.symbol,
    side,
    price: market.priceText(price),
    size: market.sizeText(size),
    notional: toDecimal(market.notional(price, size)),
    role,
    fee: fee === undefined ? undefined : moneyText(fee),
    quality: qualityOf(fill, { market, tops }),
    realised: trips.fill(fill),
    orderId,
    tradeId,
    clientOrderId,
  };
}

/** Returns CSV with a header and one line per fill. Unknown values are empty. `*_bps` and money are positive in our favour. */
export function csvOf(rows: readonly FillRow[]): string {
  return `${[COLUMNS.map(([name]) => name), ...rows.map(cellsOf)].map((cells) => cells.join(',')).join('\n')}\n`;
}

const cellsOf = (row: FillRow): string[] => COLUMNS.map(([, cell]) => csvCell(cell(row)));

const COLUMNS: readonly (readonly [name: string, cell: (row: FillRow) => string | number | undefined])[] = [
  ['time', ({ at }) => at],
  ['market', ({ market }) => market],
  ['side', ({ side }) => side],
  ['price', ({ price }) => price],
  ['size', ({ size }) => size],
  ['notional', ({ notional }) => notional],
  ['role', ({ role }) => role],
  ['fee', ({ fee }) => fee],
  ['mid', ({ quality }) => quality.mid],
  ['spread', ({ quality }) => quality.spread?.money],
  ['spread_bps', ({ quality }) => quality.spread?.bps],
  ...HORIZONS_MS.flatMap((horizon, i) => [
    [`markout_${horizon / 1_000}s`, ({ quality }: FillRow) => quality.markouts[i]?.money] as const,
    [`markout_${horizon / 1_000}s_bps`, ({ quality }: FillRow) => quality.markouts[i]?.bps] as const,
  ]),
  ['realised', ({ realised }) => realised],
  ['order_id', ({ orderId }) => orderId],
  ['trade_id', ({ tradeId }) => tradeId],
  ['client_order_id', ({ clientOrderId }) => clientOrderId],
];

/** Text that a spreadsheet would run as a formula. A signed number is not one. */
const FORMULA = /^[=+\-@\t\r](?!\d+(?:\.\d+)?$)/;

/** Returns a CSV cell: numbers are rounded to 8 decimals, text is quoted by RFC 4180, and an apostrophe is put before a formula. */
export function csvCell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(Number(value.toFixed(8)));
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
