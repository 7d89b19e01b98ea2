// The format of the hosted API: what its requests and replies mean to the invariants.
import { splitSigned } from '../../../../base/wire/framing.ts';
import type { Market } from '../../../../bot/domain/market.ts';
import { lots } from '../../../../bot/domain/numbers.ts';
import { secondsOfReading } from '../../../../venues/client/hosted.ts';
import type { ActionCodec } from '../../../../venues/wire/codec.ts';
import type { ExchangeApi, ReceivedReply, ShownAccount } from '../../exchange-api.ts';
import { pathOf } from '../../plan/faults.ts';

/** Seconds for which the exchange accepts signed bytes, by which it rounds its time, and for which bytes may wait before the engine. */
const WINDOW = 60;
const ROUNDING = 1;
const QUEUE = 2;

const ACCOUNT = /^\/account\/\d+$/;
const LISTING = '/info';

interface AccountJson {
  readonly updateId: number | string;
  readonly balances: readonly { readonly tokenId: number; readonly amount: number }[];
  readonly orders: readonly { readonly clientOrderId: number | string | null }[];
  readonly positions: readonly {
    readonly marketId: number;
    readonly perp: { readonly baseSize: number; readonly isLong: boolean } | null;
  }[];
}

interface TradeKey {
  readonly tradeId: number | string;
  readonly orderId: number | string;
  readonly takerSide: string;
}

interface TradeJson extends TradeKey {
  readonly marketId: number;
  readonly baseSize: number;
}

export const hostedFormat = (codec: ActionCodec): ExchangeApi => ({
  longestLag: 2_000,
  pathOf,
  nameOf: ({ path }) => path,
  isAccount: ({ path }) => ACCOUNT.test(path),
  isWhole: ({ path }) => !path.includes('?') && !/\/orders|\/fee/.test(path),
  termsIn: ({ path }, body) => (path === LISTING ? termsIn(new TextDecoder().decode(body)) : undefined),
  secondsIn,
  deadAfter: ({ timestamp }) => timestamp + WINDOW + ROUNDING + QUEUE,
  signedAhead: () => 0,
  countedOn: () => 0,
  actionIn: (body) => codec.decode(splitSigned(body).framed),
  receiptIn: (body) => codec.decodeReceipt(body),
  accountsIn: (replies) => replies.map(accountOf),
  rolesOf: (request) =>
    pathOf(request) === 'trades' && /[?&](maker|taker)Id=/.test(request.path)
      ? [request.path.includes('makerId=') ? 'maker' : 'taker']
      : [],
  tradeKeysIn: (body, markets) =>
    (parsed(body) as { readonly items: readonly TradeJson[] }).items.flatMap((trade) => {
      const market = markets[trade.marketId];
      return market === undefined ? [] : [keyOf(trade, trade.marketId, lotsIn(market, trade.baseSize))];
    }),
  tradeKeyOf: (trade) => keyOf(trade, trade.market, trade.size),
  emptySince({ path }, body) {
    const { items } = (parsedOrNothing(body) ?? {}) as { readonly items?: readonly unknown[] };
    if (items?.length !== 0) return undefined;
    return Date.parse(decodeURIComponent(/[?&]since=([^&]*)/.exec(path)?.[1] ?? '')) || 0;
  },
  tradeIdOf: (reported) => reported,
});

/** The time in a reply to `/timestamp`, as the bot reads it. */
function secondsIn(body: Uint8Array): number | undefined {
  try {
    return secondsOfReading(Number(new TextDecoder().decode(body)));
  } catch {
    return undefined;
  }
}

function accountOf({ asked, at, body }: ReceivedReply): ShownAccount {
  const { updateId, orders, positions, balances } = parsed(body) as AccountJson;
  return {
    asked,
    at,
    updateId: String(updateId),
    hasOrder: (id) => orders.some((order) => String(order.clientOrderId) === id),
    positionIn(market) {
      const { id, spec } = market;
      if (spec.kind === 'spot') return lotsIn(market, balances.find(({ tokenId }) => tokenId === spec.baseTokenId)?.amount ?? 0);
      const perp = positions.find(({ marketId }) => marketId === id)?.perp;
      return perp === null || perp === undefined ? 0 : (perp.isLong ? 1 : -1) * lotsIn(market, perp.baseSize);
    },
  };
}

/** The listed markets, whatever the order of the fields around them. */
const termsIn = (listing: string): string => JSON.stringify((JSON.parse(listing) as { readonly markets?: unknown }).markets);

const keyOf = ({ tradeId, orderId, takerSide }: TradeKey, market: number, size: number): string =>
  `${tradeId}/${orderId}/${takerSide}/${market}/${size}`;

const lotsIn = (market: Market, size: number): number => Math.round(Math.abs(size) / market.size(lots(1)));

function parsedOrNothing(body: Uint8Array): unknown {
  try {
    return parsed(body);
  } catch {
    return undefined;
  }
}

const parsed = (body: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(body));
