// Writes tables as Parquet files, which pandas, polars and DuckDB can read, and reads them back.

import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, type SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import type { Table, TableColumn } from './table.ts';

/** Metadata of the file: text by key. */
export type TableMeta = Readonly<Record<string, string>>;

const STAMP = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;
const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const ELEMENTS: Readonly<Record<TableColumn['type'], Omit<SchemaElement, 'name'>>> = {
  time: { ...STAMP, repetition_type: 'REQUIRED' },
  number: { type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  decimal: { type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  integer: { type: 'INT64', repetition_type: 'OPTIONAL' },
  text: { ...TEXT, repetition_type: 'OPTIONAL' },
};

/** Returns the bytes of a Parquet file. */
export function parquetBytes({ columns }: Table, meta: TableMeta): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: columns.map(({ name, type, values }) => ({ name, data: Array.from(values, (value) => parquetValue(type, value)) })),
      schema: [{ name: 'table', num_children: columns.length }, ...columns.map(({ name, type }) => ({ name, ...ELEMENTS[type] }))],
      kvMetadata: [
        ...Object.entries(meta).map(([key, value]) => ({ key, value })),
        { key: COLUMNS_KEY, value: JSON.stringify(columns.map(({ name, type }) => [name, type])) },
      ],
      createdBy: 'tickwright',
    }),
  );
}

const COLUMNS_KEY = 'tickwright.columns';

function parquetValue(type: TableColumn['type'], value: number | string | undefined): number | string | bigint | Date | null {
  if (value === undefined || Number.isNaN(value)) return null;
  if (type === 'text') return String(value);
  if (type === 'time') return new Date(Number(value));
  return type === 'integer' ? BigInt(value) : Number(value);
}

/** Reads a file of `parquetBytes`. Decimals come back as numbers. Throws if the file is not one of them. */
export async function readTable(name: string, path: string): Promise<Table> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const described = metadata.key_value_metadata?.find(({ key }) => key === COLUMNS_KEY)?.value;
  if (described === undefined) throw new Error(`${path} is not a table of a run`);
  const rows = await parquetReadObjects({ file, metadata });
  const columns = (readJson(described, JSON_LIMITS.file) as [string, TableColumn['type']][]).map(([column, type]): TableColumn => {
    return { name: column, type, values: rows.map((row) => readCell(row[column])) };
  });
  return { name, count: rows.length, columns };
}

function readCell(value: unknown): number | string | undefined {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' || typeof value === 'string' ? value : undefined;
}
