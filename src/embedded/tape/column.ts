// A column of integers as byte planes: the minimum is subtracted, the common divisor divided out, and the bytes of equal weight stored together.
// A constant column takes no space, a narrow one little; bytes that rarely change are adjacent and deflate well.
// The loops are hot. They use an index, because an iterator over a typed array takes six times as long; those for reading read a plane by words, four rows
// at once, because the access costs more than splitting the word.

export type TapeColumn = Float64Array | Int32Array;

/** A value is `base + unit × n`. The planes hold `n`, lowest byte first; each is `paddedRows(rows)` bytes long. */
export interface PackedColumn {
  readonly base: number;
  readonly unit: number;
  readonly planes: readonly Uint8Array[];
}

/** Maximum number of rows in a column. */
export const MAX_ROWS = 65_536;
/** Number of bytes of an integer below 2^53. */
export const MAX_PLANES = 7;

const WORD = 2 ** 32;
const EVEN = 0x00ff00ff;
const ODD = 0xff00ff00;
const ZEROS = new Uint32Array(MAX_ROWS / 4);

/** Rows rounded up to whole words of four. Columns and planes are processed word by word; values after the last row are undefined. */
export const paddedRows = (rows: number): number => (rows + 3) & ~3;

/** Packs integers that lie less than 2^53 apart. */
export function packColumn(values: TapeColumn): PackedColumn {
  let least = values[0] ?? 0;
  let most = least;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const unit = commonUnit(values, least);
  const planes: Uint8Array[] = [];
  for (let weight = unit; weight <= most - least; weight *= 256) planes.push(planeOf(values, { least, unit, byte: planes.length }));
  return { base: least, unit, planes };
}

/** Returns the greatest common divisor of the differences to `least`; 1 if all values are equal. */
function commonUnit(values: TapeColumn, least: number): number {
  let unit = 0;
  for (let row = 0; row < values.length && unit !== 1; row++) {
    let rest = values[row]! - least;
    while (rest !== 0) [unit, rest] = [rest, unit % rest];
  }
  return Math.max(unit, 1);
}

function planeOf(values: TapeColumn, { least, unit, byte }: { least: number; unit: number; byte: number }): Uint8Array {
  const plane = new Uint8Array(paddedRows(values.length));
  const divisor = byte < 4 ? unit : unit * WORD; // shifts work on 32 bits
  const shift = 8 * (byte % 4);
  for (let row = 0; row < values.length; row++) plane[row] = ((values[row]! - least) / divisor) >>> shift;
  return plane;
}

/** Writes the values of a packed column into `values`, whose length is a multiple of four, and returns it. */
export function unpackColumn<Values extends TapeColumn>(values: Values, { base, unit, planes }: PackedColumn): Values {
  const [lowest, ...others] = planes.map(wordsOf);
  if (lowest === undefined) values.fill(base);
  else if (others.length < 2) fillNarrow(values, base, unit, lowest, others[0]);
  else fill(values, base, unit, lowest, others);
  if (planes.length > 4) addTo(values, { base: 0, unit: unit * WORD, planes: planes.slice(4) });
  return values;
}

/**
 * Fills from the lowest four planes: a, b, c and d. A word of a plane holds its byte of rows 0 to 3, row 0 lowest. `evenLow` gets the lower 16 bits of
 * rows 0 and 2, from the planes a and b; `oddLow` those of rows 1 and 3; `evenHigh` and `oddHigh` the upper 16 bits, from c and d.
 */
function fill(
  values: TapeColumn,
  base: number,
  unit: number,
  lowest: Uint32Array,
  [second = ZEROS, third = ZEROS, fourth = ZEROS]: Uint32Array[],
): void {
  for (let word = 0, row = 0; word < lowest.length; word++, row += 4) {
    const a = lowest[word]!;
    const b = second[word]!;
    const c = third[word]!;
    const d = fourth[word]!;
    const evenLow = (a & EVEN) | ((b & EVEN) << 8);
    const oddLow = ((a >>> 8) & EVEN) | (b & ODD);
    const evenHigh = (c & EVEN) | ((d & EVEN) << 8);
    const oddHigh = ((c >>> 8) & EVEN) | (d & ODD);
    values[row] = base + unit * (((evenLow & 0xffff) | (evenHigh << 16)) >>> 0);
    values[row + 1] = base + unit * (((oddLow & 0xffff) | (oddHigh << 16)) >>> 0);
    values[row + 2] = base + unit * (((evenLow >>> 16) | (evenHigh & 0xffff0000)) >>> 0);
    values[row + 3] = base + unit * (((oddLow >>> 16) | (oddHigh & 0xffff0000)) >>> 0);
  }
}

/** Fills from one or two planes, the usual case. */
function fillNarrow(values: TapeColumn, base: number, unit: number, lowest: Uint32Array, second: Uint32Array = ZEROS): void {
  for (let word = 0, row = 0; word < lowest.length; word++, row += 4) {
    const a = lowest[word]!;
    const b = second[word]!;
    const even = (a & EVEN) | ((b & EVEN) << 8);
    const odd = ((a >>> 8) & EVEN) | (b & ODD);
    values[row] = base + unit * (even & 0xffff);
    values[row + 1] = base + unit * (odd & 0xffff);
    values[row + 2] = base + unit * (even >>> 16);
    values[row + 3] = base + unit * (odd >>> 16);
  }
}

function addTo(values: TapeColumn, high: PackedColumn): void {
  const parts = new Float64Array(values.length);
  unpackColumn(parts, high);
  for (let row = 0; row < values.length; row++) values[row]! += parts[row]!;
}

/** Replaces each value by `start` plus the sum of all values up to it. The length must be a multiple of four. */
export function cumulativeSum(values: Float64Array, start: number): Float64Array {
  let sum = start;
  for (let row = 0; row < values.length; row += 4) {
    const first = values[row]!;
    const second = first + values[row + 1]!;
    const third = second + values[row + 2]!;
    const fourth = third + values[row + 3]!;
    values[row] = sum + first;
    values[row + 1] = sum + second;
    values[row + 2] = sum + third;
    sum += fourth;
    values[row + 3] = sum;
  }
  return values;
}

/** Views bytes as 32-bit words in the machine's byte order. A tape requires little-endian; on a big-endian machine (s390x) its checks fail. */
export const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): Uint32Array => new Uint32Array(buffer, byteOffset, length >> 2);
