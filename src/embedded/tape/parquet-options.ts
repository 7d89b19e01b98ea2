// How Parquet files are read: the codecs that the library lacks (gzip, Brotli, Zstandard), and times in microseconds.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decompress } from 'fzstd';
import type { Compressors } from 'hyparquet';

/** The output of a page is limited to the length that its header states. */
export const COMPRESSORS: Compressors = {
  GZIP: (bytes, size) => gunzipSync(bytes, { maxOutputLength: Math.max(1, size) }),
  BROTLI: (bytes, size) => brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, size) }),
  ZSTD: (bytes, size) => decompress(bytes, new Uint8Array(size)),
};

/** Converts times and dates to microseconds since 1970. */
export const TIMES_IN_MICROS = {
  timestampFromMilliseconds: (millis: bigint | undefined) => millis && millis * 1_000n,
  timestampFromMicroseconds: (micros: bigint | undefined) => micros,
  timestampFromNanoseconds: (nanos: bigint | undefined) => nanos && nanos / 1_000n,
  dateFromDays: (days: number | undefined) => (days === undefined ? undefined : BigInt(days) * 86_400_000_000n),
};
