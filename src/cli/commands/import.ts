// `bot import`: recordings that others made become a tape, and what was checked on the way is told.
import { checksText, type ImportFormat, importTape } from '../../tape/import/import.ts';
import { type ExitCode, type Host, say } from '../host.ts';
import { progressOf } from '../output/progress.ts';

export interface ImportFlags {
  readonly from: ImportFormat;
  readonly market: string;
  readonly out: string;
  readonly priceDecimals?: number;
  readonly sizeDecimals?: number;
  readonly imf?: number;
  readonly mmf?: number;
  readonly cmf?: number;
  readonly json?: true;
}

export async function importFiles(files: readonly string[], flags: ImportFlags, host: Host): Promise<ExitCode> {
  const { from, market, out, json, ...overrides } = flags;
  const progress = progressOf('import', host);
  try {
    const report = await importTape({ from, files, market, out, overrides, progress: progress.at });
    progress.end();
    if (json) say(host.stdout, JSON.stringify({ kind: 'import', out, ...report }));
    else for (const line of checksText(report)) say(host.stdout, line);
    return 0;
  } finally {
    progress.end();
  }
}
