// The public history of an exchange that the library ccxt knows: candles, funding rates and trades, by unified names of markets.
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { type Clock, DAY, type Millis } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import type { Rng } from '../../../base/rng.ts';
import { ClientError } from '../../../base/transport/client-error.ts';
import type { TransportsByOrigin } from '../../../base/transport/http.ts';
import { resolutionText } from '../../../bot/domain/candle.ts';
import type { Retry } from '../../../bot/exchange/kit/start-retries.ts';
import type { AdapterLog } from '../../../bot/exchange/port.ts';
import { type Ccxt, type CcxtExchange, exchangeNamed, redirect } from '../../../venues/ccxt/library.ts';
import { answerIn, candlesAPage, listed, marketIn, plain, type Unit, unitOf, unknownUnit } from '../../../venues/ccxt/markets.ts';
import { sendOver } from '../../../venues/ccxt/network.ts';
import { candleSeries, fundingSeries, type HistoryEntry, type HistorySeries, tradeSeries } from '../series.ts';
import { type HistoryMarket, type HistorySource, retriesOf } from './source.ts';

export interface CcxtSourceOptions {
  readonly ccxt: Ccxt;
  /** The exchange's name in ccxt. */
  readonly name: string;
  /** Replaces scheme, host and port of every address of the exchange, and switches off its limit of requests; for a stand-in. */
  readonly url?: string | undefined;
  readonly transports: TransportsByOrigin;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: AdapterLog;
}

/** A decimal text; empty if it is no number, so that the row is left out and counted. */
const number = z.unknown().transform((value) => (typeof value === 'number' && Number.isFinite(value) ? plain(value) : ''));
/** Time, open, high, low, close, volume. */
const candles = z.array(z.tuple([z.number()]).rest(number));
const rates = z.array(z.object({ timestamp: z.number(), fundingRate: number }));
const trades = z.array(
  z.object({ timestamp: z.number(), id: z.string().nullish(), side: z.string().nullish(), price: number, amount: number }),
);

const RATES_A_PAGE = 100;

/** Throws a UserError if ccxt does not know the exchange. */
export function ccxtSource(options: CcxtSourceOptions): HistorySource {
  const { ccxt, name, url } = options;
  const exchange = exchangeNamed(ccxt, name);
  if (url !== undefined) redirect(exchange, url);
  sendOver(exchange, options.transports.to, () => true); // without a key, nothing that is sent can change an account
  return new CcxtSource(exchange, options);
}

class CcxtSource implements HistorySource {
  readonly from: string;
  readonly library: string;
  requests = 0;
  readonly #exchange: CcxtExchange;
  readonly #options: CcxtSourceOptions;
  readonly #repeat: Retry;
  #listing: Promise<z.output<typeof listed>> | undefined;

  constructor(exchange: CcxtExchange, options: CcxtSourceOptions) {
    this.from = `ccxt:${options.name}`;
    this.library = `ccxt ${options.ccxt.version}`;
    this.#exchange = exchange;
    this.#options = options;
    this.#repeat = retriesOf(options, options.name);
  }

  now(): Promise<Millis> {
    if (this.#has('fetchTime')) return this.#ask(z.number(), () => this.#exchange.fetchTime());
    return Promise.resolve(this.#options.clock.now() - CLOCK_ERROR);
  }

  async market(wanted: string): Promise<HistoryMarket> {
    this.#listing ??= this.#ask(listed, () => this.#exchange.loadMarkets(true)); // without `true` it would return the first failure again
    return marketIn(await this.#listing, wanted, this.#options.name);
  }

  candles(market: HistoryMarket, span: Millis): HistorySeries {
    const { name } = this.#options;
    if (!this.#has('fetchOHLCV')) throw wrong(`${name} has no history of candles in ccxt`, 'choose another exchange');
    const lengths = Object.keys(this.#exchange.timeframes ?? {});
    if (!lengths.includes(resolutionText(span)))
      throw wrong(`${name} has no candles of ${resolutionText(span)}`, `write one of ${lengths.join(', ')}`);
    return this.#candlesOf(market, span);
  }

  days(market: HistoryMarket): HistorySeries | undefined {
    return Object.hasOwn(this.#exchange.timeframes ?? {}, '1d') ? this.#candlesOf(market, DAY) : undefined;
  }

  #candlesOf(market: HistoryMarket, span: Millis): HistorySeries {
    const limit = candlesAPage(this.#exchange.features, market);
    const tokens = this.#tokensOf(market, 'candles');
    const ask = async (since: Millis): Promise<readonly HistoryEntry[]> => {
      const rows = await this.#ask(candles, () => this.#exchange.fetchOHLCV(market.name, resolutionText(span), since, limit));
      return rows.map(([time, open = '', high = '', low = '', close = '', volume = '']) => {
        return { time, values: [open, high, low, close, tokens(volume)] };
      });
    };
    return candleSeries(span, { ask, limit });
  }

  funding(market: HistoryMarket): HistorySeries | undefined {
    if (!this.#has('fetchFundingRateHistory')) return undefined;
    const ask = async (since: Millis): Promise<readonly HistoryEntry[]> => {
      const rows = await this.#ask(rates, () => this.#exchange.fetchFundingRateHistory(market.name, since, RATES_A_PAGE));
      return rows.map(({ timestamp, fundingRate }) => ({ time: timestamp, values: [fundingRate] }));
    };
    return fundingSeries({ ask, limit: RATES_A_PAGE });
  }

  trades(market: HistoryMarket): HistorySeries | undefined {
    if (!this.#has('fetchTrades')) return undefined;
    const tokens = this.#tokensOf(market, 'trades');
    const ask = async (since: Millis): Promise<readonly HistoryEntry[]> => {
      const rows = await this.#ask(trades, () => this.#exchange.fetchTrades(market.name, since));
      return rows.map(({ timestamp, id, side, price, amount }) => {
        // Without ids, several trades of one time look like repeated ones.
        if (id == null)
          throw wrong(`${this.#options.name} lists the trades of ${market.id} without ids`, 'leave out --trades, and download candles');
        return { time: timestamp, id, values: [side ?? '', price, tokens(amount)] };
      });
    };
    return tradeSeries({ exchange: this.#options.name, symbol: market.id, ask });
  }

  close(): Promise<void> {
    return this.#options.transports.close();
  }

  /** Returns a function from the amounts that ccxt states to base tokens, exact. */
  #tokensOf(market: HistoryMarket, of: 'candles' | 'trades'): (amount: string) => string {
    if (knownUnitOf(this.#options.name, market, of) === 'tokens') return (amount) => amount;
    return (amount) => (amount === '' ? '' : new Decimal(amount).times(market.contractSize).toFixed());
  }

  #has(call: string): boolean {
    return this.#exchange.has[call] === true;
  }

  #ask<S extends z.ZodType>(shape: S, question: () => Promise<unknown>): Promise<z.output<S>> {
    const { name } = this.#options;
    return this.#repeat(async () => {
      this.requests++;
      return answerIn(shape, await question().catch((error: unknown) => failed(error, this.#options)), name);
    });
  }
}

/** How far this machine's clock may be ahead of the exchange's, if the exchange does not publish its time. */
const CLOCK_ERROR: Millis = 60_000;

/** Throws the error: a temporary one as an Error, which is retried; any other as a UserError, which ends the download. */
function failed(error: unknown, { ccxt, name }: { ccxt: Ccxt; name: string }): never {
  if (error instanceof ClientError) throw error;
  if (ccxt.isTemporary(error)) throw new Error(messageOf(error));
  throw new UserError({ code: 'exchange', message: `${name}: ${messageOf(error)}`, hint: 'see what ccxt documents of this exchange' });
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'download', message, hint });

/** Returns the unit of amounts in candles or trades of a market. Throws a UserError if it is not known. */
function knownUnitOf(exchange: string, market: HistoryMarket, of: 'candles' | 'trades'): Unit {
  const unit = unitOf(exchange, market, of);
  if (unit !== undefined) return unit;
  const [trades, others] = [
    'leave --trades out',
    'choose a market of which a contract is one token, such as its spot market, or another exchange',
  ];
  throw wrong(unknownUnit(exchange, market, of), of === 'trades' ? trades : others);
}
