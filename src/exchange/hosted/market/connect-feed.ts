// Connects to the public data of a hosted exchange: no wallet, no session, no account.
import { ReplaySubject, share, takeUntil } from 'rxjs';
import { askWith } from '../../kit/streams/polling.ts';
import type { PublicFeed } from '../../port.ts';
import { hostedClient } from '../client/client.ts';
import { type ConnectOptions, hostedStart } from '../connect.ts';
import { firstTime, timesOf } from '../session/times.ts';
import { hostedFeed } from './feed.ts';
import { listingOf } from './listing.ts';
import { pastOf } from './past.ts';

export type ConnectFeedOptions = Pick<ConnectOptions, 'transport' | 'clock' | 'rng' | 'polling' | 'markets' | 'log' | 'retry'>;

/**
 * Repeats requests until the start's timeout. Rejects with a UserError if the address or a market is wrong, and if the exchange cannot be reached.
 * `close` ends its events.
 */
export async function connectFeed(options: ConnectFeedOptions): Promise<PublicFeed> {
  const { transport, clock, rng, polling, markets, retry = hostedStart(options) } = options;
  const client = hostedClient({ transport });
  const time = await retry(() => firstTime(client, clock));
  const listing = await listingOf({ client, clock, retry }, markets);
  const ask = askWith({ clock, rng: rng.fork('polls'), requestsPerSecond: polling.requestsPerSecond });
  const closing = new ReplaySubject<void>(1);
  const times = timesOf({ client, time, ask, everyMs: polling.timeMs }).pipe(takeUntil(closing), share());
  const feed = hostedFeed({ ...listing, clock, client, ask, polling, time, times, closing, tradedAfter: () => undefined });
  return { ...feed, history: (asked) => pastOf(asked, { client, directory: listing.directory }), close: () => closing.next() };
}
