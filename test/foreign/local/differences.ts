// The differences of the real process from the interface document, each with a switch.

/** The behaviour of the real process, used while a difference is on. Otherwise the process follows the document. */
export const DIFFERENCES = {
  bareErrors: 'a refusal is {message} with status 500, without success; an unknown market or order is a TypeError',
  htmlNotFound: 'an unknown path returns an HTML page',
  textFlags: 'reduceOnly, ioc and postOnly count as the text "true" alone; a JSON true is ignored silently',
  flagPrecedence: 'of several flags one counts: ioc (with reduceOnly) before postOnly before reduceOnly',
  typeIgnored: 'there are no market orders: a price of null is an error, and every order is a limit order',
  placeEchoes: 'a new order is answered with its fields, and with neither id nor txId',
  nanRemaining: 'where nothing was filled, filledSize is missing and remainingSize is NaN: null in JSON',
  modifyReplaces: 'a modified order is a new post-only order without the client id; the answer has no id',
  orderPath: 'a single order is served at /orders/{order_id} only',
  clientIdPath: 'a cancel by client id names the market before it',
  cancelAwaited: 'a cancel that is reported as queued is already executed',
  marketFilterIgnored: 'open orders come from all markets; the market parameter is ignored',
  cancelAllHangs: 'cancelling all orders never answers if one cancel fails',
  historyPath: 'fills are at /trades/history, without hasMoreData',
  walletByPost: 'deposits and withdrawals are POSTs, answered with txid and size; a GET finds nothing',
  fundingRateFilter: 'funding rates are filtered by market_name instead of future',
  fundingPaymentFilter: 'funding payments are filtered by market instead of future',
  candleSpan: 'candles are selected by start_time and end_time in seconds, at most 300; page is ignored',
  depthIgnored: 'the answer contains the whole book; depth is ignored',
  pageNaN: 'trades without a page number are those of page NaN: none; an item also has createdAt, future and market',
  showAvgPriceIgnored: 'showAvgPrice is ignored',
  negativeBorrow: 'spotBorrow is negative for a debt',
  transferProcessed: 'the status of a transfer is processed, never confirmed',
  constantFees: 'makerFee is always 0, takerFee 0.001, liquidating false',
  noLeverage: 'the account has no leverage',
  textRequirement: 'initialMarginRequirement is text in the positions of the account, a number in those of /positions',
} as const;

export type DifferenceName = keyof typeof DIFFERENCES;
export type Differences = Readonly<Record<DifferenceName, boolean>>;

export const DIFFERENCE_NAMES = Object.keys(DIFFERENCES) as readonly DifferenceName[];

const every = (on: boolean): Differences => Object.fromEntries(DIFFERENCE_NAMES.map((name) => [name, on])) as Differences;

export const AS_REAL = every(true);
export const AS_DOCUMENTED = every(false);
