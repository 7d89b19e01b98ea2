// The account events that are polled: what the account holds, what rests, and our own fills.
import { ignoreElements, merge, type Observable } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Account } from '../../../domain/account.ts';
import type { AccountEvent, AccountSeen, FillsSeen } from '../../../domain/event.ts';
import type { Fill } from '../../../domain/order.ts';
import type { OrderFill } from '../../../wire/local.ts';
import { type Ask, maxAgeOf, type Polling } from '../../kit/polling.ts';
import { StuckSequence } from '../../kit/stuck-sequence.ts';
import { withHealth } from '../../kit/with-health.ts';
import type { LocalClient } from '../client/client.ts';
import type { Listed } from '../market/listing.ts';
import { type FeeRates, fillOf } from '../market/snapshots.ts';
import { LISTING_LAG, type PendingPlacements } from '../orders/pending-placements.ts';
import { accountOf, readAccountSnapshot } from './account-snapshot.ts';
import { FUNDING_EVERY, type Funding } from './funding.ts';
import type { Tokens } from './tokens.ts';
import { happenedAfter, type Resumption, Tail } from './trade-tail.ts';

/** Some servers read fills from another source than the book, and may list them late. */
const OVERLAP: Millis = 60_000;

export interface OwnOptions {
  readonly clock: Clock;
  readonly client: LocalClient;
  readonly ask: Ask;
  readonly polling: Polling;
  readonly listed: readonly Listed[];
  readonly tokens: Tokens;
  readonly fills: OwnFills;
  readonly funding: Funding;
  readonly placed: PendingPlacements;
}

export function ownEvents(options: OwnOptions): Observable<AccountEvent> {
  const standstill = new StuckSequence(options.clock);
  const refreshed = options
    .ask({ everyMs: FUNDING_EVERY, ask: () => options.funding.refresh(), requests: 'several' })
    .pipe(ignoreElements());
  return merge(accountEvents(options, standstill), fillEvents(options, standstill), refreshed);
}

/** The process has no update ids: every answer counts as a new one, and only a fill that does not change the account shows that it is stuck. */
function accountEvents({ clock, client, ask, polling, listed, tokens, fills, funding, placed }: OwnOptions, standstill: StuckSequence) {
  const everyMs = polling.accountMs;
  let count = 0;
  const read = async (): Promise<Account> => {
    const snapshot = await readAccountSnapshot(client);
    fills.rates = { maker: snapshot.account.makerFee, taker: snapshot.account.takerFee };
    count += 1;
    return accountOf(snapshot, { listed, tokens, funding, updateId: String(count) });
  };
  return ask({ everyMs, ask: read, priority: 'high' }).pipe(
    withHealth({
      clock,
      stream: 'account',
      what: 'account',
      maxAgeMs: maxAgeOf(5_000, everyMs),
      standstill: { idOf: (account) => standstill.observe(contentOf(account)), maxMs: maxAgeOf(2_000, everyMs) },
      events: ({ at, asked, value }): AccountEvent[] => {
        const seen: AccountSeen = { kind: 'accountSeen', at, asked, account: value };
        return [...placed.accountSeen(seen), seen];
      },
    }),
  );
}

const contentOf = ({ orders, balances, positions, margins }: Account): string =>
  JSON.stringify([orders, balances, positions.map(({ market, size }) => [market, size]), margins.mf]);

/** Emits each round of fills with `asked` moved back by LISTING_LAG, because the list of fills may lag. */
function fillEvents({ clock, ask, polling, fills, placed }: OwnOptions, standstill: StuckSequence) {
  const everyMs = polling.fillsMs;
  let lastRound: Millis | undefined;
  return ask({ everyMs, ask: () => fills.read(), priority: 'high', requests: 'several' }).pipe(
    withHealth({
      clock,
      stream: 'fills',
      what: 'round of own fills',
      maxAgeMs: maxAgeOf(5_000, everyMs),
      events: ({ at, asked, value }): AccountEvent[] => {
        const reported = fills.takeNew(value);
        if (reported.length > 0 && lastRound !== undefined) standstill.happenedAfter(happenedAfter(reported, lastRound) - LISTING_LAG);
        lastRound = asked;
        const seen: FillsSeen = { kind: 'fillsSeen', at, asked: asked - LISTING_LAG, fills: reported };
        return [...placed.filled(reported, at), seen];
      },
    }),
  );
}

export interface OwnFillsOptions {
  readonly client: LocalClient;
  readonly listed: readonly Listed[];
  /** The rates that the account states when a run begins. */
  readonly rates: FeeRates;
  readonly resume: Resumption | undefined;
}

/** Our fills in every market that is traded; a round counts only if all markets could be read. */
export class OwnFills {
  rates: FeeRates;
  readonly #tails: readonly { readonly of: Listed; readonly tail: Tail<OrderFill, Fill> }[];

  constructor({ client, listed, rates, resume }: OwnFillsOptions) {
    this.rates = rates;
    this.#tails = listed.map((of) => ({
      of,
      tail: new Tail({
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
}
