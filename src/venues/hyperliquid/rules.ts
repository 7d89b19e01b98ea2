// The rules of Hyperliquid: what it allows to poll, and how long an order may still be placed. Its addresses, its name in messages, and its hints.
import type { Millis } from '../../base/clock.ts';
import { hintsOf } from '../../bot/exchange/kit/start-retries.ts';
import type { PollLimits } from '../../bot/exchange/kit/streams/polling.ts';
import type { ClientRules } from '../../bot/exchange/kit/venue-client.ts';
import type { HyperliquidNetwork } from '../wire/hyperliquid/sign.ts';

/** Of Hyperliquid's networks. */
export const ADDRESSES = { mainnet: 'https://api.hyperliquid.xyz', testnet: 'https://api.hyperliquid-testnet.xyz' } as const;

/** Returns the network for which actions to an address are signed: testnet for every address but mainnet's, such as that of a stand-in. */
export const networkAt = (url: string): HyperliquidNetwork => (new URL(url).origin === ADDRESSES.mainnet ? 'mainnet' : 'testnet');

/** 1,200 units a minute for an address of the network, of which a seventh is left for actions. An account is read in three requests, with spot markets in five. */
const LIMITS: PollLimits = {
  orderBookMs: 2_000,
  accountMs: 4_000,
  fillsMs: 10_000,
  tradesMs: 20_000,
  liveMs: 4_000,
  timeMs: 5_000,
  requestsPerSecond: 17,
  weights: { orderBook: 2, account: 28, fills: 20, trades: 20, live: 22, time: 2 },
};

/** Several servers answer, each from its own copy of the state: the longest that one may be behind. */
export const SERVER_LAG: Millis = 5_000;

/** Orders carry their expiry, which the exchange enforces: 15 s after they are signed. Only answers that are made later prove anything about them. */
export const RULES: ClientRules = {
  orderLife: 15 + SERVER_LAG / 1_000,
  answerTimeoutMs: 8_000,
  listingLagMs: SERVER_LAG + 1_000,
  accountLag: SERVER_LAG,
  revision: 'number',
  maxUnchangedMs: 5_000,
  polling: LIMITS,
};

export const HYPERLIQUID_EXCHANGE = {
  name: 'Hyperliquid',
  rules: RULES,
  hintFor: hintsOf({ notSent: 'nothing answers at this address: check --url and the network', otherwise: 'try again' }),
} as const;
