// Starts a paper run: waits for the order books, opens the tapes, and creates the exchange, or rebuilds it after a restart.
import { type Millis, VirtualClock } from '../../base/clock.ts';
import type { Disk } from '../../base/files/disk.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { PublicFeed } from '../../bot/exchange/port.ts';
import type { RecordedLags } from '../adapter/lags.ts';
import { RowFeed } from '../exchange/recorded/recording.ts';
import { DEFAULT_FUNDS } from '../exchange/state/listing.ts';
import { halfway } from '../recording/event-rows.ts';
import { PaperTape, type PaperTapeOptions } from '../recording/paper-tape.ts';
import { countOthers, exchangeOptions, TRADER } from '../recording/recorded-venue.ts';
import { RowLog } from '../recording/row-log.ts';
import { checkTapes, type Playable } from '../recording/tapes.ts';
import { STAMPS_PER_MILLI } from '../rows/rows.ts';
import type { Tape } from '../tape/reader.ts';
import { createTape, type TapeWriter } from '../tape/writer.ts';
import {
  beginPaperAccount,
  type PaperCommand,
  type PaperTerms,
  RecordingExchange,
  readPaperAccount,
  recordCommand,
  repeatCommands,
  requireSameTerms,
} from './account.ts';
import type { PaperOptions } from './options.ts';
import { midTicksOf, StartingData } from './starting-data.ts';
import { continueTapes, filesOf, headerOf, namesOf, openEach, type PaperHeader, recoverTapes, replayTapes } from './tapes.ts';

interface Simulated {
  readonly exchange: RecordingExchange;
  /** The clock of the run, at its start time. */
  readonly clock: VirtualClock;
  readonly account: AccountId;
}

export interface StartedPaper extends Simulated {
  readonly tapes: readonly PaperTape[];
  /** By market symbol. */
  readonly files: PaperTerms['tapes'];
  readonly rowLog: RowLog;
}

export interface PaperStartOptions extends PaperOptions {
  /** Filled with the rows of the first market. */
  readonly lags: RecordedLags;
}

/** How long a start waits for the order books by default. */
const DEFAULT_TIMEOUT: Millis = 60_000;

/** Rejects with a UserError if a market cannot be simulated or has no data, or if the state directory has an account with other terms. */
export async function startPaper(feed: PublicFeed, disk: Disk, options: PaperStartOptions): Promise<StartedPaper> {
  const { clock: machine, assumptions, start, lags, seed } = options;
  const { queue, deposit, fees, latency } = assumptions;
  const { markets } = feed;
  const headers = markets.map((market) => headerOf(market, options));
  const files = filesOf(options.markets, options);
  const names = namesOf(files, options.directory);
  const account = readPaperAccount(disk);
  if (account !== undefined) requireSameTerms(account.terms, { queue, deposit, fees, tapes: names });
  const terms = account?.terms ?? {
    seed,
    queue: queue ?? { kind: 'conservative' },
    deposit: deposit ?? DEFAULT_FUNDS,
    fees,
    latency,
    tapes: names,
  };
  const feeds = markets.map(() => new RowFeed());
  checkTapes(
    headers.map((header) => ({ header: { ...header, basePrice: 0 } })),
    terms.queue,
  );
  const earlier = account && (await recoverTapes({ disk, files: Object.values(files), headers, now: machine.now() }));
  const hasBegun = earlier?.some(({ facts }) => facts.rows > 0) ?? false;
  const continued = earlier && hasBegun ? await rebuild(earlier, account?.commands ?? [], { terms, feeds }) : undefined;
  const startingData = new StartingData(feed);
  let writers: readonly TapeWriter[] = [];
  let release: 'abort' | 'close' = 'abort';
  try {
    await startingData.complete({ clock: machine, forMs: start?.timeoutMs ?? DEFAULT_TIMEOUT });
    writers = earlier === undefined ? await createTapes(markets, { files, headers, startingData }) : await continueTapes(earlier);
    if (account === undefined) beginPaperAccount(disk, terms);
    release = 'close'; // the account names them: the next start continues them
    const begin = Math.ceil(machine.now()); // a backtest begins at a whole millisecond
    const simulated = continued ?? simulate(writers, begin, { terms, feeds });
    for (const rowFeed of feeds) rowFeed.cover(begin * STAMPS_PER_MILLI);
    simulated.clock.advanceTo(begin);
    simulated.exchange.record = (command) => recordCommand(disk, command);
    const rowLog = new RowLog(disk);
    const tapes = markets.map((market, index) => {
      const log: PaperTapeOptions['log'] = (rowsBefore, rows) => rowLog.add(index, rowsBefore, rows);
      const released = index === 0 ? lags.push.bind(lags) : undefined;
      const tape = new PaperTape({ market, writer: writers[index]!, feed: feeds[index]!, log, released, begin });
      return beginTape(tape, { market, startingData });
    });
    return { ...simulated, tapes, files, rowLog };
  } catch (error) {
    await Promise.allSettled([...writers.map((writer) => writer[release]()), ...(earlier ?? []).map((tape) => tape.close())]);
    throw error;
  } finally {
    startingData.close();
  }
}

interface NewTapes {
  readonly files: PaperTerms['tapes'];
  readonly headers: readonly PaperHeader[];
  readonly startingData: StartingData;
}

const createTapes = (markets: readonly Market[], { files, headers, startingData }: NewTapes): Promise<readonly TapeWriter[]> =>
  openEach(markets, (market, index) => {
    const { priceStep = 1, priceDecimals } = market.spec;
    const basePrice = ((midTicksOf(startingData.of(market.id).book) ?? 0) * priceStep) / 10 ** priceDecimals;
    return createTape(files[market.symbol]!, { ...headers[index]!, basePrice }, { exclusive: true });
  });

interface Simulation {
  readonly terms: PaperTerms;
  /** By market. */
  readonly feeds: readonly RowFeed[];
}

/** Creates the exchange and its clock at the start time. */
function simulate(tapes: readonly Playable[], start: Millis, { terms, feeds }: Simulation): Simulated {
  const { seed, queue, fees, deposit } = terms;
  const exchange = new RecordingExchange(exchangeOptions({ seed, tapes, feeds, start, queue, fees }));
  const clock = new VirtualClock(start);
  countOthers(exchange, clock);
  return { exchange, clock, account: exchange.register(TRADER, deposit) };
}

/** Rebuilds the exchange of an earlier process: plays the same market, with the same commands at the same times. */
async function rebuild(tapes: readonly Tape[], commands: readonly PaperCommand[], simulation: Simulation): Promise<Simulated> {
  const start = Math.min(...tapes.map(({ facts }) => Math.ceil(facts.first / STAMPS_PER_MILLI)));
  const simulated = simulate(tapes, start, simulation);
  repeatCommands(commands, simulated);
  await replayTapes(tapes, { ...simulated, feeds: simulation.feeds });
  return simulated;
}

/** Starts a tape with the last book, prices and stream health. */
function beginTape(tape: PaperTape, { market, startingData }: { market: Market; startingData: StartingData }): PaperTape {
  const { book, info } = startingData.of(market.id);
  tape.begin({ book: book.book, info }, halfway(book).lag);
  for (const health of startingData.health()) tape.see(health);
  return tape;
}
