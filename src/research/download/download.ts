// Downloads the history of markets into a folder of checked files, with a manifest that says what is stored and what is missing.
//   sources/        who is asked: Hyperliquid by requests of our own, other exchanges through ccxt
//   series.ts       candles, funding rates and trades as rows; pages.ts asks for them page by page, beginning.ts finds the first one
//   period-file.ts  a file of rows, which continues after an interruption; manifest.ts lists the files
//   coverage.ts     what is missing; tape-folder.ts makes tapes of a downloaded folder
import { join } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { resolutionText } from '../../bot/domain/candle.ts';
import { beginningOf } from './beginning.ts';
import {
  hashOfFile,
  type Manifest,
  readManifest,
  type StoredFile,
  type StoredMarket,
  type StoredSeries,
  writeManifest,
} from './manifest.ts';
import { downloadPeriod } from './period-file.ts';
import { type HistorySeries, periodEnd, periodName } from './series.ts';
import type { HistoryMarket, HistorySource } from './sources/source.ts';

export interface DownloadOptions {
  readonly source: HistorySource;
  readonly folder: string;
  /** The exchange's names. */
  readonly markets: readonly string[];
  /** Length of a candle. */
  readonly span: Millis;
  readonly since: Millis;
  /** Exclusive; absent: until now. */
  readonly until?: Millis | undefined;
  readonly funding: boolean;
  readonly trades: boolean;
  /** The command that continues the download. */
  readonly command: string;
  /** Called with the fraction that is done, 0 to 1. */
  readonly progress: (share: number, note: string) => void;
}

export interface Downloaded {
  readonly manifest: Manifest;
  /** Files that were stored already, with the right hash. */
  readonly reused: number;
  /** Files that were stored with another hash, and were downloaded again. */
  readonly damaged: readonly string[];
}

/** Throws a UserError `download` for wrong options before anything is written, and `exchange` if the exchange does not answer. */
export async function download(options: DownloadOptions): Promise<Downloaded> {
  const { source, folder, markets, span, since } = options;
  const before = readManifest(folder);
  checkSame(before, options);
  const found: HistoryMarket[] = [];
  for (const name of markets) found.push(await source.market(name));
  checkFolders(found, before);
  const plan = found.map((market) => ({ market, series: seriesOf(market, options) }));
  // Only candles that have ended: the running one is after this moment.
  const now = Math.floor((await source.now()) / span) * span;
  const until = Math.min(options.until === undefined ? now : Math.ceil(options.until / span) * span, now);
  if (since >= until)
    throw wrong(
      `no candle of ${resolutionText(span)} has ended between --since and --until`,
      'write an earlier --since, or a later --until',
    );
  const job = new DownloadJob(options, { since: Math.ceil(since / span) * span, until, before });
  for (const [index, { market, series }] of plan.entries()) await job.downloadMarket(market, series, index);
  return job.result();
}

/** Returns the series to download of a market. Throws a UserError if the exchange does not offer one of them. */
function seriesOf(market: HistoryMarket, { source, span, funding, trades }: DownloadOptions): readonly HistorySeries[] {
  const { from } = source;
  const wanted: HistorySeries[] = [source.candles(market, span)];
  if (funding && market.kind === 'perp')
    wanted.push(requireOffered(source.funding(market), `${from} publishes no history of funding rates`, '--funding'));
  if (trades) wanted.push(requireOffered(source.trades(market), `${from} publishes no history of trades`, '--trades'));
  return wanted;
}

function requireOffered(series: HistorySeries | undefined, message: string, flag: string): HistorySeries {
  if (series === undefined) throw wrong(message, `leave ${flag} out`);
  return series;
}

/** Throws a UserError if the folder has candles of another exchange or length. Other markets can be added. */
function checkSame(before: Manifest | undefined, { source: { from }, span, folder }: DownloadOptions): void {
  if (before === undefined || (before.from === from && before.intervalMs === span)) return;
  throw wrong(
    `${folder} has candles of ${resolutionText(before.intervalMs)} from ${before.from}; asked for are ${resolutionText(span)} from ${from}`,
    'choose another --out; a folder above both can be given to --tape',
  );
}

/** Throws a UserError if two markets, of the command or stored earlier, would share a folder. */
function checkFolders(markets: readonly HistoryMarket[], before: Manifest | undefined): void {
  const owners = new Map(Object.entries(before?.markets ?? {}).map(([name, { folder }]) => [folder, name]));
  for (const { name } of markets) {
    const folder = folderOf(name);
    const owner = owners.get(folder) ?? name;
    if (owner !== name) throw wrong(`${name} and ${owner} would share the folder ${folder}`, 'give each an --out of its own');
    owners.set(folder, name);
  }
}

/** The name of the folder of a market: `BTC-USDT-USDT`. */
const folderOf = (name: string): string => name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');

/** One download: writes the files and the manifest, and counts what it reused. */
class DownloadJob {
  readonly #options: DownloadOptions;
  readonly #range: { readonly since: Millis; readonly until: Millis };
  #manifest: Manifest;
  #reused = 0;
  readonly #damaged: string[] = [];

  constructor(options: DownloadOptions, { since, until, before }: { since: Millis; until: Millis; before: Manifest | undefined }) {
    const { source, span, command } = options;
    this.#options = options;
    this.#range = { since, until };
    const asked = { from: source.from, library: source.library, intervalMs: span, since, until, command };
    this.#manifest = { version: 1, ...asked, markets: before?.markets ?? {} };
  }

  result(): Downloaded {
    return { manifest: this.#manifest, reused: this.#reused, damaged: this.#damaged };
  }

  /** Downloads what is missing of a market. `index`: its place among those of the command. */
  async downloadMarket(market: HistoryMarket, wanted: readonly HistorySeries[], index: number): Promise<void> {
    const { name, kind, contractSize } = market;
    const folder = folderOf(name);
    const before = this.#manifest.markets[name] ?? { candles: { files: [] } };
    this.#saveMarket(name, { ...before, folder, kind, contractSize, complete: false });
    for (const [at, series] of wanted.entries()) {
      const share = (reached: Millis): void => this.#report(name, { index, part: (at + this.#share(reached)) / wanted.length });
      await this.#downloadSeries(market, series, share);
    }
    this.#saveMarket(name, { ...this.#stored(name), complete: true });
  }

  async #downloadSeries(market: HistoryMarket, series: HistorySeries, onPage: (reached: Millis) => void): Promise<void> {
    const { since, until } = this.#range;
    const before: StoredSeries = this.#stored(market.name)[series.name] ?? { files: [] };
    const begins = await this.#findBeginning(market, series, before);
    const saveFiles = (files: readonly StoredFile[]): void => {
      const sorted = files.toSorted((a, b) => a.from - b.from);
      const stored = { files: sorted, ...(begins !== since && { begins: begins ?? until }) };
      this.#saveMarket(market.name, { ...this.#stored(market.name), [series.name]: stored });
    };
    let files: readonly StoredFile[] = before.files;
    saveFiles(files);
    for (let from = begins ?? until; from < until; from = periodEnd(series.period, from)) {
      const to = Math.min(until, periodEnd(series.period, from));
      const name = this.#nameOf(series, from);
      const others = files.filter((file) => file.name !== name);
      const stored = files.find((file) => file.name === name);
      const folder = join(this.#options.folder, this.#stored(market.name).folder);
      const isComplete = stored !== undefined && stored.from <= from && stored.to >= to && this.#isWhole(folder, stored);
      if (isComplete) this.#reused++;
      else files = [...others, await downloadPeriod({ series, folder, name, from: Math.min(from, stored?.from ?? from), to, onPage })];
      saveFiles(files);
      onPage(to);
    }
  }

  /** Returns the time of the first row. Does not ask the exchange if an earlier download found it. */
  async #findBeginning(market: HistoryMarket, series: HistorySeries, before: StoredSeries): Promise<Millis | undefined> {
    const { since, until } = this.#range;
    if (before.begins !== undefined && before.begins >= since && before.begins < until) return before.begins;
    if (before.files.some(({ from, to }) => from <= since && to > since)) return since;
    const { source, span } = this.#options;
    const days = series.name === 'candles' && span < FOUND_BY_DAYS_BELOW ? source.days(market) : undefined;
    const first = await beginningOf(series, { from: since, to: until, days });
    // Funding rates and trades seldom have a row at `since` itself: a first row less than a page after it counts as `since`.
    return first === undefined || first >= since + series.pageMs ? first : since;
  }

  #isWhole(folder: string, { name, sha256 }: StoredFile): boolean {
    const found = hashOfFile(join(folder, name));
    if (found !== undefined && found !== sha256) this.#damaged.push(name);
    return found === sha256;
  }

  #nameOf({ name, period }: HistorySeries, time: Millis): string {
    const length = name === 'candles' ? `-${resolutionText(this.#options.span)}` : '';
    return `${name}${length}-${periodName(period, time)}.csv.gz`;
  }

  #stored(name: string): StoredMarket {
    const found = this.#manifest.markets[name];
    if (found === undefined) throw new Error(`${name} is not in the manifest`);
    return found;
  }

  #saveMarket(name: string, market: StoredMarket): void {
    this.#manifest = { ...this.#manifest, markets: { ...this.#manifest.markets, [name]: market } };
    writeManifest(this.#options.folder, this.#manifest);
  }

  #share(reached: Millis): number {
    const { since, until } = this.#range;
    return Math.min(1, Math.max(0, (reached - since) / (until - since)));
  }

  #report(name: string, { index, part }: { index: number; part: number }): void {
    const { markets, source, progress } = this.#options;
    progress((index + part) / markets.length, `${name}, ${source.requests} requests`);
  }
}

/** For candles shorter than this, the beginning is found from daily candles, which needs fewer requests. */
const FOUND_BY_DAYS_BELOW: Millis = 86_400_000;

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'download', message, hint });
