// Exits after crashes: they decide as in an uninterrupted run.
import { expect, test } from 'vitest';
import type { Entry } from '../../../src/bot/run/state/entries.ts';
import { defineStrategy } from '../../../src/index.ts';
import { RestartStage } from '../restart/restart-stage.ts';

const trailing = defineStrategy({
  name: 'trailing',
  defaults: { market: 'BTCUSDC' },
  create: ({ market }) => {
    return (view) => {
      const btc = view.market(market);
      return btc.mid === undefined ? [] : [btc.target({ position: 0.01 }), btc.trailingStop({ bps: 100 })];
    };
  },
});

interface Restarts {
  /** Seconds after the start at which the process crashes. */
  readonly crashAt: readonly number[];
  /** Changes the journal that the next process reads. */
  readonly changed?: (entries: readonly Entry[]) => readonly Entry[];
}

/** The price falls by one percent from a high before a restart, and recovers. */
const PRICES: Readonly<Record<number, number>> = { 5: 60_600, 10: 60_300, 20: 59_900, 40: 60_600 };

async function playWithCrashes({
  crashAt,
  changed,
}: Restarts): Promise<{ readonly decided: readonly string[]; readonly position: number }> {
  const stage = await new RestartStage(trailing, 60_000).start();
  for (let second = 1; second <= 60; second++) {
    const price = PRICES[second];
    if (price !== undefined) stage.price(price);
    await stage.seconds(1);
    if (crashAt.includes(second)) await (await stage.crash()).start(changed);
  }
  const decided = stage.lines.flatMap((line) => {
    if (line.kind === 'fill') return [`${line.side} ${line.size} ${line.price}`];
    return line.kind === 'finding' && line.guard === 'exit' && line.verdict === 'close' ? [line.reason] : [];
  });
  return { decided, position: stage.position };
}

const EXPECTED = [
  'bid 0.0100 60000.1',
  'the price 59900 has reached the trailing stop at 59994, 15.7 bps below it; closing long 0.01',
  'ask 0.0100 59899.9',
  'the trailing stop at 59994 closed 0.01 at 59899.9 on average, 15.7 bps below it',
];

test.each([
  ['never', []],
  ['after the high', [12]],
  ['after the exit', [30]],
  ['both times, and after the price is back', [12, 30, 45]],
])('crashed %s: the same decisions', async (_, crashAt) => {
  expect(await playWithCrashes({ crashAt })).toEqual({ decided: EXPECTED, position: 0 });
});

const withoutMemory = (entries: readonly Entry[]): readonly Entry[] => entries.filter(({ kind }) => kind !== 'memory');

test('without the journaled memory of the exits the stop is missed', async () => {
  expect((await playWithCrashes({ crashAt: [12], changed: withoutMemory })).position).toBe(0.01);
});
