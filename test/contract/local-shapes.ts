// Shapes of the results of the local API, from the interface document.
import { all, boolean, listOf, nullable, number, record, type Shape, scalar, text, time, tuple } from './hosted-shapes.ts';

/** A field that may be a number or a numeric text. */
const numeric = scalar('a number or a numeric text', (value) => isNumeric(value) && Number.isFinite(Number(value)));
const isNumeric = (value: unknown): boolean => typeof value === 'number' || (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value));

const oneOf = (...words: readonly string[]): Shape => scalar(words.join(' or '), (value) => words.some((word) => word === value));
const side = oneOf('buy', 'sell');

/** A value that matches both shapes. */
const both =
  (first: Shape, second: Shape): Shape =>
  (value, path) => [...first(value, path), ...second(value, path)];

/** A value that matches `then` if it matches `condition`. */
const where =
  (condition: Shape, then: Shape): Shape =>
  (value, path) =>
    condition(value, path).length === 0 ? then(value, path) : [];

const market = both(
  record({ name: text, type: oneOf('future', 'spot'), enabled: boolean, ...all(number, 'ask', 'bid', 'price') }),
  where(record({ type: oneOf('future') }), record({ underlying: text })),
);

const levels = listOf(tuple(number, number));

const position = record({
  ...all(number, 'cost', 'entryPrice', 'initialMarginRequirement', 'maintenanceMarginRequirement', 'netSize', 'size', 'openSize'),
  ...all(number, 'longOrderSize', 'shortOrderSize', 'unrealizedPnl', 'collateralUsed'),
  future: text,
  side,
});

const account = record({
  ...all(number, 'collateral', 'freeCollateral', 'initialMarginRequirement', 'maintenanceMarginRequirement', 'makerFee', 'takerFee'),
  ...all(number, 'marginFraction', 'openMarginFraction', 'totalAccountValue', 'totalPositionSize', 'leverage'),
  ...all(boolean, 'backstopProvider', 'liquidating'),
  username: text,
  positions: listOf(position),
});

const order = record({
  ...all(text, 'market', 'future', 'status'),
  ...all(numeric, 'id', 'price', 'size'),
  type: scalar('limit, market or an object keyed by one', (value) => ['limit', 'market'].includes(typeName(value))),
  side,
});

const typeName = (value: unknown): string =>
  typeof value === 'object' && value !== null ? Object.keys(value).join(' and ') : String(value);

const modified = both(
  order,
  record({ ...all(boolean, 'reduceOnly', 'ioc', 'postOnly'), createdAt: time, remainingSize: nullable(number), clientId: nullable(text) }),
);

const balance = record({
  ...all(number, 'spotBorrow', 'total', 'usdValue'),
  ...all(numeric, 'free', 'availableWithoutBorrow'),
  coin: text,
});

const coin = record({
  ...all(boolean, 'canDeposit', 'canWithdraw', 'canConvert', 'collateral'),
  ...all(text, 'id', 'mint'),
  collateralWeight: number,
});

/** The answer to a deposit or withdrawal. The transaction id has two spellings. */
const moved = both(record({ ...all(text, 'coin', 'status'), time }), (value, path) => {
  const spelled = [record({ txId: text }), record({ txid: text })];
  return spelled.some((shape) => shape(value, path).length === 0) ? [] : [`${path} should have a txId or a txid`];
});

/** Shapes by kind of result. */
export const LOCAL_SHAPES = {
  market,
  markets: listOf(market),
  orderbook: record({ asks: levels, bids: levels }),
  candles: listOf(record({ startTime: time, ...all(number, 'open', 'close', 'high', 'low') })),
  trades: listOf(record({ ...all(number, 'price', 'size'), ...all(text, 'status', 'type'), side, time, liquidation: boolean })),
  coins: listOf(coin),
  fundingRates: listOf(record({ date: time, ...all(number, 'fundingIndex', 'fundingCollected') })),
  account,
  positions: listOf(position),
  balances: listOf(balance),
  transfers: listOf(record({ ...all(text, 'coin', 'status'), size: number, type: oneOf('deposit', 'withdrawal'), time })),
  moved,
  order,
  openOrders: listOf(both(order, record({ clientId: nullable(text) }))),
  modified,
  confirmation: text,
  transaction: record({ txId: text }),
  fills: listOf(
    record({ ...all(text, 'symbol', 'future', 'market'), ...all(number, 'price', 'size'), liquidity: oneOf('taker', 'maker'), side, time }),
  ),
  fundingPayments: listOf(record({ ...all(number, 'rate', 'payment'), future: text, date: time })),
} satisfies Record<string, Shape>;
