// Opens a paper run: the public data of a real exchange, read only, and a simulated account on it.
//   options.ts   whose data it follows, and what it assumes
//   account.ts   the terms of the account and its commands, which a restart repeats
//   start.ts     the tapes and the exchange at the start, and after a restart
//   session.ts   the running session
//   following-clock.ts   a virtual clock that follows the machine's
import { systemClock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import type { Disk } from '../../base/files/disk.ts';
import { nodeDisk } from '../../base/files/node-disk.ts';
import { transportsByOrigin } from '../../base/transport/http.ts';
import { isRead, type Transport } from '../../base/transport/transport.ts';
import { ACCOUNTS_AT_START } from '../../bot/exchange/port.ts';
import { inheritedOptionsWithoutSession, type OpenVenue, startCheckOption, writeAheadOf } from '../../bot/run/core/venue.ts';
import { RecordedLags } from '../adapter/lags.ts';
import { accountLook } from '../adapter/own-events.ts';
import type { PaperTape } from '../recording/paper-tape.ts';
import { PAST_FILE, type PastSeen, pastLine } from '../recording/past-file.ts';
import { recordedVenue } from '../recording/recorded-venue.ts';
import { lockTapes } from '../recording/tape-lock.ts';
import { type PaperOptions, paperAccountHolder } from './options.ts';
import { PaperSession } from './session.ts';
import { startPaper } from './start.ts';
import { filesOf } from './tapes.ts';

const CONNECTIONS = 8;

/** Rejects with a UserError if the address or a market is wrong, if no order book is seen, or if the state directory holds another account. */
export async function openPaper(options: PaperOptions): Promise<OpenVenue> {
  const transports = transportsByOrigin(CONNECTIONS);
  try {
    const open = await openPaperOver(transports.to, nodeDisk(options.directory), { ...options, clock: systemClock });
    return {
      ...open,
      close: async () => {
        await open.close();
        await transports.close();
      },
    };
  } catch (error) {
    await transports.close();
    throw error;
  }
}

/** Like `openPaper`, over given transports: `transportTo` returns that to an origin. Sends only reads. `clock` is the machine's. */
export async function openPaperOver(transportTo: (origin: string) => Transport, disk: Disk, options: PaperOptions): Promise<OpenVenue> {
  const release = lockTapes(Object.values(filesOf(options.markets, options)), process.pid);
  try {
    const open = await openLocked((origin) => onlyReads(transportTo(origin)), disk, options);
    return { ...open, close: () => open.close().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

async function openLocked(transportTo: (origin: string) => Transport, disk: Disk, options: PaperOptions): Promise<OpenVenue> {
  const { connectFeed, clock: machine, seed, polling, state, assumptions, foreign, onBug } = options;
  const feed = await connectFeed({ ...options, transport: transportTo(options.url), transportTo });
  const keepOpen = feed.events.subscribe({ error: () => undefined }); // the polls continue while the run is set up
  let started: readonly PaperTape[] = [];
  try {
    const lags = new RecordedLags({ polled: true });
    const { exchange, clock, tapes, files, rowLog, account } = await startPaper(feed, disk, { ...options, lags });
    started = tapes;
    const readAccount = accountLook({ exchange, account, markets: exchange.markets });
    const { admit } = startCheckOption({ clock, state, foreign }, paperAccountHolder(options.url));
    admit({
      account,
      markets: exchange.markets,
      accounts: Array.from({ length: ACCOUNTS_AT_START }, () => readAccount()),
    });
    const { resume, onEarlierTrades } = inheritedOptionsWithoutSession({ clock, state });
    if (resume === undefined) onEarlierTrades([]);
    const venue = recordedVenue({
      exchange,
      clock,
      seed,
      latency: assumptions.latency ?? { kind: 'recorded' },
      lags,
      account,
      polling,
      writeAhead: writeAheadOf(state, { take: () => undefined }),
      resume,
    });
    const onPast = (past: PastSeen): void => disk.append(PAST_FILE, Buffer.from(`${pastLine(past)}\n`));
    const session = new PaperSession({ feed, clock, machine, tapes, files, rowLog, onPast, onBug });
    keepOpen.unsubscribe();
    return {
      venue: { ...venue, feed: { ...venue.feed, polls: feed.polls, quality: feed.quality }, history: (asked) => session.past(asked) },
      paced: session,
      close: async () => {
        await venue.gateway.close();
        feed.close();
        await session.close();
      },
    };
  } catch (error) {
    feed.close();
    await Promise.allSettled(started.map((tape) => tape.close()));
    throw error;
  }
}

/** Returns a transport that sends only reads, so that it cannot change anything. Another request is a bug: an AssertionError before anything is sent. */
export function onlyReads(transport: Transport): Transport {
  return {
    request(request, limits) {
      assert(isRead(request), `a paper run sends only reads, not ${request.method} ${request.path}`);
      return transport.request(request, limits);
    },
    reset: (reason) => transport.reset?.(reason),
    renew: () => transport.renew?.(),
    close: () => transport.close(),
  };
}
