// The GET endpoints of the hosted API, as a table of paths and handlers.
import type { Account } from './accounts.ts';
import type { Reply, Settings } from './faults.ts';
import type { Json } from './json.ts';
import { toBase58 } from './keys.ts';
import { LISTINGS, type Listing, TOKENS } from './market.ts';
import type { MatchingEngine } from './matching-engine.ts';
import { pageOfOrders, pageOfTrades, type Query } from './pages.ts';
import { FEES, OTHER_ACCOUNTS } from './trading.ts';
import type { Users } from './users.ts';
import { accountInfo, liveInfo, marketInfo, orderbook, stats, timeText } from './views.ts';

export interface Exchange {
  readonly engine: MatchingEngine;
  readonly users: Users;
  readonly settings: Settings;
  readonly engineMs: () => number;
}

const DAY_MS = 86_400_000;
const NOT_FOUND: Reply = { status: 404, json: null };

type Route = (exchange: Exchange, params: readonly string[], query: Query) => Json | Reply;

const ROUTES: readonly (readonly [pattern: RegExp, route: Route])[] = [
  [/^\/timestamp$/, ({ engineMs }) => Math.floor(engineMs() / 1_000)],
  [/^\/info$/, () => ({ markets: LISTINGS.map(marketInfo), tokens: TOKENS })],
  [/^\/markets\/live$/, (exchange) => ({ markets: LISTINGS.map((listing) => liveInfo(exchange.engine, listing, exchange.engineMs())) })],
  [/^\/market\/(\d+)\/orderbook$/, ({ engine }, [id]) => onMarket(id, (listing) => orderbook(engine, listing))],
  [/^\/market\/(\d+)\/stats$/, (exchange, [id]) => onMarket(id, (listing) => stats(exchange.engine, listing, exchange.engineMs()))],
  [/^\/market\/(\d+)\/fees\/(taker|maker)\/(\d+)$/, feeRate],
  [/^\/fee\/brackets\/info$/, () => BRACKETS.map(([maker, taker], tier) => [tier, { maker_fee_ppm: maker, taker_fee_ppm: taker }])],
  [/^\/account\/(\d+)\/fee\/tier$/, ({ engine }, [id]) => onAccount(engine, id, () => 0)],
  [/^\/account\/(\d+)$/, ({ engine, settings }, [id]) => onAccount(engine, id, (account) => accountInfo(engine, settings, account))],
  [
    /^\/account\/(\d+)\/orders$/,
    ({ engine, settings }, [id], query) => onAccount(engine, id, (account) => pageOfOrders(account, settings, query)),
  ],
  [/^\/accounts\/liquidations\/takes$/, (exchange) => takes(exchange)],
  [/^\/trades$/, ({ engine, settings }, _, query) => pageOfTrades(engine.trades, settings, query)],
  [/^\/user\/([1-9A-HJ-NP-Za-km-z]+)$/, userInfo],
];

/** Returns the answer to a GET before any fault is injected; 404 for an unknown path. */
export function answer(exchange: Exchange, path: string, query: Query): Reply {
  for (const [pattern, route] of ROUTES) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const result = route(exchange, match.slice(1), query);
    return isReply(result) ? result : { status: 200, json: result };
  }
  return NOT_FOUND;
}

/** [maker, taker] in parts per million. The last five are the discounted tiers. */
const BRACKETS = [
  [100, 350],
  [50, 300],
  [0, 250],
  [0, 230],
  [0, 200],
  [80, 280],
  [40, 240],
  [0, 200],
  [0, 184],
  [0, 160],
] as const;

function onMarket(id: string | undefined, found: (listing: Listing) => Json | Reply): Json | Reply {
  const listing = LISTINGS[Number(id)];
  return listing === undefined ? { status: 404, json: { market_id: Number(id) } } : found(listing);
}

function onAccount(engine: MatchingEngine, id: string | undefined, found: (account: Account) => Json | Reply): Json | Reply {
  const account = engine.accounts.get(Number(id));
  return account === undefined ? NOT_FOUND : found(account);
}

function feeRate({ engine }: Exchange, [market, role, account]: readonly string[]): Json | Reply {
  return onMarket(market, () => (engine.accounts.has(Number(account)) ? FEES[role === 'maker' ? 'maker' : 'taker'] / 1e6 : NOT_FOUND));
}

function userInfo({ users, engineMs }: Exchange, [pubkey]: readonly string[]): Json | Reply {
  const user = users.find(pubkey ?? '');
  if (user === undefined) return NOT_FOUND;
  const sessions = users.sessionsOf(user, Math.floor(engineMs() / 1_000));
  return {
    accountIds: user.accounts.map((account) => account.id),
    sessions: Object.fromEntries(
      sessions.map(({ id, publicKey, expiry }) => [id.toString(), { pubkey: toBase58(publicKey), expiry: timeText(expiry * 1_000) }]),
    ),
  };
}

/** Returns one old event between accounts of the other traders, so that the list is not empty. */
function takes({ engineMs, settings }: Exchange): Json {
  const raw = { takerSide: 'bid', marketId: 0, settlementPrice: 599_000, baseSize: 1_200, bankruptcyPrice: 598_400 };
  const actionId = settings.idsAsStrings ? '7' : 7;
  const accounts = { takerAccountId: OTHER_ACCOUNTS.taker, makerAccountId: OTHER_ACCOUNTS.maker };
  return [{ time: timeText(Math.floor(engineMs() / DAY_MS) * DAY_MS - DAY_MS), actionId, ...accounts, ...raw }];
}

const isReply = (result: Json | Reply): result is Reply =>
  typeof result === 'object' && result !== null && 'status' in result && 'json' in result;
