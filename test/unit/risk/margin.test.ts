// The margin guard: which of its conditions fails first, at its exact boundary, and the size that it allows. BTC at 60 000; the account is worth 10 000.
import { beforeEach, describe, expect, test } from 'vitest';
import { lots } from '../../../src/bot/domain/numbers.ts';
import { BTC, calmWorld, marketOf, START, WorldBuilder } from '../world-builder.ts';
import { candidateOf, circumstancesOf, guardVerdict, textOf, verdictOf } from './verdicts.ts';

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
});
const NONE = { openBuffer: 0, cancelBuffer: 0, liquidationBuffer: 0, adverseMove: 0, minDistance: 0, feeRate: 0 };
const bid = (size: number, limits: object) =>
  guardVerdict('margin', builder.world, { side: 'bid', price: 60_000, size }, { ...NONE, ...limits });

describe('each condition', () => {
  test('resting: omf must stay above imf with its buffer', () => {
    // imf of 3.3333 is 9 999.90; with a quarter more, that of 2.6666 is 9 999.75.
    expect(bid(3.3333, {})).toBe('pass');
    expect(bid(3.3334, {})).toBe('shrink to 3.3333: with the order resting omf would be 10000.00, and must stay above 10000.20 (imf)');
    expect(bid(2.6666, { openBuffer: 0.25 })).toBe('pass');
    expect(bid(2.6667, { openBuffer: 0.25 })).toBe(
      'shrink to 2.6666: with the order resting omf would be 10000.00, and must stay above 10000.13 (imf and a buffer of 25 %)',
    );
  });

  test('an equal margin is not above the line', () => {
    builder.account({ balance: 300 });
    expect(bid(0.1, {})).toMatch(/^shrink to 0\.0999: with the order resting omf would be 300\.00, and must stay above 300\.00/);
  });

  test('filled: mf must stay above mmf with its buffer', () => {
    builder.account({ margins: { mf: 3_000, omf: 10_000 } });
    // mmf of 1 is 1 500; twice that is 3 000.
    expect(bid(0.9999, { liquidationBuffer: 1 })).toBe('pass');
    expect(bid(1, { liquidationBuffer: 1 })).toBe(
      'shrink to 0.9999: with the order filled mf would be 3000.00, and must stay above 3000.00 (mmf and a buffer of 100 %)',
    );
  });

  test('filled: omf must stay above cmf with its buffer', () => {
    // cmf of 1 is 2 250, doubled 4 500, and imf 3 000.
    builder.account({ balance: 4_500 });
    expect(bid(1, { cancelBuffer: 1 })).toBe(
      'shrink to 0.9999: with the order filled omf would be 4500.00, and must stay above 4500.00 (cmf and a buffer of 100 %)',
    );
  });

  test('filled: an exchange without a cancel level has no such condition', () => {
    builder.account({ balance: 4_500, margins: { cmf: undefined } });
    expect(bid(1, { cancelBuffer: 1 })).toBe('pass');
    expect(bid(1, { openBuffer: 0.5 })).toMatch(
      /^shrink to 0\.9999: with the order resting omf would be 4500\.00, and must stay above 4500\.00/,
    );
  });

  test('worst: everything filled, and prices moved against us', () => {
    // 1 held and a move of 10 %: 6 000 lost, 1 650 needed.
    builder.account({ balance: 7_650 });
    expect(bid(1, { adverseMove: 0.1 })).toBe(
      'shrink to 0.9999: with everything filled and a move of 10 % mf would be 1650.00, and must stay above 1650.00 (mmf)',
    );
    expect(bid(0.9999, { adverseMove: 0.1 })).toBe('pass');
  });

  test('the fee counts for every fill', () => {
    // 1 costs 60: 4 560 − 60 is exactly twice cmf.
    builder.account({ balance: 4_560 });
    expect(bid(1, { cancelBuffer: 1, feeRate: 0.001 })).toMatch(/^shrink to 0\.9999: with the order filled omf would be 4500\.00/);
  });

  test('the liquidation price must stay far enough away', () => {
    // (10 000 − 2.5 %) / 97.5 % of the notional: a tenth at 84 210.53.
    const limits = { minDistance: 0.1 };
    builder.account({ balance: 7_350 });
    expect(bid(1, limits)).toBe('pass');
    expect(bid(1.0001, limits)).toBe('shrink to 1: liquidation would be 9.999 % away after the fill; at least 10 % is required');
  });
});

describe('the guard', () => {
  const defaults = { side: 'bid', price: 60_000, size: 1 } as const;

  test('by default requires all buffers', () => {
    expect(guardVerdict('margin', builder.world, defaults)).toBe('pass');
    // With the defaults the distance to liquidation fails first.
    expect(guardVerdict('margin', builder.world, { ...defaults, size: 2 })).toMatch(
      /^shrink to 1\.3\d+: liquidation would be \d+(\.\d+)? % away/,
    );
  });

  test('passes an order that only reduces, whatever the margins', () => {
    builder.account({ position: 1, margins: { omf: -5, mf: -5, imf: 1, cmf: 1, mmf: 1 } });
    expect(guardVerdict('margin', builder.world, { side: 'ask', price: 60_000, size: 1 })).toBe('pass');
    expect(guardVerdict('margin', builder.world, { side: 'ask', price: 60_000, size: 1.1 })).toMatch(/^shrink to 0: /);
  });

  test('withdraws standing orders only when omf falls to imf', () => {
    builder.placed({ side: 'bid', price: 60_000, size: 1, id: '1' });
    const [standing] = builder.world.orders();
    if (standing === undefined) throw new Error('nothing stands');
    const nothing = { low: lots(0), high: lots(0), bids: lots(0), asks: lots(0) };
    const verdict = () => {
      const circumstances = { ...circumstancesOf(builder.world), exposure: () => nothing }; // it does not count against itself
      return textOf(verdictOf('margin', candidateOf(builder.world, { ...defaults, standing }), { circumstances }), BTC);
    };
    builder.account({ balance: 3_001, margins: { imf: 3_000, cmf: 2_250 } });
    expect(verdict()).toBe('pass');
    builder.account({ balance: 3_000, margins: { imf: 3_000, cmf: 2_250 } });
    expect(verdict()).toBe('refuse: with the order resting omf would be 3000.00, and must stay above 3000.00 (imf)');
  });

  test('refuses if the account is unknown', () => {
    expect(guardVerdict('margin', new WorldBuilder().account().world, defaults)).toMatch(
      /^shrink to 0: margins or index price are not known/,
    );
  });

  test('counts an order without an answer as filled', () => {
    builder.pending({ side: 'bid', price: 60_000, size: 1, id: '1' }).unknown('1', START);
    expect(bid(2.3333, {})).toBe('pass');
    expect(bid(2.3334, {})).toMatch(/^shrink to 2\.3333: /);
  });

  test('does not apply to spot markets', () => {
    builder = calmWorld({ bid: 59_999, ask: 60_001 }, marketOf({ kind: 'spot' }));
    expect(bid(1_000, {})).toBe('pass');
  });
});
