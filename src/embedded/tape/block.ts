// The body of a block: up to 65,536 rows, stored column by column as byte planes, each deflated if that makes it smaller. A byte plane is the same byte of
// every value of a column; value = base + unit × number (`column.ts`).
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import { isCode, type Rows, type Stamp } from '../rows/rows.ts';
import { cumulativeSum, MAX_PLANES, MAX_ROWS, type PackedColumn, packColumn, paddedRows, unpackColumn, wordsOf } from './column.ts';

/*
 * Layout of a body: one entry per column, in the order codes, time deltas, lags, prices, sizes, and order ids if the tape has them; then the
 * incompressible planes as they are; then all other planes, deflated together.
 * Layout of an entry: base and unit (doubles), number of planes (byte), bit mask of the incompressible planes (byte), two bytes of padding.
 */
const ENTRY = 20;
export const MAX_BODY = 6 * (ENTRY + MAX_PLANES * MAX_ROWS);

const DEFLATE_LEVEL = 6;
/** A plane is stored uncompressed if its first bytes do not deflate below this fraction of their size: inflating it would cost more than it saves. */
const MAX_DEFLATED_SHARE = 0.6;
const SAMPLE = 4_096;

/** Deflating is slow and runs off the main thread. Inflating takes a tenth of the time, less than a transfer between threads, and runs on it. */
const deflated = promisify<Uint8Array, { level: number }, Uint8Array>(deflateRaw);

/** Returns the body of a block with these rows, at most `MAX_ROWS`. */
export async function packBlock({ codes, times, lags, prices, sizes, orders }: Rows): Promise<Uint8Array> {
  const columns = [asPlane(codes), ...[stepsOf(times), lags, prices, sizes, ...(orders === undefined ? [] : [orders])].map(packColumn)];
  const list = new DataView(new ArrayBuffer(columns.length * ENTRY));
  const incompressible: Uint8Array[] = [];
  const compressible: Uint8Array[] = [];
  for (const [index, { base, unit, planes }] of columns.entries()) {
    const at = index * ENTRY;
    list.setFloat64(at, base, true);
    list.setFloat64(at + 8, unit, true);
    list.setUint8(at + 16, planes.length);
    for (const [byte, plane] of planes.entries()) {
      const isRaw = isIncompressible(plane);
      if (isRaw) list.setUint8(at + 17, list.getUint8(at + 17) | (1 << byte));
      (isRaw ? incompressible : compressible).push(plane);
    }
  }
  return Buffer.concat([
    new Uint8Array(list.buffer),
    ...incompressible,
    await deflated(Buffer.concat(compressible), { level: DEFLATE_LEVEL }),
  ]);
}

/** Codes are already bytes: they are one plane. */
function asPlane(codes: Uint8Array): PackedColumn {
  const plane = new Uint8Array(paddedRows(codes.length));
  plane.set(codes);
  return { base: 0, unit: 1, planes: [plane] };
}

/** Time differences from row to row: small numbers, never negative. */
function stepsOf(times: Float64Array): Float64Array {
  const steps = new Float64Array(times.length);
  for (let row = 1; row < steps.length; row++) steps[row] = times[row]! - times[row - 1]!;
  return steps;
}

function isIncompressible(plane: Uint8Array): boolean {
  const sample = plane.subarray(0, SAMPLE);
  return deflateRawSync(sample, { level: 1 }).length > MAX_DEFLATED_SHARE * sample.length;
}

/** The properties of a body, from the head of its block. */
export interface Extent {
  readonly rows: number;
  /** Exchange times of the first and the last row. */
  readonly first: Stamp;
  readonly last: Stamp;
  /** True if the rows have order ids. */
  readonly orders: boolean;
}

/** Thrown for a damaged block; the message says what is wrong with it. */
export class BlockError extends Error {
  override readonly name = 'BlockError';
}

/** Allocates that many bytes; their content is undefined. */
export type BlockMemory = (bytes: number) => ArrayBuffer;

/** Returns the rows of a body. Throws a BlockError if the body does not fit `extent`. */
export function unpackBlock(body: Uint8Array, extent: Extent, memory: BlockMemory): Rows {
  const [codes, steps, lags, prices, sizes, orders] = columnsOf(body, extent);
  const { rows } = extent;
  const padded = paddedRows(rows);
  const doubles = orders === undefined ? 3 : 4;
  // Doubles: times, lags, sizes, and order ids if the tape has them; then prices as 32-bit integers; then codes as bytes.
  const block = memory(padded * (doubles * 8 + 5));
  const double = (index: number): Float64Array => new Float64Array(block, index * padded * 8, padded);
  return {
    count: rows,
    times: timesOf(cumulativeSum(unpackColumn(double(0), steps!), extent.first).subarray(0, rows), extent),
    lags: lags!.planes.length === 0 ? constant(lags!.base, rows) : unpackColumn(double(1), lags!).subarray(0, rows),
    sizes: unpackColumn(double(2), sizes!).subarray(0, rows),
    orders: orders && unpackColumn(double(3), orders).subarray(0, rows),
    prices: unpackColumn(new Int32Array(block, doubles * padded * 8, padded), prices!).subarray(0, rows),
    codes: codesOf(new Uint8Array(block, doubles * padded * 8 + padded * 4, rows), codes!),
  };
}

function timesOf(times: Float64Array, { rows, last }: Extent): Float64Array {
  if (times[rows - 1] !== last) throw new BlockError('its last time is not the one in its head');
  return times;
}

/** Returns a column with one value, such as the lags of a recorder without receive times. Blocks share one array, since rows are never changed. */
function constant(value: number, rows: number): Float64Array {
  if (newestConstant[0] !== value) newestConstant = new Float64Array(MAX_ROWS).fill(value);
  return newestConstant.subarray(0, rows);
}

let newestConstant = new Float64Array(0);
const KNOWN = Uint8Array.from({ length: 256 }, (_, code) => Number(isCode(code)));

function codesOf(codes: Uint8Array, { planes: [plane] }: PackedColumn): Uint8Array {
  codes.set(plane!.subarray(0, codes.length));
  const words = wordsOf(plane!.subarray(0, codes.length & ~3));
  let allKnown = codes.subarray(codes.length & ~3).every(isCode) ? 1 : 0;
  for (let word = 0; word < words.length; word++) {
    const four = words[word]!;
    allKnown &= KNOWN[four & 0xff]! & KNOWN[(four >>> 8) & 0xff]! & KNOWN[(four >>> 16) & 0xff]! & KNOWN[four >>> 24]!;
  }
  if (allKnown === 0) throw new BlockError(`it has a row with the unknown code ${codes.find((code) => !isCode(code))}`);
  return codes;
}

function columnsOf(body: Uint8Array, { rows, orders }: Extent): readonly PackedColumn[] {
  const entries = entriesOf(body, orders ? 6 : 5);
  const padded = paddedRows(rows);
  const isRaw = entries.flatMap((entry) => entry.isRaw);
  const start = entries.length * ENTRY;
  const end = start + isRaw.filter(Boolean).length * padded;
  if (end > body.length) throw new BlockError('its list of columns is not valid');
  const nextIncompressible = slices(body.subarray(start, end), padded);
  const nextCompressible = slices(inflatedTo(isRaw.length * padded - (end - start), body.subarray(end)), padded);
  return entries.map(({ base, unit, isRaw }) => ({
    base,
    unit,
    planes: isRaw.map((raw) => (raw ? nextIncompressible() : nextCompressible())),
  }));
}

interface Entry {
  readonly base: number;
  readonly unit: number;
  /** One flag per plane: true if it is stored uncompressed. */
  readonly isRaw: readonly boolean[];
}

function entriesOf(body: Uint8Array, count: number): readonly Entry[] {
  if (body.length < count * ENTRY) throw new BlockError('its list of columns is truncated');
  const list = new DataView(body.buffer, body.byteOffset, count * ENTRY);
  const entries = Array.from({ length: count }, (_, index) => ({
    base: list.getFloat64(index * ENTRY, true),
    unit: list.getFloat64(index * ENTRY + 8, true),
    isRaw: Array.from({ length: list.getUint8(index * ENTRY + 16) }, (_, byte) => ((list.getUint8(index * ENTRY + 17) >> byte) & 1) === 1),
  }));
  const [codes, steps] = entries;
  const isSound = entries.every(
    ({ base, unit, isRaw }) => Number.isSafeInteger(base) && Number.isSafeInteger(unit) && unit > 0 && isRaw.length <= MAX_PLANES,
  );
  if (!isSound || codes!.isRaw.length !== 1 || steps!.base < 0) throw new BlockError('its list of columns is not valid');
  return entries;
}

/** Returns a function that returns the next `length` bytes at each call. */
function slices(bytes: Uint8Array, length: number): () => Uint8Array {
  let end = 0;
  return () => {
    end += length;
    return bytes.subarray(end - length, end);
  };
}

/** What zlib returns with `info`: the bytes, and the object that made them. */
interface Inflated {
  readonly buffer: Uint8Array;
  readonly engine: { _outBuffer: Uint8Array | undefined };
}

/**
 * Returns the inflated bytes. Since Node 24 zlib's object lives, with its last buffer, until a collection of the old generation: 60 MB of a long tape. So
 * the buffer is taken from it. Detaching the buffer instead makes access to all typed arrays slower.
 */
function inflatedTo(length: number, bytes: Uint8Array): Uint8Array {
  const options = { chunkSize: Math.max(length + 1, 64), maxOutputLength: length + 1, info: true }; // one chunk
  try {
    const { buffer, engine } = inflateRawSync(bytes, options) as unknown as Inflated;
    engine._outBuffer = undefined;
    if (buffer.length === length) return buffer;
  } catch {
    // thrown below
  }
  throw new BlockError(`it does not inflate to the ${length} bytes of its columns`);
}
