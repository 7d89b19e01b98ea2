// The GET endpoints of the hosted exchange: a table of paths, each with what it answers.
import type { Account } from './accounts.ts';
import { CROWD_ACCOUNTS, FEES } from './deals.ts';
import type { Reply, Settings } from './faults.ts';
import type { Floor } from './floor.ts';
import type { Json } from './json.ts';
import { toBase58 } from './keys.ts';
import { LISTINGS, type Listing, TOKENS } from './market.ts';
import { pageOfOrders, pageOfTrades, type Query } from './pages.ts';
import type { Users } from './users.ts';
import { accountInfo, liveInfo, marketInfo, orderbook, stats, timeText } from './views.ts';

export interface Exchange {
  readonly floor: Floor;
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
  [/^\/markets\/live$/, (exchange) => ({ markets: LISTINGS.map((listing) => liveInfo(exchange.floor, listing, exchange.engineMs())) })],
  [/^\/market\/(\d+)\/orderbook$/, ({ floor }, [id]) => onMarket(id, (listing) => orderbook(floor, listing))],
  [/^\/market\/(\d+)\/stats$/, (exchange, [id]) => onMarket(id, (listing) => stats(exchange.floor, listing, exchange.engineMs()))],
  [/^\/market\/(\d+)\/fees\/(taker|maker)\/(\d+)$/, feeRate],
  [/^\/fee\/brackets\/info$/, () => BRACKETS.map(([maker, taker], tier) => [tier, { maker_fee_ppm: maker, taker_fee_ppm: taker }])],
  [/^\/account\/(\d+)\/fee\/tier$/, ({ floor }, [id]) => onAccount(floor, id, () => 0)],
  [/^\/account\/(\d+)$/, ({ floor, settings }, [id]) => onAccount(floor, id, (account) => accountInfo(floor, settings, account))],
  [
    /^\/account\/(\d+)\/orders$/,
    ({ floor, settings }, [id], query) => onAccount(floor, id, (account) => pageOfOrders(account, settings, query)),
  ],
  [/^\/accounts\/liquidations\/takes$/, (exchange) => takes(exchange)],
  [/^\/trades$/, ({ floor, settings }, _, query) => pageOfTrades(floor.trades, settings, query)],
  [/^\/user\/([1-9A-HJ-NP-Za-km-z]+)$/, userInfo],
];

/** The honest answer to a GET; an unknown path is a 404. */
export function answer(exchange: Exchange, path: string, query: Query): Reply {
  for (const [pattern, route] of ROUTES) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const result = route(exchange, match.slice(1), query);
    return isReply(result) ? result : { status: 200, json: result };
  }
  return NOT_FOUND;
}

/** [maker, taker] in parts per million; the second five are the discounted ones. */
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

function onAccount(floor: Floor, id: string | undefined, found: (account: Account) => Json | Reply): Json | Reply {
  const account = floor.accounts.get(Number(id));
  return account === undefined ? NOT_FOUND : found(account);
}

function feeRate({ floor }: Exchange, [market, role, account]: readonly string[]): Json | Reply {
  return onMarket(market, () => (floor.accounts.has(Number(account)) ? FEES[role === 'maker' ? 'maker' : 'taker'] / 1e6 : NOT_FOUND));
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

/** One old event between the crowd's accounts, so that the list is not empty. */
function takes({ engineMs, settings }: Exchange): Json {
  const raw = { takerSide: 'bid', marketId: 0, settlementPrice: 599_000, baseSize: 1_200, bankruptcyPrice: 598_400 };
  const actionId = settings.idsAsStrings ? '7' : 7;
  const accounts = { takerAccountId: CROWD_ACCOUNTS.taker, makerAccountId: CROWD_ACCOUNTS.maker };
  return [{ time: timeText(Math.floor(engineMs() / DAY_MS) * DAY_MS - DAY_MS), actionId, ...accounts, ...raw }];
}

const isReply = (result: Json | Reply): result is Reply =>
  typeof result === 'object' && result !== null && 'status' in result && 'json' in result;
