// The shipped strategies on candles decide the same with and without crashes. The carry is in carry.test.ts.
import { expect, test } from 'vitest';
import { ticks } from '../../../src/bot/domain/numbers.ts';
import type { Venue } from '../../../src/bot/exchange/port.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import crossover from '../../../strategies/crossover.ts';
import pairs from '../../../strategies/pairs.ts';
import trend from '../../../strategies/trend.ts';
import { START } from '../../unit/embedded/quiet-exchange.ts';
import { RestartStage } from '../restart/restart-stage.ts';

type Prices = Readonly<Record<string, readonly number[]>>;

interface Scenario {
  readonly strategy: Strategy<Params>;
  readonly params: Params;
  /** One price per minute, by market. */
  readonly prices: Prices;
}

const PERIOD = 20_000;
const flat = (count: number, price: number): readonly number[] => Array.from({ length: count }, () => price);

/** Returns minutes before the start that move by a tick around the first price. */
const pastOf =
  (prices: Prices): NonNullable<Venue['history']> =>
  ({ market, span, count, until }) => {
    const first = market.ticksNear(prices[market.symbol]![0]!)!;
    const [end, amount] = [Math.min(START, until), Math.min(count, 5_000)];
    const candles = Array.from({ length: amount }, (_, index) => {
      const start = end - (amount - index) * span;
      const price = ticks(first + ((start / span) % 2));
      return { start, open: price, high: price, low: price, close: price };
    });
    return { span, candles };
  };

/** Plays the prices with a crash at each of these seconds. Returns decisions and trades by minute. */
async function playWithCrashes({ strategy, params, prices }: Scenario, crashAt: readonly number[]) {
  const first = Object.fromEntries(Object.entries(prices).map(([symbol, [price]]) => [symbol, price!]));
  const stage = await new RestartStage(strategy, first, { params, history: pastOf(prices) }).start();
  const minutes = Math.max(...Object.values(prices).map(({ length }) => length));
  const decided = new Map<number, Set<string>>();
  for (let second = 0; second < minutes * 60; second += PERIOD / 1_000) {
    if (second % 60 === 0) for (const [symbol, all] of Object.entries(prices)) stage.price(all[second / 60]!, symbol);
    await stage.seconds(PERIOD / 1_000);
    const wanted = stage.process.turns.at(-1)!.intents.filter(({ kind }) => kind === 'target');
    const minute = Math.floor(second / 60);
    const text = wanted.map((intent) => `${intent.market} ${'position' in intent ? intent.position : ''}`).join(', ');
    decided.set(minute, (decided.get(minute) ?? new Set()).add(text));
    if (crashAt.some((at) => at > second && at <= second + PERIOD / 1_000)) await (await stage.crash()).start();
  }
  const fills = stage.lines.flatMap((line) => (line.kind === 'fill' ? [`${line.market} ${line.side} ${line.size} ${line.price}`] : []));
  return { decided: [...decided].map(([minute, texts]) => `${minute}: ${[...texts].join(' then ')}`), fills };
}

const RISE_AND_FALL = [...flat(2, 60_000), 60_300, 60_600, 60_600, ...flat(5, 59_000)];
const SCENARIOS: readonly (readonly [string, Scenario, number])[] = [
  [
    'the crossover with two hundred candles of warm-up',
    {
      strategy: crossover,
      params: { ...crossover.defaults, resolution: '1m', fast: 2, slow: 200 },
      prices: { BTCUSDC: RISE_AND_FALL },
    },
    2,
  ],
  [
    'the trend follower, between its entry and its stop',
    {
      strategy: trend,
      params: { ...trend.defaults, resolution: '1m', length: 60, trailBps: 100 },
      prices: { BTCUSDC: RISE_AND_FALL },
    },
    2,
  ],
  [
    'the pairs trade, between its entry and its exit',
    {
      strategy: pairs,
      params: { ...pairs.defaults, length: 120 },
      prices: { ETHUSDC: [...flat(2, 3_000), 3_010, 3_010, ...flat(5, 3_000)], BTCUSDC: flat(9, 60_000) },
    },
    4,
  ],
];

test.each(SCENARIOS)('%s', async (_, story, fills) => {
  const once = await playWithCrashes(story, []);
  expect(once.fills.length).toBeGreaterThanOrEqual(fills);
  const again = await playWithCrashes(story, [150, 250, 330, 440]);
  expect(again).toEqual(once);
});
