// Checks for future data: a strategy cannot earn a profit on a random walk, and later data has no influence. One that earns uses future data, or is filled at
// prices that did not exist.
import { rngFrom } from '../../../../base/rng.ts';
import { normalCdf, studentQuantile } from '../../../../base/statistics/normal.ts';
import { counted } from '../../../../base/text/phrases.ts';
import type { Tape } from '../../../../embedded/tape/reader.ts';
import { cutTape, movedTape } from '../../memory-tape.ts';
import { firstDifference, playTapes } from '../subject.ts';
import { candlesFor, candleTape } from '../tapes/candle-tapes.ts';
import { FUNDING, Script } from '../tapes/scenarios.ts';
import { clockText, fail, type PlayCounts, pass, type StrategyCheck, skip, warn } from '../verdict.ts';

const WALKS = 12;
const SECONDS = 180;
/** Standard deviation of the return of a second. */
const STEP = 3e-4;
/**
 * Every second walk of candles is harder: all markets follow one walk, all but the first lack a third of their candles, and requests take long. A backtest in
 * which one market shows the next price of another then earns a profit.
 */
const MISSING = 1 / 3;
const LONG_MS = 450;
/** False-positive rate of the check: the probability of more than three standard errors in a normal distribution. */
const BY_CHANCE = 1 - normalCdf(3);

export const randomWalkPlayCounts: PlayCounts = { shortBacktests: WALKS };

export const randomWalk: StrategyCheck = async (subject) => {
  const candles = candlesFor(subject.strategy, subject.params);
  const profits: number[] = [];
  let placed = 0;
  for (let index = 0; index < WALKS; index++) {
    const seed = `${subject.seed}/${index}`;
    const isHard = candles !== undefined && index % 2 === 1;
    const tapeOf = (header: Tape['header'], market: number): Tape =>
      candles === undefined
        ? walk(header, seed)
        : candleTape(header, candles, { seed, ...(isHard && { walk: 'common', missing: market === 0 ? 0 : MISSING }) });
    const tapes = subject.tapes.map(({ header }, market) => tapeOf(header, market));
    const played = await playTapes(subject, { tapes, ...(isHard && { latencyMs: LONG_MS }) });
    const { pnl, fees, fills } = played.summary;
    placed += played.placed;
    if (fills > 0) profits.push(Number(pnl) + Number(fees));
  }
  if (profits.length < 2) return { ...skip(`it traded in ${profits.length} of ${WALKS} random walks`), placed };
  const { mean, error, limit } = meanOf(profits);
  const text = `${mean.toFixed(2)} before fees in the mean of ${counted(profits.length, 'random walk')}, standard error ${error.toFixed(2)}`;
  if (mean > 0 && mean > limit) return { ...fail(`it earns ${text}; nobody can earn there without seeing the future`), placed };
  return { ...pass(`it earns ${text}`), placed };
};

/**
 * Returns the mean of profits, its standard error, and the limit that the mean exceeds with the probability BY_CHANCE if the expected profit is 0. The error of
 * a few walks is itself uncertain, so the limit follows Student's distribution: 3.8 standard errors for twelve walks, 235 for two.
 */
export function meanOf(profits: readonly number[]): { readonly mean: number; readonly error: number; readonly limit: number } {
  const mean = profits.reduce((sum, profit) => sum + profit, 0) / profits.length;
  const variance = profits.reduce((sum, profit) => sum + (profit - mean) ** 2, 0) / (profits.length - 1);
  const error = Math.sqrt(variance / profits.length);
  return { mean, error, limit: error * studentQuantile(1 - BY_CHANCE, profits.length - 1) };
}

function walk({ market, basePrice }: Tape['header'], seed: string): Tape {
  const script = new Script({ spec: market, basePrice });
  for (const [second, factor] of walkOf(seed, market.symbol).entries()) {
    if (second === 20 || second === 120) script.funding(second, second === 20 ? FUNDING : -FUNDING); // not paid within the walk
    script.price(second, factor);
  }
  return script.tape(SECONDS);
}

/** Returns a factor of the first price for each second, from independent moves with a mean of zero. */
export function walkOf(seed: string, symbol: string): readonly number[] {
  const rng = rngFrom(seed).fork(`walk/${symbol}`);
  let factor = 1;
  return Array.from({ length: SECONDS + 1 }, (_, second) => {
    if (second > 0) factor *= 1 + STEP * rng.normal();
    return factor;
  });
}

const CUTS = 4;
/** Whole weeks, so that hours and days of the week do not change. */
const MOVED = 28 * 86_400_000;

export const lookAheadPlayCounts: PlayCounts = { tapeBacktests: 2 + CUTS };

/** Checks that later data has no influence: the market is truncated at several places, and shifted in time. */
export const lookAhead: StrategyCheck = async (subject) => {
  const whole = await playTapes(subject);
  if (whole.placed === 0) return { ...skip('it placed no order'), placed: 0 };
  const cuts = Array.from({ length: CUTS }, (_, index) => Math.round(whole.from + ((whole.to - whole.from) * (index + 1)) / (CUTS + 1)));
  for (const cut of cuts) {
    const { acted } = await playTapes(subject, { tapes: subject.tapes.map((tape) => cutTape(tape, cut)) });
    const found = firstDifference(whole.acted, acted, { until: cut });
    if (found === undefined) continue;
    return fail(
      `without what came after ${clockText(cut)}, it acts differently at ${clockText(found.at)}: ${found.one} and ${found.other}`,
    );
  }
  const moved = await playTapes(subject, { tapes: subject.tapes.map((tape) => movedTape(tape, MOVED)) });
  const found = firstDifference(whole.acted, moved.acted, { moved: MOVED });
  if (found === undefined)
    return pass(`cut at ${counted(CUTS, 'place')}, it acted the same up to each cut; moved by four weeks, it acted the same`);
  const what = `on the same prices four weeks later it acts differently from ${clockText(found.at)} on: ${found.one} and ${found.other}`;
  const dates = Object.entries(subject.params)
    .filter(([, value]) => isDate(value))
    .map(([name]) => name);
  if (dates.length > 0) return warn(`${what}; its parameter ${dates.join(', ')} is a date, which may be the reason`);
  return fail(`${what}; it knows more of the time than the market shows: does it read prices from a file?`);
};

/** True for a text such as `2026-01-05`, and for a number of seconds or milliseconds since the epoch after 2001. */
const isDate = (value: unknown): boolean =>
  (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)) || (typeof value === 'number' && value > 1e9 && Number.isInteger(value));
