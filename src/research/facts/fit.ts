// Fits the flow of the embedded market to a recording, iteratively: simulates, measures, and corrects each parameter by the error of the figure that
// it controls.

import type { Millis } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import type { Market } from '../../bot/domain/market.ts';
import { lots, ticks } from '../../bot/domain/numbers.ts';
import { Exchange } from '../../embedded/exchange/exchange.ts';
import { STEP } from '../../embedded/exchange/rules/step.ts';
import { listedAs } from '../../embedded/exchange/state/listing.ts';
import { flowOf } from '../../embedded/exchange/traders/flow.ts';
import { type MarketRules, regimeWith } from '../../embedded/exchange/traders/market-rules.ts';
import { REGIMES } from '../../embedded/exchange/traders/regimes.ts';
import { MarketRows } from '../../embedded/recording/market-rows.ts';
import { RowBuilder } from '../../embedded/rows/row-builder.ts';
import { type Rows, STAMPS_PER_MILLI } from '../../embedded/rows/rows.ts';
import { type Observations, observe } from './observations.ts';
import { factsOf } from './stylised-facts.ts';

/** The fitted figures, which the flow's parameters control. Money in quote units. */
interface Aims {
  /** Standard deviation of the returns of 10 s, basis points. */
  readonly deviation: number;
  readonly tradesPerSecond: number;
  readonly tradeMoney: number;
  readonly bestMoney: number;
  readonly behindMoney: number;
  readonly changesPerSecond: number;
}

export interface Fit {
  readonly rules: MarketRules;
  /** The observations of the simulated market, and the market used. */
  readonly seen: Observations;
  readonly market: Market;
}

const ROUNDS = 8;
/** A parameter is corrected by this power of its error, to damp the iteration. */
const STEP_POWER = 0.7;
const SPAN: Millis = 900_000;
const WARM_UP: Millis = 30_000;
const SIMULATED = 'BTCUSDC';
const PRICES_EVERY: Millis = 1_000;

interface FitOptions {
  readonly seed: string;
  readonly rounds?: number;
  /** How long each market is simulated. */
  readonly spanMs?: Millis;
  readonly progress?: (share: number) => void;
}

/** Returns the fit; undefined if the recording is too short or has no book. `from` is the recording's start, because activity depends on the hour. */
export async function fitMarket(
  recording: { readonly seen: Observations; readonly market: Market; readonly from: Millis },
  { seed, rounds = ROUNDS, spanMs = SPAN, progress }: FitOptions,
): Promise<Fit | undefined> {
  const aims = aimsOf(recording.seen, recording.market);
  if (aims === undefined) return undefined;
  let rules = initialRules(recording.seen);
  let best: { readonly fit: Fit; readonly error: number } | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const { seen, market } = await simulate(rules, { seed, from: recording.from, spanMs });
    const found = aimsOf(seen, market);
    if (found === undefined) break;
    const error = worstOf(aims, found);
    if (best === undefined || error < best.error) best = { fit: { rules, seen, market }, error };
    rules = nextRules(rules, aims, found);
    progress?.((round + 1) / rounds);
  }
  return best?.fit;
}

/** Returns the largest error of a figure, as the logarithm of a factor. */
const worstOf = (aims: Aims, found: Aims): number =>
  Math.max(...(Object.keys(aims) as (keyof Aims)[]).map((name) => Math.abs(Math.log(aims[name] / found[name]))));

const { price: DEFAULT_PRICE, noise: DEFAULT_NOISE } = REGIMES.recorded;
const MIN_SECONDS = 120;

function initialRules({ samples }: Observations): MarketRules {
  assert(DEFAULT_PRICE !== 'swinging', 'the regime that is fitted has figures');
  const premiums = samples.flatMap(({ mark, index }) => (mark === undefined || index === undefined ? [] : [(mark / index - 1) * 1e4]));
  const basis =
    premiums.length < MIN_SECONDS ? undefined : Math.max(-100, Math.min(100, premiums.reduce((a, b) => a + b, 0) / premiums.length));
  return {
    like: 'recorded',
    volatility: DEFAULT_PRICE.volatility,
    takers: { perSecond: DEFAULT_NOISE.arrivals.perSecond, leastNotional: DEFAULT_NOISE.notional.least },
    book: { best: 1, behind: 1, flicker: 1 },
    ...(basis !== undefined && { basis }),
  };
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

function nextRules(rules: MarketRules, aims: Aims, found: Aims): MarketRules {
  const by = (name: keyof Aims): number => Math.max(0.25, Math.min(4, (aims[name] / found[name]) ** STEP_POWER));
  const { volatility = 1, takers: { perSecond = 1, leastNotional = 1 } = {}, book: { best = 1, behind = 1, flicker = 1 } = {} } = rules;
  return {
    ...rules,
    volatility: clamp(volatility * by('deviation'), 0.01, 50),
    takers: {
      perSecond: clamp(perSecond * by('tradesPerSecond'), 0.001, 100),
      leastNotional: clamp(leastNotional * by('tradeMoney'), 0.01, 1e6),
    },
    book: {
      best: clamp(best * by('bestMoney'), 0.001, 1_000),
      behind: clamp(behind * by('behindMoney'), 0.001, 1_000),
      flicker: clamp(flicker * by('changesPerSecond'), 0.01, 100),
    },
  };
}

function aimsOf(seen: Observations, market: Market): Aims | undefined {
  const { samples, trades, changes } = seen;
  const facts = factsOf(seen);
  const deviation = facts.returns[10]?.deviation;
  const middle = samples[Math.floor(samples.length / 2)]?.mid;
  if (samples.length < MIN_SECONDS || trades.length < 10 || middle === undefined || deviation === undefined || deviation === 0)
    return undefined;
  const money = market.size(lots(1)) * market.price(ticks(Math.round(middle)));
  const at = (level: number): number =>
    medianOf(samples.flatMap(({ sizes }) => [sizes[level] ?? 0, sizes[sizes.length / 2 + level] ?? 0])) * money;
  const aims = {
    deviation,
    tradesPerSecond: trades.length / samples.length,
    tradeMoney: (trades.reduce((sum, { size }) => sum + size, 0) / trades.length) * money,
    bestMoney: at(0),
    behindMoney: at(1),
    changesPerSecond: changes / samples.length,
  };
  return Object.values(aims).every((value) => value > 0) ? aims : undefined;
}

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Simulates the market of these rules from a time on, and returns its observations. */
export async function simulate(
  rules: MarketRules,
  { seed, from, spanMs }: { readonly seed: string; readonly from: Millis; readonly spanMs: Millis },
): Promise<Pick<Fit, 'seen' | 'market'>> {
  const regime = regimeWith(rules);
  assert(regime !== undefined, 'the regime that is fitted has figures');
  const start = Math.ceil(from / PRICES_EVERY) * PRICES_EVERY;
  const exchange = new Exchange({ seed, flow: flowOf(regime), start: start - WARM_UP, markets: listedAs([SIMULATED]) });
  exchange.advanceTo(start);
  return { seen: await observe(rowsOf(exchange, { start, end: start + spanMs })), market: exchange.markets[0]! };
}

/** Yields the rows of an exchange's only market. */
async function* rowsOf(exchange: Exchange, { start, end }: { start: Millis; end: Millis }): AsyncGenerator<Rows> {
  const builder = new RowBuilder();
  const rows = new MarketRows((row) => builder.add(row));
  const { id } = exchange.markets[0]!;
  for (let now = start; now <= end; now += STEP) {
    exchange.advanceTo(now);
    const when = { time: now * STAMPS_PER_MILLI, lag: 0 };
    for (const trade of exchange.trades({ marketId: id, since: now }).items.toReversed()) rows.trade(trade, when);
    const book = exchange.book(id);
    if (book !== undefined) rows.book(book, when);
    if (now % PRICES_EVERY !== 0) continue;
    rows.info(exchange.live(id)!, when);
    yield await Promise.resolve(builder.take());
  }
}
