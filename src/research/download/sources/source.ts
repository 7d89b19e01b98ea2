// The port for sources of history (Hyperliquid's own API, or an exchange through the library ccxt), and the retries of their requests.
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Rng } from '../../../base/rng.ts';
import type { MarketKind } from '../../../bot/domain/market.ts';
import { type Retry, startRetries } from '../../../bot/exchange/kit/start-retries.ts';
import type { AdapterLog } from '../../../bot/exchange/port.ts';
import type { HistorySeries } from '../series.ts';

export interface HistoryMarket {
  /** The market's name, as the user typed it. */
  readonly name: string;
  /** The market's name in requests. */
  readonly id: string;
  readonly kind: MarketKind;
  /** Base tokens of one contract, a decimal. Rows are in base tokens already. */
  readonly contractSize: string;
}

export interface HistorySource {
  /** `hyperliquid` or `ccxt:NAME`. */
  readonly from: string;
  /** The program or library that sends the requests, with its version. */
  readonly library: string;
  /** What limits this history, as a sentence without its full stop; undefined if nothing is known. */
  readonly limit?: string | undefined;
  /** The number of requests so far. */
  readonly requests: number;
  /** A time that is not ahead of the exchange's clock. Rejects with a UserError. */
  now(): Promise<Millis>;
  /** Rejects with a UserError if there is no such market, or if no tape can hold it. */
  market(name: string): Promise<HistoryMarket>;
  /** Throws a UserError for a length of candles that the exchange does not have. */
  candles(market: HistoryMarket, span: Millis): HistorySeries;
  /** Daily candles, which show where the history of shorter ones begins; undefined if there are none that show it. */
  days(market: HistoryMarket): HistorySeries | undefined;
  /** Undefined if the exchange publishes no history of it. */
  funding(market: HistoryMarket): HistorySeries | undefined;
  trades(market: HistoryMarket): HistorySeries | undefined;
  close(): Promise<void>;
}

/** The deadline of one request with its retries. A rate limit per minute has passed by then. */
const TIMEOUT: Millis = 300_000;

/** Returns a function that retries a request for up to five minutes, and then rejects with a UserError `exchange`. A UserError is not retried. */
export const retriesOf =
  (tools: { readonly clock: Clock; readonly rng: Rng; readonly log: AdapterLog }, what: string): Retry =>
  (question) =>
    startRetries({ ...tools, timeoutMs: TIMEOUT, what, hintFor: () => 'check the network; the same command continues the download' })(
      question,
    );
