// What each guard passes, shrinks and refuses at its exact boundary, and the text of its reason. BTC at 60 000; a lot is worth 6.
import { beforeEach, describe, expect, test } from 'vitest';
import { ticks } from '../../../src/bot/domain/numbers.ts';
import type { Order } from '../../../src/bot/domain/order.ts';
import { BTC, calmWorld, START, WorldBuilder } from '../world-builder.ts';
import { candidateOf, circumstancesOf, foreign, guardVerdict, standingOf, verdictOf } from './verdicts.ts';

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
});
const standing = (id: string): Order => standingOf(builder.world, id);

describe('unresolved', () => {
  const bid = { side: 'bid', price: 59_000, size: 0.1 } as const;
  const lose = (count: number): void => {
    for (let index = 0; index < count; index++) builder.pending({ ...bid, id: `u${index}` }).unknown(`u${index}`, START);
  };

  test('passes while at most the limit of orders has no answer', () => {
    lose(3);
    expect(guardVerdict('unresolved', builder.world, bid)).toBe('pass');
    lose(4);
    expect(guardVerdict('unresolved', builder.world, bid)).toBe('refuse: 4 orders have no definite answer yet; at most 3 are allowed');
    expect(guardVerdict('unresolved', builder.world, bid, { maxUnknown: 4 })).toBe('pass');
  });

  test('passes standing and reducing orders', () => {
    builder.placed({ ...bid, id: '1' }).account({ position: -1 });
    lose(4);
    expect(guardVerdict('unresolved', builder.world, { ...bid, standing: standing('1') })).toBe('pass');
    builder.account({ position: -1 });
    expect(guardVerdict('unresolved', builder.world, bid)).toBe('pass');
  });
});

describe('ledger', () => {
  const bid = { side: 'bid', price: 59_000, size: 0.1 } as const;

  test('refuses to open while our fills do not explain the position, and passes standing and reducing orders', () => {
    builder.placed({ ...bid, id: '1' }).round();
    expect(guardVerdict('ledger', builder.world, bid)).toBe('pass');
    for (let look = 0; look < 2; look++) builder.after(5_000).account({ position: 0.3 }).round();
    expect(guardVerdict('ledger', builder.world, bid)).toMatch(/^refuse: the position is 0.3000, our fills explain 0.0000: /);
    expect(guardVerdict('ledger', builder.world, { ...bid, standing: standing('1') })).toBe('pass');
    expect(guardVerdict('ledger', builder.world, { side: 'ask', price: 60_500, size: 0.3 })).toBe('pass');
  });
});

describe('mode', () => {
  const bid = { side: 'bid', price: 59_000, size: 0.1 } as const;

  test('from close-only on refuses and withdraws opening orders; reducing orders pass', () => {
    builder.placed({ ...bid, id: '1' });
    expect(guardVerdict('mode', builder.world, bid)).toBe('pass');
    builder.apply((at) => ({ kind: 'command', at, command: 'mode', mode: 'close-only', reason: 'a test' }));
    expect(guardVerdict('mode', builder.world, bid)).toBe(
      'refuse: the bot is in mode close-only: only orders that reduce a position are placed',
    );
    expect(guardVerdict('mode', builder.world, { ...bid, standing: standing('1') })).toContain('refuse');
    builder.account({ position: -1 });
    expect(guardVerdict('mode', builder.world, bid)).toBe('pass');
  });
});

describe('self-trade', () => {
  beforeEach(() => {
    builder.placed({ side: 'ask', price: 60_001, size: 1, id: '1' });
  });

  test('refuses an order that would trade with one of ours, at its price or beyond', () => {
    expect(guardVerdict('self-trade', builder.world, { side: 'bid', price: 60_000.9, size: 1 })).toBe('pass');
    expect(guardVerdict('self-trade', builder.world, { side: 'bid', price: 60_001, size: 1 })).toBe(
      'refuse: bid at 60001.0 would trade with our own ask at 60001.0',
    );
    expect(guardVerdict('self-trade', builder.world, { side: 'bid', price: 60_002, size: 1 })).toBe(
      'refuse: bid at 60002.0 would trade with our own ask at 60001.0',
    );
    expect(guardVerdict('self-trade', builder.world, { side: 'ask', price: 60_001, size: 1 })).toBe('pass');
  });

  test.each(['pending', 'unknown', 'cancelling'])('refuses one that would trade with an order that is %s', (status) => {
    builder = calmWorld({ bid: 59_999, ask: 60_001 }).pending({ side: 'bid', price: 59_000, size: 1, id: '1' });
    if (status === 'unknown') builder.unknown('1', START);
    if (status === 'cancelling') builder.opened('1').cancelling('1');
    expect(guardVerdict('self-trade', builder.world, { side: 'ask', price: 59_000, size: 1 })).toMatch(
      /^refuse: ask at 59000\.0 would trade with our own bid/,
    );
  });

  test('refuses one that would trade with a foreign order on the same account', () => {
    builder.account({ others: [foreign({ side: 'bid', price: ticks(599_000) })] });
    expect(guardVerdict('self-trade', builder.world, { side: 'ask', price: 59_900, size: 1 })).toMatch(/^refuse/);
    expect(guardVerdict('self-trade', builder.world, { side: 'ask', price: 59_900.1, size: 1 })).toBe('pass');
  });

  test('passes standing orders', () => {
    expect(guardVerdict('self-trade', builder.world, { side: 'ask', price: 60_001, size: 1, standing: standing('1') })).toBe('pass');
  });
});

describe('price-collar', () => {
  test('refuses a bid more than 2 % above, an ask more than 2 % below', () => {
    expect(guardVerdict('price-collar', builder.world, { side: 'bid', price: 61_200, size: 1 })).toBe('pass');
    expect(guardVerdict('price-collar', builder.world, { side: 'bid', price: 61_200.1, size: 1 })).toBe(
      'refuse: bid at 61200.1 is more than 2 % above the lower of mark and index',
    );
    expect(guardVerdict('price-collar', builder.world, { side: 'ask', price: 58_800, size: 1 })).toBe('pass');
    expect(guardVerdict('price-collar', builder.world, { side: 'ask', price: 58_799.9, size: 1 })).toBe(
      'refuse: ask at 58799.9 is more than 2 % below the higher of mark and index',
    );
  });

  test('passes an order far away on its own side', () => {
    expect(guardVerdict('price-collar', builder.world, { side: 'bid', price: 1, size: 1 })).toBe('pass');
    expect(guardVerdict('price-collar', builder.world, { side: 'ask', price: 1_000_000, size: 1 })).toBe('pass');
  });

  test('compares the price with both mark and index', () => {
    builder.apply((at) => ({
      kind: 'infoSeen',
      at,
      asked: at,
      infos: [{ market: 0, frozen: false, index: ticks(600_000), mark: ticks(606_000) }],
    }));
    expect(guardVerdict('price-collar', builder.world, { side: 'bid', price: 61_200.1, size: 1 })).toMatch(/^refuse/);
    expect(guardVerdict('price-collar', builder.world, { side: 'ask', price: 59_388, size: 1 })).toBe('pass');
    expect(guardVerdict('price-collar', builder.world, { side: 'ask', price: 59_387.9, size: 1 })).toMatch(/^refuse/);
  });

  test('refuses without an index', () => {
    expect(guardVerdict('price-collar', new WorldBuilder().world, { side: 'bid', price: 60_000, size: 1 })).toBe(
      'refuse: BTCUSDC has no index price to compare the order with',
    );
  });

  test('takes its limit from the configuration', () => {
    expect(guardVerdict('price-collar', builder.world, { side: 'bid', price: 64_200, size: 1 }, { maxDistance: 0.07 })).toBe('pass');
    expect(guardVerdict('price-collar', builder.world, { side: 'bid', price: 64_300, size: 1 }, { maxDistance: 0.07 })).toBe(
      'refuse: bid at 64300.0 is more than 7 % above the lower of mark and index',
    );
  });
});

describe('order-size', () => {
  test('shrinks an order to the limit, at its own price', () => {
    expect(guardVerdict('order-size', builder.world, { side: 'bid', price: 50_000, size: 0.2 })).toBe('pass');
    expect(guardVerdict('order-size', builder.world, { side: 'bid', price: 50_000, size: 0.2001 })).toBe(
      'shrink to 0.2: an order of 10005.00 is above the limit of 10000',
    );
    expect(guardVerdict('order-size', builder.world, { side: 'ask', price: 60_000, size: 1 }, { maxNotional: 17.9 })).toBe(
      'shrink to 0.0002: an order of 60000.00 is above the limit of 17.9',
    );
  });

  test('shrinks an order whose value is beyond the safe integers', () => {
    expect(guardVerdict('order-size', builder.world, { side: 'bid', price: 60_000, size: 1e10 })).toBe(
      'shrink to 0.1666: an order of 600000000000000.00 is above the limit of 10000',
    );
  });

  test('accepts a limit beyond the safe integers', () => {
    expect(
      guardVerdict('order-size', builder.world, { side: 'bid', price: 60_000, size: 1 }, { maxNotional: Number.MAX_SAFE_INTEGER }),
    ).toBe('pass');
  });
});

describe('open-orders', () => {
  const bid = { side: 'bid', price: 59_000, size: 0.1 } as const;

  test('refuses when the limit of orders is open or in flight, foreign orders included', () => {
    for (const id of ['1', '2']) builder.placed({ ...bid, id });
    builder.account({ others: [foreign({})] });
    expect(guardVerdict('open-orders', builder.world, bid, { maxPerMarket: 4 })).toBe('pass');
    expect(guardVerdict('open-orders', builder.world, bid, { maxPerMarket: 3 })).toBe(
      'refuse: 3 orders are open in BTCUSDC; the limit is 3',
    );
    expect(guardVerdict('open-orders', builder.world, { ...bid, standing: standing('1') }, { maxPerMarket: 3 })).toBe('pass');
  });
});

describe('rate', () => {
  const bid = { side: 'bid', price: 59_000, size: 0.1 } as const;
  const send = (count: number): void => {
    for (let index = 0; index < count; index++) builder.pending(bid);
  };

  test('refuses above the limit per second', () => {
    send(2);
    expect(guardVerdict('rate', builder.world, bid, { maxPerSecond: 3 })).toBe('pass');
    send(1);
    expect(guardVerdict('rate', builder.world, bid, { maxPerSecond: 3 })).toBe('refuse: 3 orders within 1 s; the limit is 3');
    builder.after(998).time(1);
    expect(guardVerdict('rate', builder.world, bid, { maxPerSecond: 3 })).toMatch(/^refuse/);
    builder.time(1);
    expect(guardVerdict('rate', builder.world, bid, { maxPerSecond: 3 })).toBe('pass');
  });

  test('refuses above the limit per minute, also a large one', () => {
    for (let second = 0; second < 50; second++) {
      send(100);
      builder.after(999).time(second);
    }
    expect(guardVerdict('rate', builder.world, bid, { maxPerSecond: 1_000, maxPerMinute: 5_001 })).toBe('pass');
    expect(guardVerdict('rate', builder.world, bid, { maxPerSecond: 1_000, maxPerMinute: 5_000 })).toBe(
      'refuse: 5000 orders within 60 s; the limit is 5000',
    );
    builder.after(11_000).time(99);
    expect(guardVerdict('rate', builder.world, bid, { maxPerSecond: 1_000, maxPerMinute: 5_000 })).toBe('pass');
  });

  test('counts orders passed earlier in this turn, not standing orders', () => {
    builder.placed({ ...bid, id: '1' });
    const circumstances = { ...circumstancesOf(builder.world), passed: () => 2 };
    const limits = { maxPerSecond: 3 };
    expect(verdictOf('rate', candidateOf(builder.world, bid, BTC), { circumstances, limits }).kind).toBe('refuse');
    expect(verdictOf('rate', candidateOf(builder.world, { ...bid, standing: standing('1') }, BTC), { circumstances, limits }).kind).toBe(
      'pass',
    );
  });
});
