// Records tapes of a hosted exchange from the polls of a bot, with a gap while polling failed.
//   market-tape.ts, continue-tape.ts      the tape of one market; whether an existing one may be continued
//   record-embedded.ts, market-rows.ts    tapes of the embedded exchange; the rows of both
//   paper-tape.ts, row-log.ts, past-file.ts   tapes of a paper run, the rows not yet in them, and the past candles; tape-lock.ts: one recorder a tape
// The recording of a run's turns, for `bot replay`: `bot/run/state/turn-recording.ts`.
import { concatMap, filter, firstValueFrom, map, merge, type Observable, ReplaySubject, takeUntil, tap, timer } from 'rxjs';
import type { Clock, Millis } from '../../base/clock.ts';
import { schedulerFrom } from '../../base/streams/scheduler.ts';
import { type Market, midOf } from '../../bot/domain/market.ts';
import type { Feed } from '../../bot/exchange/port.ts';
import { STAMPS_PER_MILLI } from '../rows/rows.ts';
import { appendTape, createTape, hasTape, type TapeFacts } from '../tape/writer.ts';
import { checkContinuable } from './continue-tape.ts';
import { fundingOf } from './market-rows.ts';
import { MarketTape } from './market-tape.ts';

export interface RecordHostedOptions {
  readonly feed: Feed;
  readonly clock: Clock;
  /** Polling interval of order books. */
  readonly pollMs: Millis;
  /** Name of the exchange, as text, and the command line; both are kept in the header. */
  readonly source: string;
  readonly command: string;
  /** Returns the file for a market. An existing tape is continued. */
  readonly fileOf: (market: Market) => string;
  /** The recording ends when this promise settles. */
  readonly until: Promise<unknown>;
  /** Called for each tape once it is open and is being recorded. */
  readonly opened?: (() => void) | undefined;
  /** Called at each checkpoint with the number of rows of all markets. */
  readonly progress?: ((rows: number) => void) | undefined;
}

/** Maximum loss in a crash, besides the ten seconds that the sorter holds back. */
const CHECKPOINT_EVERY: Millis = 10_000;

/**
 * Records a tape for each market and returns their facts in the order of the feed; undefined if no book with a bid and an ask was seen. If one fails,
 * the others end and keep what they have. Rejects with a UserError if a file cannot be written or is not a tape of this recording.
 */
export async function recordHosted(options: RecordHostedOptions): Promise<readonly (TapeFacts | undefined)[]> {
  const { feed, until } = options;
  const keepOpen = feed.events.subscribe({ error: () => undefined }); // keeps polling while the tapes are opened
  const ending = new ReplaySubject<void>(1);
  const end = (): void => ending.next();
  void until.then(end, end);
  const tapes: MarketTape[] = [];
  const recordings = feed.markets.map((market) => recordMarket(market, { ...options, ending, tapes }));
  for (const recording of recordings) recording.catch(end);
  await Promise.allSettled(recordings);
  keepOpen.unsubscribe();
  return Promise.all(recordings);
}

interface Recording extends RecordHostedOptions {
  /** Emits when the recording ends, also to late subscribers. */
  readonly ending: Observable<void>;
  /** The open tapes of all markets. */
  readonly tapes: MarketTape[];
}

async function recordMarket(market: Market, recording: Recording): Promise<TapeFacts | undefined> {
  const { feed, clock, ending, tapes, opened, progress } = recording;
  const writer = await writerFor(market, recording);
  if (writer === undefined) return undefined;
  const tape = new MarketTape(market, writer);
  tapes.push(tape);
  const seen = feed.events.pipe(tap((event) => tape.see(event)));
  const checkpoints = timer(CHECKPOINT_EVERY, CHECKPOINT_EVERY, schedulerFrom(clock)).pipe(
    concatMap(() => tape.checkpoint()),
    tap(() => progress?.(tapes.reduce((sum, { rows }) => sum + rows, 0))),
  );
  const over = merge(seen, checkpoints)
    .pipe(takeUntil(ending))
    .forEach(() => undefined);
  opened?.();
  await over;
  return tape.close();
}

/** Returns undefined if the recording ends before a book was seen. */
async function writerFor(market: Market, { feed, clock, pollMs, source, command, fileOf, ending }: Recording) {
  const file = fileOf(market);
  const header = { market: market.spec, source, books: 'polled', pollMs, ...fundingOf(market.spec), made: { command } } as const;
  if (hasTape(file)) return appendTape(file, (old) => checkContinuable(old, { file, header, now: clock.now() * STAMPS_PER_MILLI }));
  const mids = feed.events.pipe(
    map((event) => (event.kind === 'bookSeen' && event.book.market === market.id ? midOf(market, event.book) : undefined)),
    filter((mid) => mid !== undefined),
    takeUntil(ending),
  );
  const basePrice = await firstValueFrom(mids, { defaultValue: undefined });
  return basePrice === undefined ? undefined : createTape(file, { ...header, basePrice });
}
