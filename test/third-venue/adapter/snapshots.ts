// Converts the JSON of the third exchange to domain types. Throws for invalid values.
import {
  type Account,
  type Book,
  type Fill,
  fillIn,
  gridOf,
  inMicros,
  type Level,
  type LiveInfo,
  levelsOf,
  listedMarket,
  lotsOf,
  Market,
  orderIn,
  type PlaceReceipt,
  type Position,
  positionIn,
  positiveLotsOf,
  type RestingOrder,
  sideOf,
  type Trade,
  ticksNear,
  ticksOf,
  tradeIn,
  type Unnumbered,
  type VenueListing,
  type z,
} from 'tickwright/venue';
import type * as shapes from './shapes.ts';

/** The currency of the exchange. */
const QUOTE = 'USD';

type Json<S extends z.ZodType> = z.output<S>;

/** Returns the markets and tokens, numbered in the order of the listing. */
export function listingOf(rows: Json<typeof shapes.instruments>): VenueListing {
  const symbols = [...new Set(rows.flatMap(({ quote, base }) => [quote, base]))];
  const markets = rows.map(({ name, kind, base, quote, tick, lot, grain, figures, leastValue, initial, maintenance }, id) => {
    const price = gridOf(tick);
    const size = gridOf(grain);
    return new Market({
      id,
      symbol: name,
      kind: kind === 'spot' ? 'spot' : 'perp',
      ...(kind === 'spot' && { buyFee: 'base' }),
      baseTokenId: symbols.indexOf(base),
      quoteTokenId: symbols.indexOf(quote),
      priceDecimals: price.decimals,
      priceStep: price.step,
      sizeDecimals: size.decimals,
      sizeStep: size.step,
      orderLots: Math.round(Number(lot) / Number(grain)),
      priceFigures: figures,
      minNotional: leastValue,
      imf: initial,
      mmf: maintenance,
    });
  });
  const tokens = symbols.map((symbol, tokenId) => ({ tokenId, symbol, decimals: 6, weightBps: tokenId === 0 ? 10_000 : 0 }));
  return { markets, tokens };
}

export const bookOf = (market: Market, { sequence, bids, asks }: Json<typeof shapes.book>): Book => ({
  market: market.id,
  updateId: String(sequence),
  bids: levelsOf(market, bids),
  asks: levelsOf(market, asks),
});

export const infosOf = (markets: readonly Market[], rows: Json<typeof shapes.tickers>): readonly LiveInfo[] =>
  markets.map((market) => {
    const row = rows.find(({ instrument }) => instrument === market.symbol);
    if (row === undefined) throw new Error(`no ticker of ${market.symbol}`);
    return { market: market.id, index: ticksNear(market, row.index), mark: ticksNear(market, row.mark), frozen: row.state === 'frozen' };
  });

export const tradeOf = (market: Market, { id, side, price, size, at }: Json<typeof shapes.trade>): Trade =>
  tradeIn(market, { tradeId: id, takerSide: sideOf(side), price, size, time: at });

/** The side is that of our order. The fee of a spot purchase is in the tokens that were bought. */
export function fillOf(markets: readonly Market[], row: Json<typeof shapes.fill>): Fill {
  const market = listedMarket(markets, row.instrument);
  const isFeeInBase = market.spec.buyFee === 'base' && row.side === 'buy';
  if (isFeeInBase === (row.feeAsset === QUOTE)) throw new Error(`a fee in ${row.feeAsset}`);
  return fillIn(market, tradeOf(market, row), { ...row, isFeeInBase });
}

/**
 * Returns the account. The exchange has an initial and a maintenance margin only, so there is no cmf. Its initial margin includes orders, and
 * unrealised profit counts as collateral. The notionals follow from the margins. There is one market, and no funding: a balance is of its base token or
 * of its quote token.
 */
export function accountOf(markets: readonly Market[], row: Json<typeof shapes.account>): Unnumbered<Account> {
  const [first] = markets;
  const { imf = Number.POSITIVE_INFINITY, mmf = Number.POSITIVE_INFINITY } = first?.spec ?? {};
  return {
    id: row.id,
    balances: row.balances.map(({ asset, amount }) => ({ tokenId: tokenOf(asset, first), token: asset, amount })),
    positions: row.positions.map((position) => positionOf(listedMarket(markets, position.instrument), position)),
    orders: row.orders.map((order) => orderOf(listedMarket(markets, order.instrument), order)),
    margins: {
      ...inMicros({
        omf: row.equity,
        mf: row.equity,
        imf: row.initialMargin,
        mmf: row.maintenanceMargin,
        pon: row.initialMargin / imf,
        pn: row.maintenanceMargin / mmf,
      }),
      bankruptcy: row.equity < 0,
    },
  };
}

const tokenOf = (asset: string, market: Market | undefined): number =>
  asset === QUOTE ? (market?.spec.quoteTokenId ?? 0) : (market?.spec.baseTokenId ?? 0);

const positionOf = (market: Market, { size, entry, pnl }: Json<typeof shapes.account>['positions'][number]): Position =>
  positionIn(market, { size, ...(entry !== null && { entry }), tradingPnl: pnl });

const orderOf = (market: Market, row: Json<typeof shapes.account>['orders'][number]): RestingOrder => {
  const { id: orderId, side, price, left: size, size: originalSize, clientId: clientOrderId } = row;
  return orderIn(market, { orderId, side: sideOf(side), price, size, originalSize, clientOrderId });
};

export function receiptOf(market: Market, { id, resting, fills }: Json<typeof shapes.placed>): PlaceReceipt {
  const taken = fills.map(({ price, size }): Level => ({ price: ticksOf(market, price), size: positiveLotsOf(market, size) }));
  return { orderId: id, actionId: id, taken, resting: lotsOf(market, resting) };
}
