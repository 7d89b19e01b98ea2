// The report of a backtest as a PNG. Only a browser can draw it, so the picture carries the hash of the page that it shows, which needs no browser to
// check: if the figures, the charts, the script or the style change, the picture is out of date.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { runProgram } from '../../src/program/program.ts';
import { CHROMIUM_FLAGS } from '../chromium.ts';
import { FakeHost } from '../unit/cli/fake-host.ts';

/** The command whose report is shown; README.md shows it too. */
const COMMAND = ['backtest', '--strategy', 'grid', '--tape', 'backtest-data/btcusdc-1h.tape'];
/** The heading, the tiles and the charts of equity, drawdown, price and position. */
const SIZE = '1100,1410';

/** Returns the page of the report. */
export async function reportPage(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  try {
    const page = join(folder, 'report.html');
    const host = new FakeHost();
    const code = await runProgram([...COMMAND, '--report', page], host);
    if (code !== 0) throw new Error(`the backtest ended with ${code}: ${host.stderr.text}`);
    return readFileSync(page, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the SHA-256 of the parts of a page that the picture shows: all but the tables under the charts. */
export function hashOfShown(page: string): string {
  const [above, tables] = page.split('<section><h2>Figures</h2>');
  const [, data] = (tables ?? '').split('<script type="application/json" id="data">');
  if (above === undefined || data === undefined) throw new Error('the page has no figures or no data');
  return createHash('sha256').update(above).update(data).digest('hex');
}

/** Returns the picture of a page, with its hash in the text chunk `KEYWORD`. */
export async function drawn(page: string, chromium: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  try {
    const [html, png] = [join(folder, 'report.html'), join(folder, 'report.png')];
    writeFileSync(html, page);
    const options = ['--hide-scrollbars', `--window-size=${SIZE}`, `--user-data-dir=${join(folder, 'profile')}`, `--screenshot=${png}`];
    await promisify(execFile)(chromium, [...CHROMIUM_FLAGS, ...options, pathToFileURL(html).href]);
    return withText(readFileSync(png), hashOfShown(page));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const KEYWORD = 'Report';
/** Bytes of the signature and the header of a PNG; further chunks follow. */
const HEADER = 8 + 25;

/** Inserts a tEXt chunk: length, type, keyword, NUL, text, CRC-32 of type and data (PNG specification, 11.3.3.2). */
function withText(png: Buffer, text: string): Buffer {
  const data = Buffer.from(`tEXt${KEYWORD}\0${text}`, 'latin1');
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length - 4);
  crc.writeUInt32BE(crc32(data));
  return Buffer.concat([png.subarray(0, HEADER), length, data, crc, png.subarray(HEADER)]);
}

/** Returns the hash in a picture of `drawn`; undefined if it has none. */
export const hashIn = (png: Buffer): string | undefined =>
  new RegExp(`^tEXt${KEYWORD}\\0([0-9a-f]{64})`).exec(png.subarray(HEADER + 4, HEADER + 4 + 128).toString('latin1'))?.[1];
