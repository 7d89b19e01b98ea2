// What came of the turns of a run: one cause each, as numbers and as text.
import { expect, test } from 'vitest';
import { TurnCauses, turnsWords } from '../../../src/bot/accounting/turn-causes.ts';
import { defineStrategy } from '../../../src/index.ts';
import { marketScript, play } from '../../../src/testing.ts';

const ACTION = { kind: 'cancel', clientOrderId: '1', market: 0, orderId: '2' } as const;

test('each turn counts once, and the names of a cause each', () => {
  const causes = new TurnCauses();
  causes.add({ actions: [ACTION], idle: undefined });
  causes.add({ actions: [], idle: { kind: 'held', by: ['data-age', 'oracle'] } });
  causes.add({ actions: [], idle: { kind: 'held', by: ['data-age'] } });
  causes.add({ actions: [], idle: { kind: 'nothingReturned' } });
  causes.add({ actions: [], idle: { kind: 'staleInput', by: ['news'] } });
  causes.add({ actions: [] });
  expect(causes.counts()).toEqual({
    turns: 6,
    turnsBy: { acted: 1, refused: 0, held: 2, belowLot: 0, staleInput: 1, nothingReturned: 1, unchanged: 1 },
    heldBy: { 'data-age': 2, oracle: 1 },
    refusedBy: {},
    staleBy: { news: 1 },
  });
  expect(turnsWords(causes.counts())).toBe(
    'held 2 (data-age 2, oracle 1), acted 1, stale input 1 (news 1), nothing returned 1, unchanged 1',
  );
});

const strategyOf = (position: number | undefined) =>
  defineStrategy({
    name: 'one',
    defaults: { market: 'BTCUSDC' },
    create: () => (view) => (position === undefined ? [] : [view.market('BTCUSDC').target({ position })]),
  });

test.each([
  ['nothingReturned', undefined],
  ['belowLot', 0.000_001],
  ['unchanged', 0],
] as const)('a strategy whose turns end as %s says so in its summary', async (cause, position) => {
  const { summary } = await play(strategyOf(position), { market: marketScript().price('0s', 60_000).until('5s') });
  const { turns, turnsBy, heldBy } = summary;
  expect(summary.orders.placed).toBe(0);
  expect(Object.values(turnsBy).reduce((sum, count) => sum + count, 0)).toBe(turns);
  expect(turnsBy[cause]).toBeGreaterThan(10);
  expect(turnsBy[cause] + turnsBy.held).toBe(turns);
  expect(heldBy).toEqual({ stop: turnsBy.held });
});
