// Reads a Feather file (version 2, which is an Arrow file), as Freqtrade writes them, as lines of CSV. Needs two optional packages.
import { readFile } from 'node:fs/promises';
import type { Column, DataType } from '@uwdata/flechette';
import { decompress } from 'fzstd';
import { messageOf, UserError } from '../../../base/errors.ts';
import { type CellText, headLine, linesOfRows, microTimeText, shortestSingle, valueText } from './table-lines.ts';

/** Yields the lines piece by piece. Calls `onRead` with the size of the file once. Throws a `UserError` if the file cannot be read. */
export async function* readFeatherLines(
  { file, bytes }: { readonly file: string; readonly bytes: number },
  onRead: (bytes: number) => void,
): AsyncGenerator<readonly string[]> {
  const columns = await columnsOf(file);
  onRead(bytes);
  yield headLine(columns.map(({ name }) => name));
  yield* linesOfRows(
    columns.map(({ cells }) => cells),
    columns[0]?.rows ?? 0,
  );
}

interface TextColumn {
  readonly name: string;
  readonly rows: number;
  readonly cells: CellText;
}

async function columnsOf(file: string): Promise<readonly TextColumn[]> {
  const { tableFromIPC, Type } = await loadArrow(file);
  try {
    // Copied, because columns are views of the bytes, which must begin at a multiple of 8.
    const { numRows: rows, schema, children } = tableFromIPC(new Uint8Array(await readFile(file)));
    return schema.fields.flatMap(({ name, type }, index) => {
      const column = children[index];
      return column === undefined ? [] : [{ name, rows, cells: cellsOf(column, type, Type) }];
    });
  } catch (error) {
    const hint = "write it again; or convert it: python3 -c \"import pandas; pandas.read_feather('FILE').to_parquet('FILE.parquet')\"";
    throw new UserError({
      code: 'import',
      message: `${file} cannot be read as Feather: ${messageOf(error)}`,
      hint: hint.replaceAll('FILE', file),
    });
  }
}

type Types = typeof import('@uwdata/flechette').Type;

/** Returns the function that writes a row of a column as text. Times are in milliseconds, with fractions. */
function cellsOf(column: Column<unknown>, type: DataType, { Timestamp, Date: Day, Float }: Types): CellText {
  if (type.typeId === Timestamp || type.typeId === Day) {
    const zone = 'timezone' in type && type.timezone !== null ? 'Z' : '';
    return (row) => {
      const value = column.at(row);
      return typeof value === 'number' ? microTimeText(BigInt(Math.round(value * 1_000))) + zone : '';
    };
  }
  if (type.typeId === Float && 'precision' in type && type.precision === SINGLE)
    return (row) => {
      const value = column.at(row);
      return typeof value === 'number' ? shortestSingle(value) : '';
    };
  return (row) => valueText(column.at(row));
}

/** Arrow's number of single precision. */
const SINGLE = 1;

const loadPackages = () => Promise.all([import('@uwdata/flechette'), import('lz4-napi')]);

/** Loads the reader of Arrow files with both codecs of Arrow. Rejects with a `UserError` if a package is not installed. */
export async function loadArrow(file: string, packages = loadPackages): Promise<typeof import('@uwdata/flechette')> {
  try {
    const [arrow, { decompressFrameSync }] = await packages();
    const { setCompressionCodec, CompressionType } = arrow;
    setCompressionCodec(CompressionType.LZ4_FRAME, {
      decode: (packed) => new Uint8Array(decompressFrameSync(Buffer.from(packed))),
      encode: onlyRead,
    });
    setCompressionCodec(CompressionType.ZSTD, {
      decode: (packed, length) => decompress(packed, new Uint8Array(length)),
      encode: onlyRead,
    });
    return arrow;
  } catch (error) {
    throw new UserError({
      code: 'import',
      message: `${file} is a Feather file, and the packages that read it cannot be loaded: ${messageOf(error)}`,
      hint: 'install them: npm install @uwdata/flechette lz4-napi',
    });
  }
}

function onlyRead(): never {
  throw new Error('Feather files are only read');
}
