// No strategy earns on candles of driftless walks, over latencies, lengths, phases, missing candles, one to three markets, funding and exits.
import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { DEFAULT_CANDLES } from '../../../src/embedded/exchange/recorded/candle-path.ts';
import { ASSUMPTIONS } from '../../story/backtest/played.ts';
import { earned, errorsOf } from './play.ts';
import { ADVERSARIES, follower } from './strategies.ts';
import { HOURLY_BPS, type WalkedMarket, walkTapes } from './walks.ts';

const MAX_ERRORS = 3;
const SYMBOLS = ['BTCUSDC', 'BTC2USDC', 'BTC3USDC'];
/** More walks with NOISE_WALKS=40. */
const WALKS = Number(process.env['NOISE_WALKS'] ?? 4);
const CANDLES = 120;

type Layout = (length: number) => readonly Omit<WalkedMarket, 'symbol'>[];

/** One market, two whose candles begin apart, two of which one lacks candles, three of which one has longer candles. */
const LAYOUTS: readonly Layout[] = [
  (length) => [{ length }],
  (length) => [{ length }, { length, phase: length / 2 }],
  (length) => [{ length }, { length, missing: 0.5 }],
  (length) => [{ length }, { length, phase: length / 4, missing: 0.2 }, { length: 3 * length }],
];

/** One draw of all that a tape and a run can differ in. */
function drawn(index: number, layouts = LAYOUTS): { readonly markets: readonly WalkedMarket[]; readonly latencyMs: number } {
  const rng = rngFrom(`noise ${index}`).fork('draw');
  const one = <T>(list: readonly T[]): T => list[rng.below(list.length)]!;
  const layout = layouts[index % layouts.length]!;
  const markets = layout(one([SECOND, MINUTE, HOUR])).map((market, at) => {
    const symbol = SYMBOLS[at]!;
    return rng.next() < 0.3 ? { ...market, symbol, funding: 1e-4 } : { ...market, symbol };
  });
  return { markets, latencyMs: one([0, 20, 100, 450, 1_000]) };
}

/** The layouts in which a second market of the same walk is out of step, or lacks candles. */
const PAIRS = LAYOUTS.slice(1, 3);
/** Enough candles for the sum of small profits to show. */
const PAIR_CANDLES = 500;

const CASES = [
  ...Object.entries(ADVERSARIES).map(([name, strategyOf]) => ({ name, strategyOf, layouts: LAYOUTS, candles: CANDLES })),
  { name: 'follower of two markets', strategyOf: follower, layouts: PAIRS, candles: PAIR_CANDLES },
];

test.each(CASES)('$name', async ({ name, strategyOf, layouts, candles }) => {
  const all: number[] = [];
  const played: string[] = [];
  for (let index = 0; index < WALKS; index++) {
    const seed = `noise ${index}`;
    const { markets, latencyMs } = drawn(index, layouts);
    const { length } = markets[0]!;
    const unit = HOURLY_BPS * Math.sqrt(length / HOUR);
    const tapes = walkTapes(markets, { seed, span: candles * length });
    const { changes, fills } = await earned(
      tapes,
      strategyOf(
        markets.map(({ symbol }) => symbol),
        unit,
      ),
      {
        fees: { makerPpm: 0, takerPpm: 0 },
        assumptions: {
          ...ASSUMPTIONS,
          latency: { kind: 'constant', there: latencyMs, back: latencyMs },
          candles: { ...DEFAULT_CANDLES, halfSpreadBps: 0 },
        },
      },
    );
    const errors = errorsOf(changes);
    all.push(errors);
    played.push(`${seed}: ${JSON.stringify({ markets, latencyMs, fills, errors })}`);
  }
  const errors = all.reduce((sum, one) => sum + one, 0) / Math.sqrt(all.length);
  if (process.env['NOISE_WALKS'] !== undefined) console.log(name, errors.toFixed(2));
  expect(errors, `${name}\n${played.join('\n')}`).toBeLessThan(MAX_ERRORS);
});
