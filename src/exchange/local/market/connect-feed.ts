// Connects to the public data of a local process: markets, order books, trades, prices, funding and candles. Sends only GET requests.
import { ignoreElements, merge, ReplaySubject, share, takeUntil } from 'rxjs';
import { askWith } from '../../kit/streams/polling.ts';
import type { PublicFeed } from '../../port.ts';
import { FUNDING_EVERY, LocalFunding } from '../account/funding.ts';
import { localClient } from '../client/client.ts';
import { type ConnectOptions, localStart } from '../connect.ts';
import { localFeed } from './feed.ts';
import { listingOf } from './listing.ts';
import { pastOf } from './past.ts';

export type ConnectLocalFeedOptions = Pick<
  ConnectOptions,
  'transport' | 'clock' | 'rng' | 'polling' | 'markets' | 'decimals' | 'log' | 'retry'
>;

/**
 * While connecting, repeats failed requests until the timeout for a start. Rejects with a UserError if the address or a market is wrong, and if the
 * process cannot be reached.
 */
export async function connectLocalFeed(options: ConnectLocalFeedOptions): Promise<PublicFeed> {
  const { transport, clock, rng, polling, markets, decimals = {}, log, retry = localStart(options) } = options;
  const client = localClient({ transport });
  const { listed, tokens } = await listingOf(client, { symbols: markets, decimals, log, retry });
  const funding = new LocalFunding({ client, clock, listed });
  const ask = askWith({ clock, rng: rng.fork('polls'), requestsPerSecond: polling.requestsPerSecond });
  const closing = new ReplaySubject<void>(1);
  const feed = localFeed({ clock, client, ask, polling, listed, tokens: tokens.all, funding, closing });
  const refreshed = ask({ everyMs: FUNDING_EVERY, ask: () => funding.refresh(), requests: 'several' }).pipe(ignoreElements());
  const events = merge(feed.events, refreshed).pipe(takeUntil(closing), share());
  return { ...feed, events, history: (asked) => pastOf(asked, { client, listed }), close: () => closing.next() };
}
