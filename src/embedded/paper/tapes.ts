// The tapes of a paper run on the disk: new ones, and those of an earlier process, complete or not.
import { join, relative, resolve } from 'node:path';
import type { Millis, VirtualClock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Disk } from '../../base/files/disk.ts';
import type { Market, MarketSpec } from '../../bot/domain/market.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RowFeed } from '../exchange/recorded/recording.ts';
import { checkContinuable } from '../recording/continue-tape.ts';
import { fundingOf } from '../recording/market-rows.ts';
import { rowsAfter } from '../recording/row-log.ts';
import { STAMPS_PER_MILLI } from '../rows/rows.ts';
import type { TapeHeader } from '../tape/header.ts';
import { openTape, type Tape } from '../tape/reader.ts';
import { appendTape, hasTape, type TapeWriter } from '../tape/writer.ts';
import type { PaperTerms } from './account.ts';
import type { PaperOptions } from './options.ts';

export type PaperHeader = Omit<TapeHeader, 'basePrice'>;

/** The margin fraction at which the simulated account cancels orders, for an exchange with an initial and a maintenance margin only. */
const betweenMargins = ({ imf, mmf }: MarketSpec): number => (imf + mmf) / 2;

/** Returns the header of a market's tape, without the base price. */
export const headerOf = (market: Market, { url, polling }: Pick<PaperOptions, 'url' | 'polling'>): PaperHeader => ({
  market: { ...market.spec, cmf: market.spec.cmf ?? betweenMargins(market.spec) },
  source: `polls of ${url}`,
  books: 'polled',
  pollMs: polling.orderBookMs,
  ...fundingOf(market.spec),
  made: { command: `bot run --paper --url ${url}` },
});

/** Returns the file of each market's tape. With several markets the symbol goes before the extension. */
export function filesOf(
  symbols: readonly string[],
  { directory, assumptions }: Pick<PaperOptions, 'directory' | 'assumptions'>,
): PaperTerms['tapes'] {
  const file = resolve(assumptions.record ?? join(directory, 'market.tape'));
  const ofMarket = (symbol: string): string =>
    symbols.length === 1 ? file : file.replace(/(\.[^./]*)?$/, `.${symbol.replaceAll('/', '-')}$1`);
  return Object.fromEntries(symbols.map((symbol) => [symbol, ofMarket(symbol)]));
}

/** Returns the files relative to the state directory, so that it can be moved. */
export const namesOf = (files: PaperTerms['tapes'], directory: string): PaperTerms['tapes'] =>
  Object.fromEntries(Object.entries(files).map(([symbol, file]) => [symbol, relative(directory, file)]));

interface Recovering {
  readonly disk: Disk;
  /** By market, in the order of `markets`. */
  readonly files: readonly string[];
  readonly headers: readonly PaperHeader[];
  readonly now: Millis;
}

/**
 * Opens the tapes of an earlier process, after adding the rows that it had played but not written. Rejects with a UserError if a tape is missing, or
 * is of another market or exchange.
 */
export async function recoverTapes({ disk, files, headers, now }: Recovering): Promise<readonly Tape[]> {
  const tapes: Tape[] = [];
  for (const [index, file] of files.entries()) {
    if (!hasTape(file)) throw missingTape(file);
    const header = headers[index]!;
    const writer = await appendTape(file, (old) => checkContinuable(old, { file, header, now: now * STAMPS_PER_MILLI }));
    for (const row of rowsAfter(disk, index, writer.rows)) writer.add(row);
    await writer.close();
    tapes.push(await openTape(file));
  }
  return tapes;
}

const missingTape = (file: string): UserError =>
  new UserError({
    code: 'state',
    message: `the tape ${file} of this paper account is missing, so its orders and fills cannot be rebuilt`,
    hint: 'put the file back, or begin another account with --state DIR',
  });

/** Closes the tapes, and opens them again for appending. */
export const continueTapes = (tapes: readonly Tape[]): Promise<readonly TapeWriter[]> =>
  openEach(tapes, async (tape) => {
    await tape.close();
    return appendTape(tape.file);
  });

/**
 * Opens a tape for each item, one after the other. If one fails, those opened before it are aborted: appended tapes keep their old content, new ones are
 * deleted.
 */
export async function openEach<T>(
  items: readonly T[],
  open: (item: T, index: number) => Promise<TapeWriter>,
): Promise<readonly TapeWriter[]> {
  const writers: TapeWriter[] = [];
  try {
    for (const [index, item] of items.entries()) writers.push(await open(item, index));
    return writers;
  } catch (error) {
    await Promise.allSettled(writers.map((writer) => writer.abort()));
    throw error;
  }
}

interface Replay {
  /** By tape. */
  readonly feeds: readonly RowFeed[];
  readonly exchange: Exchange;
  readonly clock: VirtualClock;
}

/**
 * Plays the tapes, always reading the next block of the one that is furthest behind, so that only a few blocks are in memory. The clock, with its timers,
 * and the exchange advance to the last millisecond that all tapes cover; rows after that wait for the live feed.
 */
export async function replayTapes(tapes: readonly Tape[], { feeds, exchange, clock }: Replay): Promise<void> {
  const readers = tapes.map((tape, index) => ({ feed: feeds[index]!, blocks: tape.blocks()[Symbol.asyncIterator](), ended: false }));
  for (;;) {
    const slowest = readers.filter(({ ended }) => !ended).sort((a, b) => a.feed.covered - b.feed.covered)[0];
    if (slowest === undefined) return;
    const { done, value } = await slowest.blocks.next();
    if (done === true) slowest.ended = true;
    else slowest.feed.push(value);
    // `covered` itself may still get rows, so the last whole millisecond before it.
    const horizon = Math.ceil(Math.min(...feeds.map(({ covered }) => covered)) / STAMPS_PER_MILLI) - 1;
    if (horizon <= clock.now()) continue;
    clock.advanceTo(horizon);
    exchange.advanceTo(horizon);
  }
}
