// Hyperliquid's public history: the newest 5,000 candles of each length, and all funding rates. Needs no library and no key.
import { z } from 'zod';
import { type Clock, type Millis, sleep } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { packageVersion } from '../../../base/package.ts';
import type { Rng } from '../../../base/rng.ts';
import { counted, suggestion } from '../../../base/text/phrases.ts';
import { type JsonRequest, jsonOver } from '../../../base/transport/json-request.ts';
import type { Transport } from '../../../base/transport/transport.ts';
import { resolutionText } from '../../../bot/domain/candle.ts';
import type { AdapterLog } from '../../../bot/exchange/port.ts';
import { candleSeries, fundingSeries, type HistoryEntry } from '../series.ts';
import { type HistoryMarket, type HistorySource, retriesOf } from './source.ts';

const LENGTHS: readonly string[] = ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '8h', '12h', '1d'];
const MAX_CANDLES = 5_000;
const MAX_RATES = 500;
const TIMEOUT: Millis = 20_000;

const number = z.union([z.string(), z.number()]).transform(String);
const meta = z.object({ universe: z.array(z.object({ name: z.string() })) });
const spotMeta = z.object({
  tokens: z.array(z.object({ name: z.string(), index: z.number() })),
  universe: z.array(z.object({ name: z.string(), tokens: z.tuple([z.number(), z.number()]) })),
});
const candles = z.array(z.object({ t: z.number(), o: number, h: number, l: number, c: number, v: number }));
const rates = z.array(z.object({ fundingRate: number, time: z.number() }));
const status = z.object({ time: z.number() });

/** By request: its weight, and how many items of the answer add one to the weight; 0: items add nothing. */
const WEIGHTS = { meta: [20, 0], spotMeta: [20, 0], exchangeStatus: [2, 0], candleSnapshot: [20, 60], fundingHistory: [20, 20] } as const;
/** The total weight that the exchange accepts per minute. */
const WEIGHT_PER_MINUTE = 1_200;

export interface HyperliquidSourceOptions {
  readonly transport: Transport;
  /** True: keeps to the exchange's limit of requests. */
  readonly paced: boolean;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: AdapterLog;
}

export function hyperliquidSource({ transport, paced, ...tools }: HyperliquidSourceOptions): HistorySource {
  const send = jsonOver(transport, { reasonIn: () => undefined });
  const ask = retriesOf(tools, 'Hyperliquid');
  const pace = paceOf(tools.clock);
  let requests = 0;
  let newest: Millis = tools.clock.now();
  let listing: Promise<Listing> | undefined;
  const readListing = async (): Promise<Listing> => ({ perps: await info('meta', meta), spots: await info('spotMeta', spotMeta) });
  async function info<S extends z.ZodType>(type: keyof typeof WEIGHTS, shape: S, more: object = {}): Promise<z.output<S>> {
    const line: JsonRequest<S> = {
      method: 'POST',
      path: '/info',
      body: { type, ...more },
      shape,
      timeoutMs: TIMEOUT,
      what: `POST /info ${type}`,
    };
    const answer = await ask(async () => {
      if (paced) await pace.ready();
      requests++;
      return send(line);
    });
    const [base, itemsEach] = WEIGHTS[type];
    pace.pay(base + (itemsEach === 0 || !Array.isArray(answer) ? 0 : answer.length / itemsEach));
    return answer;
  }
  const askCandles = async ({ id }: HistoryMarket, span: Millis, startTime: Millis): Promise<readonly HistoryEntry[]> => {
    const req = { coin: id, interval: resolutionText(span), startTime, endTime: newest };
    const rows = await info('candleSnapshot', candles, { req });
    return rows.map(({ t, o, h, l, c, v }) => ({ time: t, values: [o, h, l, c, v] }));
  };
  const askRates = async ({ id }: HistoryMarket, startTime: Millis): Promise<readonly HistoryEntry[]> => {
    const rows = await info('fundingHistory', rates, { coin: id, startTime });
    return rows.map(({ time, fundingRate }) => ({ time, values: [fundingRate] }));
  };
  return {
    from: 'hyperliquid',
    library: `tickwright ${packageVersion()}`,
    limit: `Hyperliquid shows the newest ${MAX_CANDLES.toLocaleString('en-US')} candles of each length only`,
    get requests() {
      return requests;
    },
    async now() {
      const { time } = await info('exchangeStatus', status);
      newest = time;
      return time;
    },
    market: async (name) => marketIn(name, await (listing ??= readListing())),
    candles(market, span) {
      checkLength(span);
      return candleSeries(span, { ask: (since) => askCandles(market, span, since), limit: MAX_CANDLES });
    },
    days: () => undefined, // of each length there are only the newest candles, so that days do not show where others begin
    funding: (market) => fundingSeries({ ask: (since) => askRates(market, since), limit: MAX_RATES }),
    trades: () => undefined,
    close: () => transport.close(),
  };
}

function checkLength(span: Millis): void {
  if (LENGTHS.includes(resolutionText(span))) return;
  throw wrong(`Hyperliquid has no candles of ${resolutionText(span)}`, `write one of ${LENGTHS.join(', ')}`);
}

interface Listing {
  readonly perps: z.output<typeof meta>;
  readonly spots: z.output<typeof spotMeta>;
}

/** `BTC` is a perpetual; `PURR/USDC`, or the exchange's own name as in `@107`, a spot market. */
function marketIn(name: string, { perps, spots }: Listing): HistoryMarket {
  const names = new Map(spots.tokens.map(({ index, name: token }) => [index, token]));
  const pairs = spots.universe.map((pair) => ({ id: pair.name, pair: pair.tokens.map((index) => names.get(index) ?? '').join('/') }));
  const perp = perps.universe.find((known) => known.name === name);
  if (perp !== undefined) return { name, id: perp.name, kind: 'perp', contractSize: '1' };
  const found = pairs.filter(({ id, pair }) => id === name || pair === name);
  const [spot, other] = found;
  if (spot !== undefined && other === undefined) return { name, id: spot.id, kind: 'spot', contractSize: '1' };
  if (spot !== undefined)
    throw wrong(
      `${counted(found.length, 'market')} of Hyperliquid are named ${name}`,
      `write one of ${found.map(({ id }) => id).join(', ')}`,
    );
  const known = [...perps.universe.map((market) => market.name), ...pairs.map(({ pair }) => pair)];
  throw wrong(
    `Hyperliquid has no market "${name}"`,
    suggestion(name, known, 'write the coin of a perpetual, as in BTC, or a pair, as in PURR/USDC'),
  );
}

/** A token bucket that holds one minute's weight. `ready` waits until it is not overdrawn; `pay` takes the weight of a request. */
function paceOf(clock: Clock): { ready: () => Promise<void>; pay: (weight: number) => void } {
  const perMs = WEIGHT_PER_MINUTE / 60_000;
  let [left, at] = [WEIGHT_PER_MINUTE, clock.now()];
  const fill = (): void => {
    const now = clock.now();
    [left, at] = [Math.min(WEIGHT_PER_MINUTE, left + (now - at) * perMs), now];
  };
  return {
    async ready() {
      fill();
      if (left < 0) await sleep(clock, Math.ceil(-left / perMs));
    },
    pay(weight) {
      fill();
      left -= weight;
    },
  };
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'download', message, hint });
