// The codecs of Parquet pages that the Parquet library lacks: gzip, Brotli and Zstandard. Snappy is built in.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decompress } from 'fzstd';
import type { Compressors } from 'hyparquet';

/** The output of a page is limited to the length that its header states. */
export const COMPRESSORS: Compressors = {
  GZIP: (bytes, size) => gunzipSync(bytes, { maxOutputLength: Math.max(1, size) }),
  BROTLI: (bytes, size) => brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, size) }),
  ZSTD: (bytes, size) => decompress(bytes, new Uint8Array(size)),
};
