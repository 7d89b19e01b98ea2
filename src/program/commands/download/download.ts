// `bot download`: downloads history, makes a tape of each market, and prints what is there and what is missing.
import { join } from 'node:path';
import { MINUTE, type Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { COMMAND } from '../../../base/package.ts';
import { timeText } from '../../../base/text/duration.ts';
import { counted } from '../../../base/text/phrases.ts';
import { resolutionText } from '../../../bot/domain/candle.ts';
import { type Coverage, coverageOf } from '../../../research/download/coverage.ts';
import { type Downloaded, download } from '../../../research/download/download.ts';
import { readManifest, type StoredMarket } from '../../../research/download/manifest.ts';
import { historySourceOf } from '../../../research/download/sources/sources.ts';
import { tapeOfMarket } from '../../../research/download/tape-folder.ts';
import { commandText } from '../../command-text.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { withProgress } from '../../output/progress.ts';
import { logWords } from '../../output/words.ts';
import { logTo } from '../../process/logs.ts';
import { wrongValue } from '../../values.ts';
import { whileLocked } from '../tapes/tape-files.ts';
import type { DownloadFlags } from './command.ts';

/** The tape of a market; no file if it has no candles; the error if a tape cannot hold it. */
interface MadeTape {
  readonly file?: string | undefined;
  readonly error?: UserError;
}

const lengthOf = ({ candles = MINUTE }: DownloadFlags): Millis => candles;

/** Part of the progress that is downloading; the rest is making tapes. */
const DOWNLOAD_SHARE = 0.8;

export function downloadHistory(flags: DownloadFlags, host: Host): Promise<ExitCode> {
  const repeated = flags.market.find((name, index) => flags.market.indexOf(name) !== index);
  if (repeated !== undefined) throw wrongValue(`--market ${repeated} is given twice`, 'give each market once');
  return whileLocked([join(flags.out, 'download')], host, () => downloadLocked(flags, host));
}

async function downloadLocked(flags: DownloadFlags, host: Host): Promise<ExitCode> {
  const log = logTo({ write: (line) => say(host.stderr, logWords(line.trimEnd())) });
  const source = await historySourceOf(flags.from, { url: flags.url, log });
  try {
    const made = await withProgress('download', host, async (progress) => {
      const done = await download({
        source,
        folder: flags.out,
        markets: flags.market,
        span: lengthOf(flags),
        since: flags.since,
        until: flags.until,
        funding: flags.funding === true,
        trades: flags.trades === true,
        command: commandOf(flags),
        progress: (share, note) => progress(share * DOWNLOAD_SHARE, note),
      });
      return { done, tapes: await makeTapes(flags, (share, note) => progress(DOWNLOAD_SHARE + share * (1 - DOWNLOAD_SHARE), note)) };
    });
    return report(flags, { ...made, requests: source.requests, limit: source.limit }, host);
  } finally {
    await source.close();
  }
}

/** Makes a tape of each market. A market that a tape cannot hold becomes an error, and the others are still made. */
async function makeTapes(
  { out, market: names }: DownloadFlags,
  progress: (share: number, note: string) => void,
): Promise<ReadonlyMap<string, MadeTape>> {
  const made = new Map<string, MadeTape>();
  for (const [index, name] of names.entries()) {
    const manifest = readManifest(out);
    if (manifest === undefined) continue;
    try {
      const at = (share: number): void => progress((index + share) / names.length, `tape of ${name}`);
      made.set(name, { file: await tapeOfMarket(out, { name, manifest, progress: at }) });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      made.set(name, { error });
    }
  }
  return made;
}

interface CoveredMarket {
  readonly name: string;
  readonly market: StoredMarket;
  readonly coverage: Coverage;
}

interface Outcome {
  readonly done: Downloaded;
  readonly tapes: ReadonlyMap<string, MadeTape>;
  readonly requests: number;
  readonly limit: string | undefined;
}

function report(
  { market: names, out, json, until }: DownloadFlags,
  { done, tapes, requests, limit }: Outcome,
  { stdout, stderr }: Host,
): ExitCode {
  const { manifest, reused, damaged } = done;
  const endsInFuture = until !== undefined && until > manifest.until;
  for (const name of damaged) say(stderr, `${name} in ${out} was changed or damaged: it was downloaded again`);
  const covered = names.flatMap((name): readonly CoveredMarket[] => {
    const market = manifest.markets[name];
    return market === undefined ? [] : [{ name, market, coverage: coverageOf(market, manifest) }];
  });
  if (json) {
    const markets = Object.fromEntries(covered.map(({ name, market, coverage }) => [name, { ...jsonOf(coverage), kind: market.kind }]));
    say(stdout, JSON.stringify({ kind: 'summary', from: manifest.from, markets, requests, reused }));
  } else {
    const length = resolutionText(manifest.intervalMs);
    for (const row of covered) for (const line of coverageLines(row, { length, limit, tape: tapes.get(row.name) })) say(stdout, line);
    if (endsInFuture) say(stdout, `--until is in the future: the candles end at ${timeText(manifest.until)}`);
  }
  const failed = [...tapes].flatMap(([name, { error }]) => (error === undefined ? [] : [{ name, error }]));
  for (const { name, error } of failed)
    say(stderr, `error: no tape of ${name}: ${error.message}${error.hint === undefined ? '' : `\n  ${error.hint}`}`);
  return failed.length > 0 ? 1 : 0;
}

const jsonOf = ({ candles, first, last, missing, funding, trades, shortOf, leftOut }: Coverage) => ({
  candles,
  ...(first !== undefined && last !== undefined && { first: timeText(first), last: timeText(last) }),
  missing,
  ...(funding !== undefined && { funding }),
  ...(trades !== undefined && { trades }),
  ...(shortOf.length > 0 && { shortOf: shortOf.join('; ') }),
  ...(Object.keys(leftOut).length > 0 && { leftOut }),
});

/** Returns the command that repeats the download. */
function commandOf(flags: DownloadFlags): string {
  const { from, market, since, until, funding, trades, out, url } = flags;
  const candles = resolutionText(lengthOf(flags));
  const [first, last] = [since, until].map((time) => (time === undefined ? undefined : timeText(time)));
  return commandText(COMMAND, ['download'], { from, candles, since: first, until: last, funding, trades, url, market, out });
}

/** Returns what is there of a market and what is missing. `length`: that of a candle; `limit`: what limits the history of the exchange. */
function coverageLines(
  { name, market, coverage }: CoveredMarket,
  { length, limit, tape }: { length: string; limit: string | undefined; tape: MadeTape | undefined },
): readonly string[] {
  const { candles, first, last, missing, gapCount, longestGap, funding, trades, shortOf, leftOut } = coverage;
  const span = first === undefined || last === undefined ? '' : `, ${minuteText(first)} to the one of ${minuteText(last)} UTC`;
  const kind = market.kind === 'spot' ? 'spot market' : 'perpetual';
  const longest = longestGap === undefined ? '' : `, the longest ${minuteText(longestGap.from)} to ${minuteText(longestGap.to)}`;
  const inGaps =
    missing === 0 ? 'no candle between the first and the last' : `${many(missing, 'candle')} in ${many(gapCount, 'gap')}${longest}`;
  const rows: readonly (readonly [string, string])[] = [
    ...shortOf.map((text) => ['short of', limit === undefined ? text : `${text}; ${limit}`] as const),
    ['missing', inGaps],
    ...Object.entries(leftOut).map(([reason, count]) => ['left out', `${count.toLocaleString('en-US')} ${reason}`] as const),
    ...(market.contractSize === '1' ? [] : [['contract', `${market.contractSize} base tokens; volumes are in base tokens`] as const]),
    ...(funding === undefined ? [] : [['funding', many(funding, 'rate')] as const]),
    ...(trades === undefined ? [] : [['trades', `${many(trades, 'trade')}, as CSV; not played with candles`] as const]),
    ...(tape?.file === undefined ? [] : [['tape', tape.file] as const]),
  ];
  return [`${name}: ${many(candles, 'candle')} of ${length}${span}, ${kind}`, ...rows.map(([what, text]) => `  ${what.padEnd(10)}${text}`)];
}

const many = (count: number, noun: string): string =>
  counted(count, noun).replace(/^\d+/, (digits) => Number(digits).toLocaleString('en-US'));

const minuteText = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ');
