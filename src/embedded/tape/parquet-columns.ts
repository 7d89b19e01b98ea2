// The columns of a tape in Parquet: the tape's integers, from which the tape can be rebuilt, and readable columns beside them.
import type { Encoding, SchemaElement } from 'hyparquet';
import { Market } from '../../bot/domain/market.ts';
import type { Lots, Ticks } from '../../bot/domain/numbers.ts';
import type { Row } from '../rows/row-builder.ts';
import { ASK_BIT, codeOf, FUNDING_PARTS, KIND_BITS, LAST_BIT, ROW, type RowKind, type Rows, SNAPSHOT_BIT } from '../rows/rows.ts';
import type { TapeHeader } from './header.ts';

export type ParquetValue = bigint | number | string | boolean | null;

export interface ParquetColumn {
  readonly element: SchemaElement;
  readonly encoding?: Encoding;
  readonly cell: (rows: Rows, row: number) => ParquetValue;
}

const KINDS: ReadonlyMap<number, RowKind> = new Map(Object.entries(ROW).map(([kind, code]) => [code, kind as RowKind]));
const PRICED = kinds('level', 'trade', 'mark', 'index', 'order', 'open', 'high', 'low', 'close');
const SIZED = kinds('level', 'trade', 'order', 'close');
const SIDED = kinds('level', 'trade', 'order');
const RATED = kinds('funding', 'settlement');

function kinds(...names: readonly RowKind[]): ReadonlySet<number> {
  return new Set(names.map((name) => ROW[name]));
}

const kindIn = ({ codes }: Rows, row: number): number => codes[row]! & KIND_BITS;
const bitIn = ({ codes }: Rows, row: number, bit: number): boolean => (codes[row]! & bit) !== 0;

function sideIn(rows: Rows, row: number): 'ask' | 'bid' | null {
  if (!SIDED.has(kindIn(rows, row))) return null;
  return bitIn(rows, row, ASK_BIT) ? 'ask' : 'bid';
}

const STAMP = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  repetition_type: 'REQUIRED',
} as const;
const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const DELTAS = 'DELTA_BINARY_PACKED';

/**
 * Returns the columns: `time` and `received` in UTC; `kind` and `side` as text; `price`, `size` and `rate` as decimals if the kind of row has them;
 * `last`, true for the last row of one update; `snapshot`, true for rows of a whole book; `price_ticks` and `size_lots`, the tape's own integers (see
 * `ROW`); `order_id` if the tape has orders.
 */
export function columnsOf({ market: spec, books }: TapeHeader): readonly ParquetColumn[] {
  const market = new Market(spec);
  const columns: readonly ParquetColumn[] = [
    { element: { name: 'time', ...STAMP }, encoding: DELTAS, cell: ({ times }, row) => BigInt(times[row]!) },
    { element: { name: 'received', ...STAMP }, encoding: DELTAS, cell: ({ times, lags }, row) => BigInt(times[row]!) + BigInt(lags[row]!) },
    { element: { name: 'kind', ...TEXT, repetition_type: 'REQUIRED' }, cell: (rows, row) => KINDS.get(kindIn(rows, row)) ?? null },
    {
      element: { name: 'side', ...TEXT, repetition_type: 'OPTIONAL' },
      cell: sideIn,
    },
    {
      element: { name: 'price', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
      cell: (rows, row) => (PRICED.has(kindIn(rows, row)) ? market.price(rows.prices[row] as Ticks) : null),
    },
    {
      element: { name: 'size', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
      cell: (rows, row) => (SIZED.has(kindIn(rows, row)) ? market.size(rows.sizes[row] as Lots) : null),
    },
    {
      element: { name: 'rate', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
      cell: (rows, row) => (RATED.has(kindIn(rows, row)) ? rows.sizes[row]! / FUNDING_PARTS : null),
    },
    { element: { name: 'last', type: 'BOOLEAN', repetition_type: 'REQUIRED' }, cell: (rows, row) => bitIn(rows, row, LAST_BIT) },
    { element: { name: 'snapshot', type: 'BOOLEAN', repetition_type: 'REQUIRED' }, cell: (rows, row) => bitIn(rows, row, SNAPSHOT_BIT) },
    { element: { name: 'price_ticks', type: 'INT32', repetition_type: 'REQUIRED' }, cell: ({ prices }, row) => prices[row]! },
    { element: { name: 'size_lots', type: 'INT64', repetition_type: 'REQUIRED' }, cell: ({ sizes }, row) => BigInt(sizes[row]!) },
    { element: { name: 'order_id', type: 'INT64', repetition_type: 'REQUIRED' }, cell: ({ orders }, row) => BigInt(orders?.[row] ?? 0) },
  ];
  return columns.filter(({ element }) => element.name !== 'order_id' || books === 'orders');
}

/** Returns the names of the columns that a tape is rebuilt from. The other columns are derived. */
export const neededOf = (header: TapeHeader): readonly string[] =>
  columnsOf(header)
    .map(({ element }) => element.name)
    .filter((name) => !['price', 'size', 'rate'].includes(name));

/** Returns the row for cells of `columnsOf`. A missing number or an unknown kind becomes NaN, which the tape writer refuses. */
export function rowOf(cells: Readonly<Record<string, unknown>>): Row {
  const { time, received, kind, side, last, snapshot } = cells;
  const known = typeof kind === 'string' && Object.hasOwn(ROW, kind);
  const stamped = typeof time === 'bigint' && typeof received === 'bigint';
  return {
    time: stamped ? Number(time) : Number.NaN,
    lag: stamped ? Number(received - time) : Number.NaN,
    code: known
      ? codeOf(kind as RowKind, { side: side === 'ask' ? 'ask' : 'bid', last: last === true, snapshot: snapshot === true })
      : Number.NaN,
    price: numberOf(cells['price_ticks']),
    size: numberOf(cells['size_lots']),
    order: numberOf(cells['order_id'] ?? 0),
  };
}

const numberOf = (cell: unknown): number => (typeof cell === 'bigint' || typeof cell === 'number' ? Number(cell) : Number.NaN);
