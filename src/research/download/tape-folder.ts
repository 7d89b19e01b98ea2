// Finds the tapes below a folder, and makes the missing ones from downloaded files.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, UserError } from '../../base/errors.ts';
import { resolutionText } from '../../bot/domain/candle.ts';
import { STAMPS_PER_MILLI } from '../../embedded/rows/rows.ts';
import { hashOf, MANIFEST, type Manifest, readManifest, type StoredMarket, writeManifest } from './manifest.ts';

type OnProgress = (share: number, note: string) => void;

/** Returns the paths of all tapes below a folder, sorted. Throws a UserError if there are none, or if a download below it is not complete. */
export async function tapesBelow(folder: string, progress: OnProgress): Promise<readonly string[]> {
  const files = filesBelow(folder);
  const downloads = files.filter((file) => file.endsWith(`/${MANIFEST}`)).map((file) => dirname(file));
  for (const download of downloads) await tapesOfDownload(download, progress);
  const tapes = (downloads.length === 0 ? files : filesBelow(folder)).filter((file) => file.endsWith('.tape'));
  if (tapes.length > 0) return tapes;
  throw new UserError({
    code: 'tape',
    message: `${folder} has no tapes and no downloaded candles`,
    hint: 'give a file, or a folder that download, record or import wrote',
  });
}

function filesBelow(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).toSorted();
  } catch (error) {
    throw new UserError({ code: 'tape', message: `${folder} cannot be read: ${messageOf(error)}`, hint: 'check the path' });
  }
}

async function tapesOfDownload(folder: string, progress: OnProgress): Promise<void> {
  const names = Object.entries(readManifest(folder)?.markets ?? {});
  for (const [index, [name, market]] of names.entries()) {
    const manifest = readManifest(folder);
    if (manifest === undefined) return;
    if (!market.complete)
      throw new UserError({
        code: 'tape',
        message: `the download of ${name} in ${folder} is not complete`,
        hint: `continue it: ${manifest.command}`,
      });
    await tapeOfMarket(folder, { name, manifest, progress: (share) => progress((index + share) / names.length, name) });
  }
}

interface TapeOptions {
  readonly name: string;
  readonly manifest: Manifest;
  readonly progress: (share: number) => void;
}

/**
 * Returns the path of a market's tape; undefined if the market has no candles. Makes the tape unless there is one of the same files. Throws a UserError if a
 * tape cannot hold the market.
 */
export async function tapeOfMarket(folder: string, { name, manifest, progress }: TapeOptions): Promise<string | undefined> {
  const market = manifest.markets[name];
  const files = market === undefined ? [] : filesOf(market);
  if (market === undefined || !files.some((file) => market.candles.files.includes(file))) return undefined;
  const filesHash = hashOf(files.map(({ sha256 }) => sha256).join('\n'));
  const file = `${market.folder}-${resolutionText(manifest.intervalMs)}.tape`;
  const out = join(folder, file);
  if (market.tape?.of === filesHash && existsSync(out)) return out;
  const { importTape } = await import('../import/import.ts'); // a backtest of a tape needs no format of another program
  await importTape({
    from: 'candles',
    files: files.map((stored) => join(folder, market.folder, stored.name)),
    market: name,
    out,
    interval: manifest.intervalMs * STAMPS_PER_MILLI,
    overrides: { kind: market.kind },
    progress,
  });
  writeManifest(folder, { ...manifest, markets: { ...manifest.markets, [name]: { ...market, tape: { file, of: filesHash } } } });
  return out;
}

/** Returns the files of candles and funding that have rows. Trades are left out: a tape of candles has none. */
const filesOf = ({ candles, funding }: StoredMarket): StoredMarket['candles']['files'] =>
  [...candles.files, ...(funding?.files ?? [])].filter(({ rows }) => rows > 0);
