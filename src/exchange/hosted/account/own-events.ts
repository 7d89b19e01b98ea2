// Polls the account: balances, positions and orders, and our own trades.
import { merge, type Observable } from 'rxjs';
import type { Clock } from '../../../base/clock.ts';
import { memoizeLast } from '../../../base/collections/memoize-last.ts';
import { withSpotPositions } from '../../../domain/accounting/spot.ts';
import type { AccountEvent } from '../../../domain/event.ts';
import type { AccountId } from '../../../domain/ids.ts';
import type { Fill } from '../../../domain/order.ts';
import type { AccountReply } from '../../../wire/json/hosted.ts';
import { accountEvents, fillEvents } from '../../kit/streams/account-streams.ts';
import type { StreamTools } from '../../kit/streams/market-streams.ts';
import type { Resumption, TradeTail } from '../../kit/streams/trade-tail.ts';
import { nameIn, type Token } from '../../port.ts';
import type { HostedClient, TradesQuery } from '../client/client.ts';
import { type Directory, fillOf } from '../market/snapshots.ts';
import type { EngineTime } from '../session/engine-time.ts';
import { accountOf } from './account-snapshot.ts';
import type { AccountFees } from './fee-rate.ts';
import type { StuckAccount } from './stuck-account.ts';
import { LISTING_LAG, oldestFirst, tradeTail } from './trade-tail.ts';

export interface OwnOptions extends StreamTools {
  readonly client: HostedClient;
  readonly account: AccountId;
  /** All markets that the exchange lists: the account may hold positions in markets that are not traded here. */
  readonly markets: Directory;
  readonly tokens: readonly Token[];
  readonly fees: AccountFees;
  readonly trades: OwnTrades;
  readonly stuck: StuckAccount;
  /** Emits after each action of the account. */
  readonly changed?: Observable<unknown> | undefined;
}

export function ownEvents({
  client,
  account,
  markets,
  tokens,
  fees,
  trades,
  stuck,
  changed,
  ...tools
}: OwnOptions): Observable<AccountEvent> {
  const nameOf = nameIn(tokens);
  const read = memoizeLast((reply: AccountReply) => {
    const seen = accountOf(account, reply, markets);
    return withSpotPositions({ ...seen, ...fees }, markets.values(), nameOf);
  });
  return merge(
    accountEvents(tools, {
      read: async () => read(await client.account(account)),
      revisionOf: (seen) => stuck.observe(seen),
      maxUnchangedMs: 1_000,
      changed,
    }),
    fillEvents(tools, {
      trades,
      what: 'round of own trades',
      lagMs: LISTING_LAG,
      changed,
      filled: (_, lastRound) => stuck.executedAfter(lastRound - LISTING_LAG),
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

/** Our trades as maker and as taker. A round needs both lists. A trade with ourselves is a fill of two orders. */
export class OwnTrades {
  readonly #tails: Readonly<Record<Fill['role'], TradeTail<Fill>>>;

  constructor({ account, markets, resume, ...tools }: OwnTradesOptions) {
    const tail = (role: Fill['role'], query: Pick<TradesQuery, 'makerId' | 'takerId'>): TradeTail<Fill> =>
      tradeTail({ ...tools, query, resume: ofRole(resume, role), map: (trade) => fillOf(trade, { role, markets }) });
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
 * Returns the part of a resumption for one role. An earlier process may have reported one fill of a trade with ourselves and ended before it read the
 * list with the other.
 */
const ofRole = (resume: Resumption | undefined, role: Fill['role']): Resumption | undefined =>
  resume && { ...resume, reported: resume.reported.filter((fill) => fill.role === undefined || fill.role === role) };
