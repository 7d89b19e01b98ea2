// Downloads from the fake of ccxt into a temporary folder, on virtual time.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { transportsByOrigin } from '../../../../src/base/transport/http.ts';
import { type Coverage, coverageOf } from '../../../../src/research/download/coverage.ts';
import { type Downloaded, type DownloadOptions, download } from '../../../../src/research/download/download.ts';
import { ccxtSource } from '../../../../src/research/download/sources/ccxt.ts';
import { driven } from '../../../driven.ts';
import { FakeCcxt, type FakeCcxtOptions } from './fake-ccxt.ts';
import { MarketHistory } from './market-history.ts';

export const MINUTE = 60_000;
/** The first minute of a month, so that a download of the minutes around it has two files. */
export const START = Date.UTC(2025, 0, 31, 23, 0);
/** In the middle of a candle. */
export const NOW = Date.UTC(2025, 1, 1, 1, 0, 30);
export const LAST_END = Date.UTC(2025, 1, 1, 1, 0);

export const minute = (count: number): number => START + count * MINUTE;

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'download-'));

export const SPOT = 'BTC/USDT';
export const oneMarket = (options: Partial<ConstructorParameters<typeof MarketHistory>[0]> = {}): FakeCcxtOptions['markets'] => ({
  [SPOT]: { history: new MarketHistory({ begins: 0, ...options }) },
});

export interface Fetched extends Downloaded {
  readonly ccxt: FakeCcxt;
  readonly coverage: Coverage;
  readonly requests: number;
}

/** Downloads the minutes from `START` on of the only market. */
export async function fetched(
  folder: string,
  { name: exchange = 'fake', ...fake }: Partial<FakeCcxtOptions> & { readonly name?: string } = {},
  options: Partial<DownloadOptions> = {},
): Promise<Fetched> {
  const ccxt = new FakeCcxt({ now: NOW, markets: oneMarket(), ...fake });
  const clock = new VirtualClock(NOW);
  const quiet = { info: () => undefined, warn: () => undefined };
  const source = ccxtSource({ ccxt, name: exchange, transports: transportsByOrigin(1), clock, rng: rngFrom('download'), log: quiet });
  const [name = ''] = Object.keys(fake.markets ?? oneMarket());
  const work = download({
    source,
    folder,
    markets: [name],
    span: MINUTE,
    since: START,
    funding: false,
    trades: false,
    command: 'bot download',
    progress: () => undefined,
    ...options,
  });
  const done = await driven(clock, work);
  const market = done.manifest.markets[name]!;
  return { ...done, ccxt, coverage: coverageOf(market, done.manifest), requests: source.requests };
}

/** The rows of all files of candles, without their headers. */
export function rowsOf(folder: string, { manifest }: Downloaded, series: 'candles' | 'funding' | 'trades' = 'candles'): string[][] {
  return Object.values(manifest.markets).flatMap((market) =>
    (market[series]?.files ?? []).flatMap(({ name }) => {
      const text = gunzipSync(readFileSync(join(folder, market.folder, name))).toString();
      return text
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(','));
    }),
  );
}

export const openingsOf = (folder: string, done: Downloaded): number[] => rowsOf(folder, done).map(([time]) => Number(time));

/** The openings of all minutes from one to another (exclusive), counted from `START`. */
export const minutes = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => minute(from + index));
