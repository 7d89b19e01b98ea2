// The public history of an exchange that the library ccxt knows: candles, funding rates and trades, by unified names of markets.
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { type Clock, DAY, type Millis } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import type { Rng } from '../../../base/rng.ts';
import { suggestion } from '../../../base/text/phrases.ts';
import { resolutionText } from '../../../bot/domain/candle.ts';
import type { Retry } from '../../../bot/exchange/kit/start-retries.ts';
import type { AdapterLog } from '../../../bot/exchange/port.ts';
import { candleSeries, fundingSeries, type HistoryEntry, type HistorySeries, tradeSeries } from '../series.ts';
import type { Ccxt, CcxtExchange } from './ccxt-library.ts';
import { type HistoryMarket, type HistorySource, retriesOf } from './source.ts';

export interface CcxtSourceOptions {
  readonly ccxt: Ccxt;
  /** The exchange's name in ccxt. */
  readonly name: string;
  /** Replaces scheme, host and port of every address of the exchange, and switches off its limit of requests; for a stand-in. */
  readonly url?: string | undefined;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: AdapterLog;
}

const market = z.object({
  id: z.string(),
  symbol: z.string(),
  type: z.string().nullish(),
  spot: z.boolean().nullish(),
  swap: z.boolean().nullish(),
  inverse: z.boolean().nullish(),
  contractSize: z.number().nullish(),
});
const markets = z.record(z.string(), z.unknown());
/** A decimal text; empty if it is no number, so that the row is left out and counted. */
const number = z.unknown().transform((value) => (typeof value === 'number' && Number.isFinite(value) ? plain(value) : ''));
/** Time, open, high, low, close, volume. */
const candles = z.array(z.tuple([z.number()]).rest(number));
const rates = z.array(z.object({ timestamp: z.number(), fundingRate: number }));
const trades = z.array(
  z.object({ timestamp: z.number(), id: z.string().nullish(), side: z.string().nullish(), price: number, amount: number }),
);

const RATES_A_PAGE = 100;
/** If ccxt does not say how many candles an exchange answers. */
const CANDLES_A_PAGE = 500;

/** Throws a UserError if ccxt does not know the exchange. */
export function ccxtSource(options: CcxtSourceOptions): HistorySource {
  const { ccxt, name, url } = options;
  if (!ccxt.exchanges.includes(name))
    throw wrong(
      `ccxt ${ccxt.version} does not know the exchange "${name}"`,
      suggestion(name, ccxt.exchanges, 'its documentation lists them'),
    );
  const exchange = ccxt.create(name);
  if (url !== undefined) redirect(exchange, url);
  return new CcxtSource(exchange, options);
}

class CcxtSource implements HistorySource {
  readonly from: string;
  readonly library: string;
  requests = 0;
  readonly #exchange: CcxtExchange;
  readonly #options: CcxtSourceOptions;
  readonly #repeat: Retry;
  #listing: Promise<z.output<typeof markets>> | undefined;

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
    this.#listing ??= this.#ask(markets, () => this.#exchange.loadMarkets());
    return marketIn(await this.#listing, wanted, this.#options.name);
  }

  candles(known: HistoryMarket, span: Millis): HistorySeries {
    const { name } = this.#options;
    if (!this.#has('fetchOHLCV')) throw wrong(`${name} has no history of candles in ccxt`, 'choose another exchange');
    const lengths = Object.keys(this.#exchange.timeframes ?? {});
    if (!lengths.includes(resolutionText(span)))
      throw wrong(`${name} has no candles of ${resolutionText(span)}`, `write one of ${lengths.join(', ')}`);
    return this.#candlesOf(known, span);
  }

  days(known: HistoryMarket): HistorySeries | undefined {
    return Object.hasOwn(this.#exchange.timeframes ?? {}, '1d') ? this.#candlesOf(known, DAY) : undefined;
  }

  #candlesOf(known: HistoryMarket, span: Millis): HistorySeries {
    const limit = candlesAPage(this.#exchange, known);
    const tokens = this.#tokensOf(known, 'candles');
    const ask = async (since: Millis): Promise<readonly HistoryEntry[]> => {
      const rows = await this.#ask(candles, () => this.#exchange.fetchOHLCV(known.name, resolutionText(span), since, limit));
      return rows.map(([time, open = '', high = '', low = '', close = '', volume = '']) => {
        return { time, values: [open, high, low, close, tokens(volume)] };
      });
    };
    return candleSeries(span, { ask, limit });
  }

  funding(known: HistoryMarket): HistorySeries | undefined {
    if (!this.#has('fetchFundingRateHistory')) return undefined;
    const ask = async (since: Millis): Promise<readonly HistoryEntry[]> => {
      const rows = await this.#ask(rates, () => this.#exchange.fetchFundingRateHistory(known.name, since, RATES_A_PAGE));
      return rows.map(({ timestamp, fundingRate }) => ({ time: timestamp, values: [fundingRate] }));
    };
    return fundingSeries({ ask, limit: RATES_A_PAGE });
  }

  trades(known: HistoryMarket): HistorySeries | undefined {
    if (!this.#has('fetchTrades')) return undefined;
    const tokens = this.#tokensOf(known, 'trades');
    const ask = async (since: Millis): Promise<readonly HistoryEntry[]> => {
      const rows = await this.#ask(trades, () => this.#exchange.fetchTrades(known.name, since));
      return rows.map(({ timestamp, id, side, price, amount }) => {
        return { time: timestamp, id: id ?? undefined, values: [side ?? '', price, tokens(amount)] };
      });
    };
    return tradeSeries({ exchange: this.#options.name, symbol: known.id, ask });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Returns a function from the amounts that ccxt states to base tokens, exact. */
  #tokensOf(known: HistoryMarket, of: 'candles' | 'trades'): (amount: string) => string {
    if (unitOf(this.#options.name, known, of) === 'tokens') return (amount) => amount;
    return (amount) => (amount === '' ? '' : new Decimal(amount).times(known.contractSize).toFixed());
  }

  #has(call: string): boolean {
    return this.#exchange.has[call] === true;
  }

  #ask<S extends z.ZodType>(shape: S, question: () => Promise<unknown>): Promise<z.output<S>> {
    const { name } = this.#options;
    return this.#repeat(async () => {
      this.requests++;
      return checked(shape, await question().catch((error: unknown) => failed(error, this.#options)), name);
    });
  }
}

/** If the exchange does not show its time, this machine's clock may be ahead of it by so much. */
const CLOCK_ERROR: Millis = 60_000;

/** The shortest decimal that is this number, without an exponent. */
function plain(value: number): string {
  const text = String(value);
  return text.includes('e') ? new Decimal(value).toFixed() : text;
}

/** Throws a UserError for a market that a tape cannot hold. */
function marketIn(all: z.output<typeof markets>, wanted: string, name: string): HistoryMarket {
  if (!Object.hasOwn(all, wanted))
    throw wrong(
      `${name} has no market "${wanted}"`,
      suggestion(wanted, Object.keys(all), 'names are as in ccxt: BTC/USDT is a spot market, BTC/USDT:USDT a perpetual'),
    );
  const { id, type, spot, swap, inverse, contractSize } = checked(market, all[wanted], name);
  if (swap !== true && spot !== true)
    throw wrong(`${wanted} is a market of another kind (${type ?? 'unknown'}) than spot and perpetual`, 'a tape holds these two only');
  if (inverse === true)
    throw wrong(
      `${wanted} is an inverse contract: its sizes count quote money, and its profit is paid in the base token; a tape holds linear markets only`,
      'choose the linear market, as in BTC/USDT:USDT',
    );
  return { name: wanted, id, kind: swap === true ? 'perp' : 'spot', contractSize: swap === true ? plain(contractSize ?? 1) : '1' };
}

const limit = z.object({ fetchOHLCV: z.object({ limit: z.number().int().positive() }) }).transform(({ fetchOHLCV }) => fetchOHLCV.limit);
const features = z.object({ spot: z.unknown(), swap: z.object({ linear: z.unknown() }).nullish() });

/** The most candles of an answer, as ccxt knows it. */
function candlesAPage(exchange: CcxtExchange, { kind }: HistoryMarket): number {
  const all = features.safeParse(exchange.features).data;
  return limit.safeParse(kind === 'spot' ? all?.spot : all?.swap?.linear).data ?? CANDLES_A_PAGE;
}

/** An answer of another shape than ccxt documents counts as no answer, so it is asked for again. */
function checked<S extends z.ZodType>(shape: S, answer: unknown, name: string): z.output<S> {
  const result = shape.safeParse(answer);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`${name} answered with another shape: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** Temporary errors are asked again. Of the others a person has to know. */
function failed(error: unknown, { ccxt, name }: { ccxt: Ccxt; name: string }): never {
  if (ccxt.isTemporary(error)) throw new Error(messageOf(error));
  throw new UserError({ code: 'exchange', message: `${name}: ${messageOf(error)}`, hint: 'see what ccxt documents of this exchange' });
}

/** Replaces scheme, host and port in all addresses. */
function redirect(exchange: CcxtExchange, url: string): void {
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(/^https?:\/\/[^/]+/, url);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner)]));
  };
  exchange.urls.api = replaced(exchange.urls.api);
  exchange.enableRateLimit = false;
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'download', message, hint });

// Whether ccxt states amounts of contracts in base tokens or in contracts. It differs by exchange, and ccxt does not say; read in its source, version 4.5.84.

type Unit = 'tokens' | 'contracts';

interface Units {
  readonly candles?: Unit;
  readonly trades?: Unit;
}

/** By exchange. Where a contract is one token, as at most exchanges, both are the same. */
const UNITS: Readonly<Record<string, Units>> = {
  bitget: { candles: 'tokens' },
  blofin: { candles: 'tokens' },
  gate: { candles: 'contracts', trades: 'contracts' },
  htx: { candles: 'tokens' },
  mexc: { candles: 'contracts', trades: 'contracts' },
  myokx: { candles: 'tokens', trades: 'contracts' },
  okx: { candles: 'tokens', trades: 'contracts' },
  okxus: { candles: 'tokens', trades: 'contracts' },
};

/** Returns the unit of amounts in candles or trades of a market. Throws a UserError if it is not known. */
function unitOf(exchange: string, market: HistoryMarket, of: keyof Units): Unit {
  if (market.contractSize === '1') return 'tokens';
  const unit = Object.hasOwn(UNITS, exchange) ? UNITS[exchange]?.[of] : undefined;
  if (unit !== undefined) return unit;
  throw new UserError({
    code: 'download',
    message: `a contract of ${market.name} is ${market.contractSize} tokens, and whether ccxt states the amounts of ${of} of ${exchange} in contracts or in tokens is not known`,
    hint:
      of === 'trades'
        ? 'leave --trades out'
        : 'choose a market of which a contract is one token, such as its spot market, or another exchange',
  });
}
