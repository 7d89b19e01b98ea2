// Connects to the local signing process and makes a venue of it. Checks the process first, before anything is traded.
// Folders: `client/` makes the HTTP requests, `orders/` places and cancels, `account/` polls the account and our fills, `market/` polls the market
// data; `../kit/streams/counted-time.ts` measures order expiry.

import { ReplaySubject } from 'rxjs';
import type { Millis } from '../../base/clock.ts';
import type { Transport } from '../../base/transport.ts';
import type { Account } from '../../domain/account.ts';
import type { VenueOptions } from '../kit/connect.ts';
import { NO_WRITE_AHEAD } from '../kit/sending/outgoing.ts';
import { admitAccount, skipEarlierTrades } from '../kit/start-reads.ts';
import { type Retry, type StartOptions, startRetries } from '../kit/start-retries.ts';
import { OwnCounts } from '../kit/streams/own-counts.ts';
import { askWith } from '../kit/streams/polling.ts';
import type { Venue } from '../port.ts';
import { accountIdOf, accountOf, countsOf, readAccountSnapshot } from './account/account-snapshot.ts';
import { LocalFunding } from './account/funding.ts';
import { OwnFills, ownEvents } from './account/own-events.ts';
import { LocalError, localClient } from './client/client.ts';
import type { Decimals } from './market/decimals.ts';
import { localFeed } from './market/feed.ts';
import { listingOf } from './market/listing.ts';
import { pastOf } from './market/past.ts';
import { areFixedRates } from './market/snapshots.ts';
import { LocalGateway } from './orders/gateway.ts';
import { ORDER_LIFE, PendingPlacements } from './orders/pending-placements.ts';

/** How long a connection waits for the answer to an order, also after the gateway's timeout: the process awaits the transaction. */
const WRITE_TIMEOUT: Millis = 30_000;

const FEES_UNKNOWN =
  'the process reports a maker fee of 0 and a taker fee of 0.001, as one of its versions does for every account: fees and profit are computed with these rates and may differ from the charged fees';

/** How an order's flags are written; some versions of the process accept only the text "true". */
export type FlagsAs = 'boolean' | 'text';

export interface ConnectOptions extends VenueOptions {
  readonly transport: Transport;
  /** Names of the markets to trade, as the process or as the hosted API spells them. */
  readonly markets: readonly string[];
  /** Decimals by market name; used instead of those derived from the book. */
  readonly decimals?: Readonly<Record<string, Decimals>> | undefined;
  /** The documented boolean by default. */
  readonly flagsAs?: FlagsAs | undefined;
  /** Repeats the requests of the start until the process answers; default: `localStart` with its default timeout. */
  readonly retry?: Retry | undefined;
}

/** Returns the retries of a start at a local process. */
export const localStart = (options: Pick<StartOptions, 'clock' | 'rng' | 'log' | 'timeoutMs'>): Retry =>
  startRetries({ ...options, rng: options.rng.fork('start'), what: 'the local process', hintFor });

/**
 * Reads the markets and the account that the process signs for, and returns the venue to trade at. Each request is repeated until the start's
 * timeout. Rejects with a UserError if the address or a market is wrong, and if the process cannot be reached in that time. The caller closes the
 * transport.
 */
export async function connectLocal(options: ConnectOptions): Promise<Venue> {
  const { transport, clock, rng, polling, markets, decimals = {}, flagsAs, log, writeAhead = NO_WRITE_AHEAD, resume } = options;
  const { retry = localStart({ clock, rng, log }) } = options;
  const client = localClient({ transport, flagsAs, timeouts: { writeMs: WRITE_TIMEOUT } });
  const { listed, tokens, account } = await listingOf(client, { symbols: markets, decimals, log, retry });
  const rates = { maker: account.makerFee, taker: account.takerFee };
  if (areFixedRates(rates)) log.warn(FEES_UNKNOWN);
  const funding = new LocalFunding({ client, clock, listed });
  const counts = new OwnCounts({ clock, log });
  const read = async (count: number): Promise<Account> => {
    const snapshot = await readAccountSnapshot(client);
    counts.requireAtStart(countsOf(snapshot));
    return accountOf(snapshot, { listed, tokens, funding, updateId: String(count) });
  };
  await admitAccount(options, { account: accountIdOf(account), markets: listed.map(({ market }) => market), retry, read });
  const fills = new OwnFills({ client, listed, rates, resume });
  await skipEarlierTrades(fills, { ...options, retry });
  const ask = askWith({ clock, rng: rng.fork('polls'), requestsPerSecond: polling.requestsPerSecond });
  const closing = new ReplaySubject<void>(1);
  const placed = new PendingPlacements();
  const tools = { clock, client, ask, polling, listed, tokens, placed, fills, funding, counts, log, writeAhead, closing };
  const feed = localFeed({ ...tools, tokens: tokens.all });
  const gateway = new LocalGateway({ ...tools, account: accountIdOf(account), seen: ownEvents(tools) });
  const history: Venue['history'] = (asked) => pastOf(asked, { client, listed });
  return {
    feed,
    gateway,
    rules: { orderLife: ORDER_LIFE / 1_000, absence: 'accounts' },
    history,
    readAgain: (trades) => fills.readAgain(trades),
  };
}

function hintFor(error: unknown): string {
  const kind = error instanceof LocalError ? error.kind : undefined;
  if (kind === 'notSent') return 'nothing answers at this address: start the local process, or check --url';
  if (kind === 'notJson' || kind === 'shape' || kind === 'notFound')
    return 'this does not look like the local signing process: check --url';
  return 'try again; if it lasts, the process has a problem, or --url is another server';
}
