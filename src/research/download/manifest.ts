// `download.json`: what a folder of downloaded history holds, what is missing, and the hashes of its files.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, UserError } from '../../base/errors.ts';
import { readTextFile } from '../../base/files/text-file.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import { temporaryName } from '../../embedded/tape/source.ts';

export const MANIFEST = 'download.json';

const time = z.number().int();
/** A name without a path, so that a manifest from somebody else cannot name a file outside its folder. */
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.-]*$/);

const file = z.object({
  /** In the folder of its market. */
  name,
  /** What was asked for: milliseconds, `to` exclusive. */
  from: time,
  to: time,
  rows: z.number().int(),
  /** Times of the first and the last row; absent if there are none. */
  first: time.optional(),
  last: time.optional(),
  /** For candles: how many are missing between the first and the last one, and the longest gaps, `to` exclusive. */
  missing: z.number().int(),
  gapCount: z.number().int(),
  gaps: z.array(z.object({ from: time, to: time })),
  /** Rows that were left out, by reason. */
  leftOut: z.record(z.string(), z.number().int()),
  /** Of the file as it is stored. */
  sha256: z.string(),
});

const series = z.object({
  /** Where the history of the exchange begins, if that is later than asked. */
  begins: time.optional(),
  files: z.array(file),
});

const market = z.object({
  /** The folder of its files. */
  folder: name,
  kind: z.enum(['spot', 'perp']),
  /** Base tokens of one contract, a decimal: volumes were multiplied by it. */
  contractSize: z.string(),
  /** True once all of `since` to `until` is there. */
  complete: z.boolean(),
  candles: series,
  funding: series.optional(),
  trades: series.optional(),
  /** `of`: a hash over the hashes of the files from which the tape was made. */
  tape: z.object({ file: name, of: z.string() }).optional(),
});

const manifest = z.object({
  version: z.literal(1),
  /** `hyperliquid` or `ccxt:NAME`. */
  from: z.string(),
  /** The program or library that asked, with its version. */
  library: z.string(),
  /** The length of a candle, in milliseconds. */
  intervalMs: time,
  /** What was asked for last: milliseconds, `until` exclusive. */
  since: time,
  until: time,
  /** The command that continues the download. */
  command: z.string(),
  /** By the exchange's name. */
  markets: z.record(z.string(), market),
});

export type StoredFile = z.output<typeof file>;
export type StoredSeries = z.output<typeof series>;
export type StoredMarket = z.output<typeof market>;
export type Manifest = z.output<typeof manifest>;

/** Returns the manifest of a folder; undefined if it has none. Throws a UserError `download` if it cannot be read. */
export function readManifest(folder: string): Manifest | undefined {
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) return undefined;
  try {
    return manifest.parse(readJson(readTextFile(path, JSON_LIMITS.file.maxBytes), JSON_LIMITS.file));
  } catch (error) {
    const reason = error instanceof z.ZodError ? (error.issues[0]?.message ?? '') : messageOf(error);
    throw new UserError({
      code: 'download',
      message: `it is not what a download writes: ${reason}`,
      hint: 'download into another folder, or remove this one',
      place: { file: path },
    });
  }
}

/** Replaces the manifest. */
export function writeManifest(folder: string, content: Manifest): void {
  const path = join(folder, MANIFEST);
  writeFileSync(temporaryName(path), `${JSON.stringify(content, undefined, 1)}\n`);
  renameSync(temporaryName(path), path);
}

/** The hash of a file; undefined if it is missing. */
export function hashOfFile(path: string): string | undefined {
  return existsSync(path) ? hashOf(readFileSync(path)) : undefined;
}

export const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
