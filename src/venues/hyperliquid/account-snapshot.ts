// The account of Hyperliquid. Positions, spot balances and orders come in separate answers, which are used together if nothing was traded between them.
import type { z } from 'zod';
import { ClientError } from '../../base/transport/client-error.ts';
import { validated } from '../../base/transport/json-request.ts';
import type { Account, Position, RestingOrder } from '../../bot/domain/account.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { ReadAccount } from '../../bot/exchange/kit/venue-client.ts';
import { orderIn, positionIn } from '../shared/convert.ts';
import { moneyOf } from '../shared/validate.ts';
import { sideOf } from '../wire/hyperliquid/terms.ts';
import { ofKind } from './public-client.ts';
import type { AskInfo } from './requests.ts';
import * as shapes from './shapes.ts';
import { clientOrderIdIn, coinOf, inMarkets, QUOTE, SPOT_QUOTE } from './snapshots.ts';

type State = z.output<typeof shapes.state>;
type Spot = z.output<typeof shapes.spotState>;
type Order = z.output<typeof shapes.order>;

export interface AccountRows {
  readonly state: State;
  /** Undefined if no spot market is traded. */
  readonly spot: Spot | undefined;
  readonly orders: readonly Order[];
}

const TRIES = 3;
/** The name of the margin of perpetuals beside the USDC of spot. */
const MARGIN_TOKEN = 'USDC-MARGIN';

/** Reads positions and balances, then orders, then positions and balances again. Rejects if these changed in each of three tries. */
export async function readAccount(ask: AskInfo, user: string, markets: readonly Market[]): Promise<AccountRows> {
  const hasSpot = markets.some(({ spec }) => spec.kind === 'spot');
  const readHeld = async (): Promise<Omit<AccountRows, 'orders'>> => ({
    state: await ask('clearinghouseState', { shape: shapes.state }, { user }),
    spot: hasSpot ? await ask('spotClearinghouseState', { shape: shapes.spotState }, { user }) : undefined,
  });
  let before = await readHeld();
  for (let tries = 0; tries < TRIES; tries++) {
    const orders = await ask('frontendOpenOrders', { shape: shapes.orders }, { user });
    const after = await readHeld();
    if (sizesIn(before) === sizesIn(after)) return { ...after, orders };
    before = after;
  }
  throw new ClientError({ kind: 'shape', message: 'the positions changed while the orders were read' });
}

const sizesIn = ({ state, spot }: Omit<AccountRows, 'orders'>): string =>
  JSON.stringify([
    ...state.assetPositions.map(({ position: { coin, szi } }) => `${coin} ${szi}`).toSorted(),
    ...(spot?.balances ?? []).map(({ token, total }) => `${token}: ${total}`).toSorted(),
  ]);

export interface AccountParts {
  readonly user: string;
  readonly markets: readonly Market[];
  /** Funding paid since the run began, in quote tokens, by coin. */
  readonly paid: ReadonlyMap<string, number>;
  /** The quota of requests of the account's address; undefined until it was read. */
  readonly requests?: Account['requests'];
}

/**
 * Returns the account. Its initial margin includes resting orders at their market's fraction, and there is no cancel level. Positions and orders in
 * markets that are not among `markets` are left out; the margins count them. Spot tokens are apart from the margin of perpetuals.
 */
export const accountOf = ({ state, spot, orders }: AccountRows, { user, markets, paid, requests }: AccountParts): ReadAccount =>
  validated('the account', () => {
    const { accountValue, totalMarginUsed, totalNtlPos } = state.crossMarginSummary;
    const held = state.assetPositions.map(({ position }) => position);
    const isolated = held.find(({ leverage }) => leverage.type === 'isolated');
    if (isolated !== undefined) throw new Error(`an isolated position in ${isolated.coin}, whose margin is not counted here`);
    const profit = held.reduce((sum, { unrealizedPnl }) => sum + unrealizedPnl, 0);
    const resting = inMarkets(markets, orders, (market, order) => ({ market, order, value: order.limitPx * order.sz }));
    const ofPerps = resting.filter(({ market }) => market.spec.kind === 'perp');
    const ordered = ofPerps.reduce((sum, { value }) => sum + value, 0);
    const orderMargin = ofPerps.reduce((sum, { market, value }) => sum + value * market.spec.imf, 0);
    const equity = moneyOf(accountValue, 'the account value');
    return {
      id: user,
      updateId: String(state.time),
      balances: [
        {
          tokenId: QUOTE.tokenId,
          token: spot === undefined ? QUOTE.symbol : MARGIN_TOKEN,
          amount: (equity - moneyOf(profit, 'profit')) / 1e6,
        },
        ...(spot?.balances ?? []).map(({ coin, token, total }) => ({ tokenId: SPOT_QUOTE.tokenId + token, token: coin, amount: total })),
      ],
      ...(requests !== undefined && { requests }),
      ...(spot !== undefined && { spotApart: true as const }),
      positions: ofKind(markets, 'perp').flatMap((market) => {
        const row = held.find(({ coin }) => coin === coinOf(market));
        const funding = paid.get(coinOf(market)) ?? 0;
        return row === undefined && funding === 0 ? [] : [positionOf(market, row, funding)];
      }),
      orders: resting.map(({ market, order }) => orderOf(market, order)),
      margins: {
        omf: equity,
        mf: equity,
        imf: moneyOf(totalMarginUsed + orderMargin, 'the initial margin'),
        mmf: moneyOf(state.crossMaintenanceMarginUsed, 'the maintenance margin'),
        pon: moneyOf(totalNtlPos + ordered, 'the notional'),
        pn: moneyOf(totalNtlPos, 'the notional'),
        bankruptcy: equity < 0,
      },
    };
  });

const positionOf = (market: Market, row: State['assetPositions'][number]['position'] | undefined, paid: number): Position =>
  positionIn(market, { size: row?.szi ?? 0, entry: row?.entryPx, tradingPnl: row?.unrealizedPnl, fundingPaymentPnl: 0 - paid });

const orderOf = (market: Market, { oid, side, limitPx: price, sz: size, origSz: originalSize, cloid }: Order): RestingOrder =>
  orderIn(market, { orderId: oid, side: sideOf(side), price, size, originalSize, ...clientOrderIdIn(cloid) });
