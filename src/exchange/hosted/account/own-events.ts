// The account events that are polled: its balances, positions and orders, and our own trades.
import { merge, type Observable } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import { memoizeLast } from '../../../base/memoize-last.ts';
import type { Account } from '../../../domain/account.ts';
import type { AccountSeen, FillsSeen, HealthSeen } from '../../../domain/event.ts';
import { type AccountId, compareIds } from '../../../domain/ids.ts';
import type { Fill } from '../../../domain/order.ts';
import { withSpotPositions } from '../../../domain/spot.ts';
import { newest } from '../../../streams/newest.ts';
import type { AccountReply } from '../../../wire/hosted.ts';
import { type Ask, maxAgeOf, type Polling } from '../../kit/polling.ts';
import { withHealth } from '../../kit/with-health.ts';
import { nameIn, type Token } from '../../port.ts';
import type { HostedClient, TradesQuery } from '../client/client.ts';
import { accountOf, type Directory, fillOf } from '../market/snapshots.ts';
import type { EngineTime } from '../session/engine-time.ts';
import type { AccountMotion } from './account-motion.ts';
import { LISTING_LAG, oldestFirst, type Resumption, TradeTail } from './trade-tail.ts';

export interface OwnOptions {
  readonly clock: Clock;
  readonly client: HostedClient;
  readonly ask: Ask;
  readonly polling: Polling;
  readonly account: AccountId;
  /** All markets that the exchange lists: the account may hold positions in markets that are not traded here. */
  readonly markets: Directory;
  readonly tokens: readonly Token[];
  readonly feeRate: number | undefined;
  readonly trades: OwnTrades;
  readonly motion: AccountMotion;
}

export function ownEvents(options: OwnOptions): Observable<AccountSeen | FillsSeen | HealthSeen> {
  return merge(accountEvents(options), fillEvents(options));
}

function accountEvents({
  clock,
  client,
  ask,
  polling,
  account,
  markets,
  tokens,
  feeRate,
  motion,
}: OwnOptions): Observable<AccountSeen | HealthSeen> {
  const everyMs = polling.accountMs;
  const nameOf = nameIn(tokens);
  const read = memoizeLast((reply: AccountReply) => {
    const seen = accountOf(account, reply, markets);
    return withSpotPositions(feeRate === undefined ? seen : { ...seen, feeRate }, markets.values(), nameOf);
  });
  return ask({ everyMs, ask: async () => read(await client.account(account)), priority: 'high' }).pipe(
    newest({ idOf: ({ updateId }: Account) => updateId, compare: compareIds }),
    withHealth({
      clock,
      stream: 'account',
      what: 'account',
      maxAgeMs: maxAgeOf(5_000, everyMs),
      standstill: { idOf: (seen) => motion.observe(seen), maxMs: maxAgeOf(1_000, everyMs) },
      events: ({ at, asked, value }): AccountSeen[] => [{ kind: 'accountSeen', at, asked, account: value }],
    }),
  );
}

/** Emits each round of fills with `asked` moved back by LISTING_LAG, because the trade list may lag. */
function fillEvents({ clock, ask, polling, trades, motion }: OwnOptions): Observable<FillsSeen | HealthSeen> {
  const everyMs = polling.fillsMs;
  let lastRound: Millis | undefined;
  return ask({ everyMs, ask: () => trades.read(), priority: 'high', requests: 'several' }).pipe(
    withHealth({
      clock,
      stream: 'fills',
      what: 'round of own trades',
      maxAgeMs: maxAgeOf(5_000, everyMs),
      events: ({ at, asked, value }): FillsSeen[] => {
        const fills = trades.takeNew(value);
        if (fills.length > 0 && lastRound !== undefined) motion.executedAfter(lastRound - LISTING_LAG);
        lastRound = asked;
        return [{ kind: 'fillsSeen', at, asked: asked - LISTING_LAG, fills }];
      },
    }),
  );
}

export interface OwnTradesOptions {
  readonly client: HostedClient;
  readonly clock: Clock;
  readonly time: EngineTime;
  readonly account: AccountId;
  readonly markets: Directory;
  readonly resume: Resumption | undefined;
}

/** Our trades as maker and as taker: two lists that must both be read for a round to count. A trade with ourselves is a fill of two orders. */
export class OwnTrades {
  readonly #tails: Readonly<Record<Fill['role'], TradeTail<Fill>>>;

  constructor({ account, markets, resume, ...tools }: OwnTradesOptions) {
    const tail = (role: Fill['role'], query: Pick<TradesQuery, 'makerId' | 'takerId'>): TradeTail<Fill> =>
      new TradeTail({ ...tools, query, resume: ofRole(resume, role), map: (trade) => fillOf(trade, { role, markets }) });
    this.#tails = { maker: tail('maker', { makerId: account }), taker: tail('taker', { takerId: account }) };
  }

  async read(): Promise<readonly Fill[]> {
    return (await Promise.all([this.#tails.maker.read(), this.#tails.taker.read()])).flat();
  }

  /** Returns the fills that were not returned before, oldest first. */
  takeNew(read: readonly Fill[]): readonly Fill[] {
    const fresh = (['maker', 'taker'] as const).flatMap((role) => this.#tails[role].takeNew(read.filter((fill) => fill.role === role)));
    return fresh.sort(oldestFirst);
  }
}

/**
 * The part of a resumption that concerns one role. An earlier process may have reported one fill of a trade with ourselves and died before it read
 * the list with the other.
 */
const ofRole = (resume: Resumption | undefined, role: Fill['role']): Resumption | undefined =>
  resume && { ...resume, reported: resume.reported.filter((fill) => fill.role === undefined || fill.role === role) };
