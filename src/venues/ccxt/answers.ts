// Requests for public data through ccxt, one at a time: the shapes of the answers, the cost of each request, and the errors.
import { z } from 'zod';
import { AssertionError, messageOf, UserError } from '../../base/errors.ts';
import { ClientError } from '../../base/transport/client-error.ts';
import { hintsOf } from '../../bot/exchange/kit/start-retries.ts';
import type { Ccxt, CcxtExchange } from './library.ts';
import { answerIn, listed } from './markets.ts';

const time = z.number().int().nonnegative();
const price = z.number().positive();
const level = z.tuple([price, z.number().nonnegative()]).rest(z.unknown());
const book = z.object({ bids: z.array(level), asks: z.array(level) });
const trade = z.object({
  timestamp: time,
  id: z.string().nullish(),
  side: z.enum(['buy', 'sell']),
  price,
  amount: z.number().nonnegative(),
});
const funding = z.object({
  symbol: z.string(),
  markPrice: price.nullish(),
  indexPrice: price.nullish(),
  /** A fraction for the whole interval. */
  fundingRate: z.number().nullish(),
  fundingTimestamp: time.nullish(),
  nextFundingTimestamp: time.nullish(),
  /** Such as `8h`. */
  interval: z.string().nullish(),
});
/** Start, open, high, low, close, volume. */
const candle = z.tuple([time, price.nullish(), price.nullish(), price.nullish(), price.nullish(), z.number().nullish()]).rest(z.unknown());

export type BookRow = z.output<typeof book>;
export type TradeRow = z.output<typeof trade>;
export type FundingRow = z.output<typeof funding>;
export type CandleRow = z.output<typeof candle>;
export type Listed = z.output<typeof listed>;

/** The price in the middle of a book; undefined if a side is empty. */
export function midIn({ bids: [bid], asks: [ask] }: BookRow): number | undefined {
  return bid === undefined || ask === undefined ? undefined : (bid[0] + ask[0]) / 2;
}

/** The kinds of polled data. The cost of one request of each is recorded. */
export type Polled = 'orderBook' | 'trades' | 'live';

/** Status given to a refusal that would be the same on a retry. */
const LASTING = 400;
/** Names of errors of the language: the code of ccxt failed on an answer that it did not expect. */
const MISTAKES: ReadonlySet<string> = new Set(['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError']);

/** Each call makes one attempt and rejects with a ClientError. */
export class CcxtAnswers {
  readonly exchange: CcxtExchange;
  /** The units of the exchange's limit that one request costs. */
  readonly costs: Record<Polled, number> = { orderBook: 0, trades: 0, live: 0 };
  readonly #ccxt: Ccxt;
  #spent = 0;
  #throttled = 0;

  constructor(ccxt: Ccxt, exchange: CcxtExchange) {
    this.#ccxt = ccxt;
    this.exchange = exchange;
    const wait = exchange.throttle?.bind(exchange);
    exchange.throttle = async (cost = 1) => {
      this.#spent += cost;
      if (this.#throttled > 0) await wait?.(cost);
    };
  }

  has(call: string): boolean {
    return this.exchange.has[call] === true;
  }

  get hasFunding(): boolean {
    return this.has('fetchFundingRate') || this.has('fetchFundingRates');
  }

  /**
   * Makes the requests of `act`, which are not polls: ccxt delays them to keep the exchange's limit. Polls are sent at once: their intervals and the request
   * budget of the kit keep the limit, and a delayed poll would look slow.
   */
  async throttled<T>(act: () => Promise<T>): Promise<T> {
    this.#throttled++;
    try {
      return await act();
    } finally {
      this.#throttled--;
    }
  }

  /** Makes the requests of `act`, and records their cost in units of the limit. Nothing else may be requested meanwhile. */
  async measured<T>(kind: Polled, act: () => Promise<T>): Promise<T> {
    this.#spent = 0;
    const result = await act();
    this.costs[kind] = Math.max(this.costs[kind], this.#spent);
    return result;
  }

  markets(): Promise<Listed> {
    return this.#ask('its markets', listed, () => this.exchange.loadMarkets(true));
  }

  /** `depth`: levels of a side; undefined for the exchange's own number. */
  book(name: string, depth: number | undefined): Promise<BookRow> {
    return this.#ask(`the book of ${name}`, book, () => this.exchange.fetchOrderBook!(name, depth));
  }

  /** The newest, oldest first. */
  trades(name: string): Promise<readonly TradeRow[]> {
    return this.#ask(`the trades of ${name}`, z.array(trade), () => this.exchange.fetchTrades(name));
  }

  /** Returns marks and funding by market: of several markets in one request, if the exchange has it. */
  async funding(names: readonly string[]): Promise<ReadonlyMap<string, FundingRow>> {
    const asksOneByOne = this.has('fetchFundingRate') && (names.length === 1 || !this.has('fetchFundingRates'));
    const rows: FundingRow[] = [];
    if (asksOneByOne)
      for (const name of names) rows.push(await this.#ask(`the funding of ${name}`, funding, () => this.exchange.fetchFundingRate!(name)));
    else {
      const found = await this.#ask('the funding rates', z.record(z.string(), funding), () => this.exchange.fetchFundingRates!(names));
      rows.push(...Object.values(found));
    }
    return new Map(rows.map((row) => [row.symbol, row]));
  }

  candles(name: string, { length, since, limit }: { length: string; since: number; limit: number }): Promise<readonly CandleRow[]> {
    return this.#ask(`candles of ${name}`, z.array(candle), () => this.exchange.fetchOHLCV(name, length, since, limit));
  }

  async #ask<S extends z.ZodType>(what: string, shape: S, question: () => Promise<unknown>): Promise<z.output<S>> {
    try {
      return answerIn(shape, await question(), this.exchange.id);
    } catch (error) {
      if (error instanceof ClientError || error instanceof UserError || error instanceof AssertionError) throw error;
      const reason = firstLine(messageOf(error));
      const message = `${what}: ${reason}`;
      if (this.#ccxt.isTemporary(error)) throw new ClientError({ kind: 'http', message });
      const isMistake = !(error instanceof Error) || MISTAKES.has(error.name);
      throw new ClientError(isMistake ? { kind: 'shape', message } : { kind: 'refused', status: LASTING, reason, message });
    }
  }
}

/** Returns the exchange's reason if the answer would be the same later; throws any other error again. */
export function lastingReason(error: unknown): { readonly refused: string } {
  if (error instanceof ClientError && error.status === LASTING) return { refused: error.reason ?? error.message };
  throw error;
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 200);

export const hintFor = hintsOf({
  notSent: 'nothing answers: check the network, and --url if it was given',
  otherwise: 'try again, or choose another exchange',
});
