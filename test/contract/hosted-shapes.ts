// Shapes of the answers of the hosted API, from the interface document, and the check of a value against a shape.

/** Returns the defects of a value, each with its path; empty if the value matches. */
export type Shape = (value: unknown, path: string) => string[];

export const scalar =
  (expected: string, fits: (value: unknown) => boolean): Shape =>
  (value, path) =>
    fits(value) ? [] : [`${path} should be ${expected}, is ${JSON.stringify(value)}`];

export const number = scalar('a number', (value) => typeof value === 'number' && Number.isFinite(value));
/** An integer in JSON; above 2^53 the reader returns its digits. */
export const integer = scalar('an integer', (value) => Number.isSafeInteger(value) || (typeof value === 'string' && /^\d+$/.test(value)));
export const boolean = scalar('a boolean', (value) => typeof value === 'boolean');
export const text = scalar('a text', (value) => typeof value === 'string');
const side = scalar('bid or ask', (value) => value === 'bid' || value === 'ask');
/** RFC 3339 with a zone. */
export const time = scalar('a time', (value) => typeof value === 'string' && RFC_3339.test(value) && Number.isFinite(Date.parse(value)));
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

export const nullable =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? [] : shape(value, path);

export const listOf =
  (shape: Shape): Shape =>
  (value, path) =>
    Array.isArray(value) ? value.flatMap((item, index) => shape(item, `${path}[${index}]`)) : [`${path} should be a list`];

export const tuple =
  (...shapes: readonly Shape[]): Shape =>
  (value, path) =>
    Array.isArray(value) && value.length === shapes.length
      ? shapes.flatMap((shape, index) => shape(value[index], `${path}[${index}]`))
      : [`${path} should be a list of ${shapes.length}`];

/** An object with all of these members. An absent member has the value undefined. */
export const record =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, path) =>
    isObject(value)
      ? Object.entries(shapes).flatMap(([key, shape]) => shape(value[key], `${path}.${key}`))
      : [`${path} should be an object`];

/** An object with arbitrary keys. */
const mapOf =
  (shape: Shape): Shape =>
  (value, path) =>
    isObject(value) ? Object.entries(value).flatMap(([key, member]) => shape(member, `${path}.${key}`)) : [`${path} should be an object`];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the same shape under several names. */
export const all = (shape: Shape, ...names: readonly string[]): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, shape]));

const FRACTIONS = ['imf', 'mmf', 'cmf'] as const;

const trade = record({
  ...all(integer, 'actionId', 'tradeId', 'takerId', 'makerId', 'marketId', 'orderId'),
  ...all(number, 'price', 'baseSize'),
  ...all(nullable(number), 'makerFee', 'takerFee'),
  time,
  takerSide: side,
});

const liveInfo = record({
  ...all(nullable(number), 'indexPrice', 'indexPriceConf', 'markPrice', 'projectedFundingRate'),
  marketId: integer,
  frozen: boolean,
  nextFundingTime: time,
  openInterest: number,
});

const perp = record({
  ...all(number, 'baseSize', 'price', 'tradingPnl', 'fundingPaymentPnl', 'updatedFundingRateIndex'),
  isLong: boolean,
});

const order = record({
  ...all(integer, 'orderId', 'marketId'),
  ...all(number, 'price', 'size', 'originalOrderSize'),
  side,
  clientOrderId: nullable(integer),
});

const market = record({
  ...all(integer, 'marketId', 'baseTokenId', 'quoteTokenId', 'priceDecimals', 'sizeDecimals'),
  ...all(number, ...FRACTIONS),
  symbol: text,
});

const perpStats = record({
  ...all(number, 'mark_price', 'funding_rate', 'open_interest', 'aggregated_funding_index'),
  next_funding_time: time,
});

const take = record({
  ...all(integer, 'actionId', 'takerAccountId', 'marketId', 'settlementPrice', 'baseSize', 'makerAccountId', 'bankruptcyPrice'),
  time,
  takerSide: side,
});

const token = record({ ...all(integer, 'tokenId', 'decimals', 'weightBps'), ...all(text, 'symbol', 'mintAddr') });
const margins = record({ ...all(number, 'omf', 'mf', 'pon', 'pn', ...FRACTIONS), bankruptcy: boolean });
const position = record({ ...all(integer, 'marketId', 'openOrders', 'actionId'), perp: nullable(perp) });
const balance = record({ tokenId: integer, token: text, amount: number });
const summary = record({ sum: number, count: integer });
const levels = listOf(tuple(number, number));
const pageOf = (item: Shape): Shape => record({ items: listOf(item), nextStartInclusive: nullable(integer) });

/** Shapes by endpoint. */
export const SHAPES = {
  info: record({ markets: listOf(market), tokens: listOf(token) }),
  live: record({ markets: listOf(liveInfo) }),
  stats: record({
    ...all(nullable(number), 'indexPrice', 'indexPriceConf', 'high24h', 'low24h', 'close24h', 'prevClose24h'),
    ...all(number, 'volumeBase24h', 'volumeQuote24h'),
    frozen: boolean,
    perpStats: nullable(perpStats),
  }),
  orderbook: record({ updateId: integer, bids: levels, asks: levels, bidsSummary: summary, asksSummary: summary }),
  user: record({ accountIds: listOf(integer), sessions: mapOf(record({ pubkey: text, expiry: time })) }),
  account: record({ updateId: integer, balances: listOf(balance), positions: listOf(position), orders: listOf(order), margins }),
  trades: pageOf(trade),
  orderHistory: pageOf(record({ ...all(integer, 'orderId', 'marketId'), side })),
  brackets: listOf(tuple(integer, record(all(integer, 'maker_fee_ppm', 'taker_fee_ppm')))),
  takes: listOf(take),
} satisfies Record<string, Shape>;

export const problems = (shape: Shape, value: unknown): string[] => shape(value, '');
