// The memory of a strategy: journaled with the turn, restored after a crash, and empty at the start of a backtest.
import { expect, test } from 'vitest';
import { checkpointOf } from '../../../src/bot/run/state/checkpoint.ts';
import { defineStrategy } from '../../../src/bot/strategy/contract.ts';
import { marketScript, play } from '../../../src/testing.ts';
import { RestartStage } from './restart-stage.ts';

interface Counted {
  readonly turns: number;
  readonly high: number;
}

/** A strategy that counts its turns and keeps the highest mid; reports its memory at the first turn. */
function counter(first: unknown[]) {
  return defineStrategy({
    name: 'counter',
    defaults: { market: 'BTCUSDC' },
    create({ market }, { memory }) {
      let isFirst = true;
      return (view) => {
        const before = memory.get() as Counted | undefined;
        if (isFirst) first.push(before);
        isFirst = false;
        const { mid = 0 } = view.market(market);
        memory.set({ turns: (before?.turns ?? 0) + 1, high: Math.max(before?.high ?? 0, mid) });
        return [];
      };
    },
  });
}

test('a crash loses no journaled memory', async () => {
  const first: unknown[] = [];
  const stage = await new RestartStage(counter(first), 60_000).start();
  await stage.seconds(3);
  await stage.price(61_000).seconds(3);
  await stage.price(60_500).seconds(3);
  const last = stage.process.turns.findLast(({ memory }) => memory !== undefined)?.memory?.['strategy'] as Counted;
  expect(last.high).toBe(61_000);
  await stage.crash();
  await stage.start();
  await stage.seconds(2);
  expect(first).toEqual([undefined, last]);
});

test('a checkpoint of the journal keeps the newest memory', async () => {
  const first: unknown[] = [];
  const stage = await new RestartStage(counter(first), 60_000).start();
  await stage.seconds(3);
  await stage.crash();
  await stage.start(checkpointOf);
  await stage.seconds(1);
  expect(first[1]).toEqual({ turns: expect.any(Number), high: 60_000 });
  const memories = stage.entries.filter((entry) => entry.kind === 'memory' && entry.name === 'strategy');
  expect(memories[0]).toMatchObject({ value: first[1] });
});

test('the memory is empty at the start of every backtest, and equal in each', async () => {
  const first: unknown[] = [];
  const market = marketScript().price('0s', 60_000).price('5s', 60_100).until('10s');
  const [one, other] = [await play(counter(first), { market }), await play(counter(first), { market })];
  expect(first).toEqual([undefined, undefined]);
  expect(one.fingerprint).toBe(other.fingerprint);
});
