// The polled account events: positions, open orders, and our own fills.
import { ignoreElements, merge, type Observable } from 'rxjs';
import type { Millis } from '../../../base/clock.ts';
import type { Account } from '../../../domain/account.ts';
import type { AccountEvent } from '../../../domain/event.ts';
import type { Fill } from '../../../domain/order.ts';
import { accountEvents, contentOf, fillEvents } from '../../kit/streams/account-streams.ts';
import type { StreamTools } from '../../kit/streams/market-streams.ts';
import type { OwnCounts } from '../../kit/streams/own-counts.ts';
import { StuckSequence } from '../../kit/streams/stuck-sequence.ts';
import type { Resumption, TradeTail } from '../../kit/streams/trade-tail.ts';
import type { LocalClient } from '../client/client.ts';
import type { ListedMarket } from '../market/listing.ts';
import { fillOf, type ReportedFees } from '../market/snapshots.ts';
import { LISTING_LAG, type PendingPlacements } from '../orders/pending-placements.ts';
import { accountOf, countsOf, readAccountSnapshot } from './account-snapshot.ts';
import { FUNDING_EVERY, type LocalFunding } from './funding.ts';
import type { Tokens } from './tokens.ts';
import { happenedAfter, tailOf } from './trade-tail.ts';

/** Fills may be listed this late: some servers read them from another source than the book. */
const OVERLAP: Millis = 60_000;

export interface OwnOptions extends StreamTools {
  readonly client: LocalClient;
  readonly listed: readonly ListedMarket[];
  readonly tokens: Tokens;
  readonly fills: OwnFills;
  readonly funding: LocalFunding;
  readonly placed: PendingPlacements;
  readonly counts: OwnCounts;
}

/**
 * Emits the account events. The process has no update ids, so every answer counts as new; a stuck account shows only by a fill that does not change
 * it.
 */
export function ownEvents({ client, listed, tokens, fills, funding, placed, counts, ...tools }: OwnOptions): Observable<AccountEvent> {
  const sequence = new StuckSequence(tools.clock);
  let count = 0;
  const read = async (): Promise<Account> => {
    const snapshot = await readAccountSnapshot(client);
    counts.require(countsOf(snapshot));
    fills.rates = { maker: snapshot.account.makerFee, taker: snapshot.account.takerFee };
    count += 1;
    return accountOf(snapshot, { listed, tokens, funding, updateId: String(count) });
  };
  return merge(
    accountEvents(tools, {
      read,
      revisionOf: (account) => sequence.observe(contentOf(account, { value: true })),
      maxUnchangedMs: 2_000,
      before: (seen) => placed.accountSeen(seen),
    }),
    fillEvents(tools, {
      trades: fills,
      what: 'round of own fills',
      lagMs: LISTING_LAG,
      filled: (reported, lastRound) => sequence.happenedAfter(happenedAfter(reported, lastRound) - LISTING_LAG),
      before: (reported, at) => placed.filled(reported, at),
    }),
    tools.ask({ everyMs: FUNDING_EVERY, ask: () => funding.refresh(), requests: 'several' }).pipe(ignoreElements()),
  );
}

export interface OwnFillsOptions {
  readonly client: LocalClient;
  readonly listed: readonly ListedMarket[];
  /** The fee rates in the account at the start of the run. */
  readonly rates: ReportedFees;
  readonly resume: Resumption | undefined;
}

/** Our fills in every market that is traded; a round counts only if all markets could be read. */
export class OwnFills {
  rates: ReportedFees;
  readonly #tails: readonly { readonly of: ListedMarket; readonly tail: TradeTail<Fill> }[];

  constructor({ client, listed, rates, resume }: OwnFillsOptions) {
    this.rates = rates;
    this.#tails = listed.map((of) => ({
      of,
      tail: tailOf({
        pages: () => client.history({ market: of.name }),
        contentOf: ({ time, side, price, size, liquidity }) => [of.name, Date.parse(time), side, price, size, liquidity].join('|'),
        map: (row, tradeId) => fillOf(of, row, { tradeId, rates: this.rates }),
        overlapMs: OVERLAP,
        resume,
      }),
    }));
  }

  async read(): Promise<readonly Fill[]> {
    return (await Promise.all(this.#tails.map(({ tail }) => tail.read()))).flat();
  }

  /** Returns the fills that were not returned before, oldest first. */
  takeNew(read: readonly Fill[]): readonly Fill[] {
    const fresh = this.#tails.flatMap(({ of, tail }) => tail.takeNew(read.filter(({ market }) => market === of.market.id)));
    return fresh.sort((a, b) => a.time - b.time);
  }

  takeChanged(read: readonly Fill[]): readonly Fill[] {
    return this.#tails.flatMap(({ of, tail }) => tail.takeChanged(read.filter(({ market }) => market === of.market.id)));
  }

  readAgain(fills: readonly Fill[]): void {
    for (const { of, tail } of this.#tails) tail.readAgain(fills.filter(({ market }) => market === of.market.id));
  }
}
