// The order of a fill that becomes known after the fill: the turn and the journal name it.
import { beforeEach, describe, expect, test } from 'vitest';
import { type CorrectionLine, linesOf } from '../../../src/bot/accounting/lines.ts';
import { lots, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import { lineWords } from '../../../src/program/output/words.ts';
import { calmWorld, type WorldBuilder } from '../world-builder.ts';
import { maker, taker } from './trades.ts';

const TAKE = { side: 'bid', price: 60_001, size: 1, id: '1', fillMode: 'IMMEDIATE_OR_CANCEL' } as const;
const BID = { side: 'bid', price: 59_000, size: 1, id: '1' } as const;
/** BID as the exchange lists it, without our id. */
const LISTED = { market: 0, side: 'bid', price: ticks(590_000), size: lots(10_000), originalSize: lots(10_000), orderId: 'x' } as const;

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
});

/** The orders of the fills whose order became known since the last call. */
const found = () => builder.world.judgedFills.takeCorrections()?.map(({ fill }) => fill.clientOrderId);

describe('a fill that is read before the receipt of its order', () => {
  test('is reported with its order when the receipt comes', () => {
    builder.pending(TAKE).round([{ ...taker({ actionId: '50', size: 1 }), fee: micros(6) }]);
    expect(builder.world.fills().map(({ clientOrderId }) => clientOrderId)).toEqual([undefined]);
    expect(found()).toBeUndefined();
    builder.opened('1', { actionId: '50', taken: [[59_000, 1]], resting: 0 });
    expect(found()).toEqual(['1']);
    expect(found()).toBeUndefined();
  });

  test('changes no sum of money', () => {
    builder.pending(TAKE).round([{ ...taker({ actionId: '50', size: 1 }), fee: micros(6) }]);
    const before = builder.world.accounting.profit.carry();
    builder.opened('1', { actionId: '50', taken: [[59_000, 1]], resting: 0 });
    expect(builder.world.accounting.profit.carry()).toEqual(before);
  });

  test('has a line in the journal that names the order', () => {
    builder.pending(TAKE).round([taker({ actionId: '50', size: 1 })]);
    builder.opened('1', { actionId: '50', taken: [[59_000, 1]], resting: 0 });
    const corrections = builder.world.judgedFills.takeCorrections();
    const lines = linesOf({ at: 0, fills: [], corrections, changes: [], findings: [], alarms: [] } as never, builder.world.markets);
    expect(lines).toMatchObject([{ kind: 'correction', clientOrderId: '1', price: '59000.0', before: { price: '59000.0' } }]);
    expect(lineWords(lines[0] as CorrectionLine)).toMatch(/^fill is of order 1: bid 1\.0000 BTCUSDC at 59000\.0, trade /);
  });
});

test('a fill whose order turns out to be another one is reported without it', () => {
  builder.pending(BID).account({ others: [LISTED] }, ['1']);
  builder.round([maker({ orderId: 'x', size: 0.4 })]);
  expect(builder.world.fills()).toMatchObject([{ clientOrderId: '1' }]);
  builder.rejected('1');
  expect(found()).toEqual([undefined]);
});
