// How the real process differs from the interface document: one row for each difference.

/** What the real process does where a row is on; where it is off, it does what the document says. */
export const ROWS = {
  bareErrors: 'a refusal is {message} with status 500, without success; an unknown market or order is a TypeError',
  htmlNotFound: 'an unknown path is a page of HTML',
  textFlags: 'reduceOnly, ioc and postOnly count as the text "true" alone; a JSON true is ignored without a word',
  flagPrecedence: 'of several flags one counts: ioc (with reduceOnly) before postOnly before reduceOnly',
  typeIgnored: 'there are no market orders: a price of null is an error, and a limit order is what it has a price for',
  placeEchoes: 'a new order is answered with its fields, and with neither id nor txId',
  nanRemaining: 'where nothing was filled, filledSize is missing and remainingSize is NaN: null in JSON',
  modifyReplaces: 'a modified order is another one, post-only, without its client id; the answer has no id',
  orderPath: 'an order by its id is at /orders/{order_id} alone',
  clientIdPath: 'a cancel by client id names the market before it',
  cancelAwaited: 'a cancel that is said to be queued is done already',
  marketFilterIgnored: 'open orders come from all markets, whatever market was asked for',
  cancelAllHangs: 'cancelling all never answers when one of them fails',
  historyPath: 'fills are at /trades/history, without hasMoreData',
  walletByPost: 'deposits and withdrawals are POSTs, answered with txid and size; a GET finds nothing',
  fundingRateFilter: 'funding rates are filtered by market_name instead of future',
  fundingPaymentFilter: 'funding payments are filtered by market instead of future',
  candleSpan: 'candles go by start_time and end_time in seconds, at most 300; page is ignored',
  depthIgnored: 'the whole book comes, whatever depth was asked for',
  pageNaN: 'trades without a page are those of page NaN: none; an item has createdAt, future and market too',
  showAvgPriceIgnored: 'whatever showAvgPrice says',
  negativeBorrow: 'spotBorrow is negative when something is owed',
  transferProcessed: 'a transfer is processed, never confirmed',
  constantFees: 'makerFee is 0, takerFee 0.001, liquidating false: for ever',
  noLeverage: 'the account has no leverage',
  textRequirement: 'initialMarginRequirement is text in the positions of the account, a number in those of /positions',
} as const;

export type RowName = keyof typeof ROWS;
export type Rows = Readonly<Record<RowName, boolean>>;

export const ROW_NAMES = Object.keys(ROWS) as readonly RowName[];

const every = (on: boolean): Rows => Object.fromEntries(ROW_NAMES.map((name) => [name, on])) as Rows;

export const AS_THE_REAL_ONE = every(true);
export const AS_DOCUMENTED = every(false);
