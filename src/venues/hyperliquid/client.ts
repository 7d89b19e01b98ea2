// The client of one account of Hyperliquid, for which an agent signs. The quota of requests and the agent's end are read at intervals.
import { type Observable, Subject } from 'rxjs';
import type { z } from 'zod';
import { DAY, HOUR, MINUTE, type Millis } from '../../base/clock.ts';
import { subjectMismatch, validated } from '../../base/transport/json-request.ts';
import type { Dial } from '../../base/transport/transport.ts';
import type { Account } from '../../bot/domain/account.ts';
import type { AccountEvent } from '../../bot/domain/event.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { FillPages, VenueClient } from '../../bot/exchange/kit/venue-client.ts';
import { rowsSince } from '../shared/cursor-pages.ts';
import { prepareUnsigned } from '../shared/prepare-unsigned.ts';
import { pushStreams } from '../shared/push.ts';
import { accountOf, readAccount } from './account-snapshot.ts';
import { FundingReads } from './funding.ts';
import type { HyperliquidKey } from './key.ts';
import { ordersOver, type ReadStatus } from './placing.ts';
import { type HyperliquidPublicOptions, hyperliquidData } from './public-client.ts';
import { pushOf } from './push.ts';
import type { Actions, AskInfo } from './requests.ts';
import { RULES } from './rules.ts';
import * as shapes from './shapes.ts';
import { coinOf, fillOf, inMarkets, withLeverage } from './snapshots.ts';
import { checkAccount, checkLeverage, endingOf } from './start-check.ts';

export interface HyperliquidOptions extends HyperliquidPublicOptions {
  readonly actions: Actions;
  readonly key: HyperliquidKey;
  /** The exchange's time until which an earlier process of the run has counted funding: counting continues there. */
  readonly fundingSince?: Millis | undefined;
  /** Opens the websocket; if absent, everything is polled. */
  readonly dial?: Dial | undefined;
  readonly log: { warn(text: string): void };
}

/** The rates of all tiers, with rebates and fees of builders: a trade can have the rate of a tier that the account has left. */
const FEE_RANGE = { lowest: -0.0001, highest: 0.001 };
const REFRESH_EVERY: Millis = MINUTE;
/** How often it is read when the agent's approval ends. The alarm about it comes at most once a day. */
const AGENT_EVERY: Millis = HOUR;

export function hyperliquidClient(options: HyperliquidOptions): VenueClient {
  const { ask, actions, key, dial } = options;
  const orders = ordersOver(actions, statusReads(ask, key.master));
  const data = hyperliquidData(options);
  const user = key.master;
  const funding = new FundingReads(ask, { user, since: options.fundingSince });
  let requests: Account['requests'];
  const agent = agentWatch(options);
  return {
    ...data,
    async owner() {
      await checkAccount(options);
      return user;
    },
    async completed(market, retry) {
      if (market.spec.kind === 'spot') return market;
      const found = await retry(() => ask('activeAssetData', { shape: shapes.leverage }, { user, coin: coinOf(market) }));
      return withLeverage(market, checkLeverage(market, found.leverage));
    },
    async account(markets) {
      const read = await readAccount(ask, user, markets);
      return accountOf(read, { user, markets, paid: await funding.upTo(read.state), requests });
    },
    async fees() {
      const found = await ask('userFees', { shape: shapes.fees }, { user });
      const { userAddRate: maker, userCrossRate: taker } = found;
      return { feeRate: Math.max(...Object.values(found)), fees: { maker, taker }, feeRange: FEE_RANGE };
    },
    fills: (markets) => [fillPages(ask, { user, markets })],
    prepare: prepareUnsigned({ enforced: true, rules: RULES, place: orders.place, cancel: orders.cancel, nextNonce: actions.nextNonce }),
    settle: orders.settle,
    refresh: {
      everyMs: REFRESH_EVERY,
      async ask() {
        const { nRequestsUsed: used, nRequestsCap: allowed } = await ask('userRateLimit', { shape: shapes.rateLimit }, { user });
        requests = { used, allowed };
        await agent.look();
      },
    },
    events: agent.alarms,
    ...(dial !== undefined && { streams: (markets, context) => pushStreams(pushOf(markets, { dial, user }), context) }),
  };
}

/** Raises an alarm once a day from seven days before the agent ends. It holds nothing back: until then all works. */
function agentWatch({ ask, clock, key }: HyperliquidOptions): { look(): Promise<void>; readonly alarms: Observable<AccountEvent> } {
  const alarms = new Subject<AccountEvent>();
  let [looked, alarmed]: [Millis, Millis] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return {
    alarms,
    async look() {
      const at = clock.now();
      if (at - looked < AGENT_EVERY) return;
      const reason = await endingOf(ask, key, at);
      looked = at;
      if (reason === undefined || at - alarmed < DAY) return;
      alarmed = at;
      alarms.next({ kind: 'healthSeen', at: clock.now(), stream: 'key', healthy: true, alarm: true, reason });
    },
  };
}

export const statusReads =
  (ask: AskInfo, user: string): ReadStatus =>
  async (oid) => {
    const question = { shape: shapes.orderStatus, mismatchIn: aboutOther(oid) };
    let found = await ask('orderStatus', question, { user, oid });
    // `unknownOid` names no order: on a connection that is out of step it may be the answer about another one. So it is asked on a connection of its own.
    if (found.status === 'unknownOid') found = await ask('orderStatus', { ...question, ownConnection: true }, { user, oid });
    return found.status === 'unknownOid' ? undefined : found.order;
  };

/** An answer that names another order belongs to another request. */
const aboutOther = (oid: number | string) =>
  subjectMismatch('the order', String(oid), (answer: z.output<typeof shapes.orderStatus>) => {
    if (answer.status === 'unknownOid') return String(oid);
    const { order } = answer.order;
    return order.cloid?.toLowerCase() === oid ? oid : order.oid;
  });

/** The exchange lists fills oldest first from a time on, at most 2,000 in one answer. */
const PAGE = 2_000;

function fillPages(ask: AskInfo, { user, markets }: { user: string; markets: readonly Market[] }): FillPages {
  const fillsIn = (rows: z.output<typeof shapes.fills>) => validated('the fills', () => inMarkets(markets, rows, fillOf));
  const fetchPage = (startTime: Millis) => ask('userFillsByTime', { shape: shapes.fills }, { user, startTime });
  return {
    what: 'POST /info userFills',
    async *pages(since) {
      if (since === undefined) {
        yield fillsIn(await ask('userFills', { shape: shapes.fills }, { user }));
        return;
      }
      const rows = await rowsSince(Math.floor(since), { fetchPage, pageSize: PAGE });
      yield fillsIn([...new Map(rows.map((row) => [`${row.time} ${row.coin} ${row.tid}`, row])).values()].reverse());
    },
  };
}
