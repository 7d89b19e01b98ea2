// Each gate at its exact boundary, with the text of its reason.
import { beforeEach, describe, expect, test } from 'vitest';
import type { StreamName } from '../../../src/bot/domain/event.ts';
import { lots, type Ticks, ticks } from '../../../src/bot/domain/numbers.ts';
import { calmWorld, marketOf, START, WorldBuilder } from '../world-builder.ts';
import { gateVerdict } from './verdicts.ts';

const calm = (): WorldBuilder => calmWorld({ bid: 59_999, ask: 60_001 }).time(START / 1000);

let builder: WorldBuilder;
beforeEach(() => {
  builder = calm();
});

/** A world this long after the start, with all data fresh except the named. */
function at(span: number, { stale = [] }: { stale?: readonly string[] } = {}): WorldBuilder {
  builder.after(START + span - builder.world.now - 5);
  if (!stale.includes('book')) builder.book([[59_999, 1]], [[60_001, 1]]);
  if (!stale.includes('info')) builder.info({ price: 60_000 });
  if (!stale.includes('account')) builder.account();
  if (!stale.includes('time')) builder.time(START / 1000);
  builder.after(START + span - builder.world.now - 1).apply((now) => ({ kind: 'timerFired', at: now }));
  return builder;
}

const unhealthy = (stream: StreamName, market?: number) =>
  builder.apply((now) => ({ kind: 'healthSeen', at: now, stream, market, healthy: false, reason: `the ${stream} fails` }));

describe('data-age', () => {
  test('is open while all data is fresh', () => expect(gateVerdict('data-age', builder.world)).toBe('open'));

  test('holds until all data has arrived', () => {
    const fresh = new WorldBuilder();
    const seen = () => gateVerdict('data-age', fresh.world);
    fresh.apply((now) => ({ kind: 'timerFired', at: now }));
    expect(seen()).toBe('hold: no order book seen yet');
    fresh.book([[59_999, 1]], [[60_001, 1]]);
    expect(seen()).toBe('hold: no live info seen yet');
    fresh.info({ price: 60_000 });
    expect(seen()).toBe('hold: no account seen yet');
    fresh.account();
    expect(seen()).toBe('hold: no engine time seen yet');
    fresh.time(START / 1000);
    expect(seen()).toBe('open');
  });

  test('withdraws at once if the exchange lists the market with other terms, and not for other markets', () => {
    unhealthy('listing', 1);
    expect(gateVerdict('data-age', builder.world)).toBe('open');
    unhealthy('listing', 0);
    expect(gateVerdict('data-age', builder.world)).toBe('withdraw: the listing fails');
  });

  test('holds, and does not withdraw, while the list of markets does not arrive', () => {
    unhealthy('listing');
    expect(gateVerdict('data-age', builder.world)).toBe('hold: the listing fails');
  });

  test('withdraws at once and permanently if an order of ours rests larger than it was sent', () => {
    builder.placed({ side: 'bid', price: 59_000, size: 1, id: '1' }).account();
    expect(gateVerdict('data-age', builder.world)).toBe('open');
    const listed = { orderId: 'exchange-1', clientOrderId: '1', market: 0, side: 'bid', price: ticks(590_000) } as const;
    builder.account({ others: [{ ...listed, size: lots(100_000), originalSize: lots(100_000) }] }, ['1']);
    expect(gateVerdict('data-age', builder.world)).toMatch(
      /^withdraw: order 1 was sent as 10000 lots at 590000 ticks and rests as 100000 at 590000/,
    );
    builder.account({}, ['1']);
    expect(gateVerdict('data-age', builder.world)).toMatch(/^withdraw/);
  });

  // The book was requested at 2, the info at 1, the account at 3, the engine time at 4.
  test.each([
    ['book', 'bookMs', 2, 'the order book is more than 3 s old', 3_000],
    ['info', 'infoMs', 1, 'the live info is more than 5 s old', 5_000],
    ['account', 'accountMs', 3, 'the account is more than 5 s old', 5_000],
    ['time', 'engineTimeMs', 4, 'the engine time is more than 30 s old', 30_000],
  ])('holds when the %s is older than %s, but not at exactly that age', (stream, limit, asked, reason, most) => {
    const withdrawAfterMs = 60_000;
    expect(gateVerdict('data-age', at(asked + most, { stale: [stream] }).world, { withdrawAfterMs })).toBe('open');
    builder = calm();
    expect(gateVerdict('data-age', at(asked + most + 1, { stale: [stream] }).world, { withdrawAfterMs })).toBe(`hold: ${reason}`);
    expect(gateVerdict('data-age', builder.world, { [limit]: most + 1, withdrawAfterMs })).toBe('open');
  });

  test('age counts from the start of the request, however late the answer', () => {
    builder.after(10_000).account({ asked: START + 1_000 });
    expect(gateVerdict('data-age', builder.world, { bookMs: 60_000, infoMs: 60_000 })).toMatch(/^hold: the account is more than 5 s old/);
  });

  test.each(['book', 'info', 'account', 'time'])(
    'withdraws what rests when the %s has been missing for too long, whichever it is',
    (stream) => {
      const limits = { withdrawAfterMs: 40_000 };
      expect(gateVerdict('data-age', at(39_000, { stale: [stream] }).world, limits)).toMatch(/^hold/);
      expect(gateVerdict('data-age', at(41_000, { stale: [stream] }).world, limits)).toMatch(/^withdraw/);
    },
  );

  test('withdraws the orders of an earlier process if no data arrives', () => {
    const blind = new WorldBuilder().apply((now) => ({ kind: 'timerFired', at: now }));
    blind.after(30_000).apply((now) => ({ kind: 'timerFired', at: now }));
    expect(gateVerdict('data-age', blind.world)).toBe('withdraw: no order book seen yet');
  });

  test('holds if the account cannot be current, and withdraws if that lasts', () => {
    builder.placed({ side: 'bid', price: 59_000, size: 1, id: '1' });
    builder.account({ still: true }, ['1']);
    expect(gateVerdict('data-age', builder.world)).toMatch(/^hold: the account is stuck/);
    for (let second = 0; second < 31; second++) builder.after(999).account({ still: true }, ['1']);
    expect(gateVerdict('data-age', builder.world, { bookMs: 1e6, infoMs: 1e6, engineTimeMs: 1e6 })).toMatch(
      /^withdraw: the account is stuck/,
    );
  });

  test.each(['book', 'info', 'account', 'time', 'session'] as const)(
    'holds while the stream of the %s is unsound, with its reason',
    (stream) => {
      unhealthy(stream);
      expect(gateVerdict('data-age', builder.world)).toBe(`hold: the ${stream} fails`);
    },
  );

  test('reports a failing stream before data that is too old, because it is the cause', () => {
    unhealthy('book');
    expect(gateVerdict('data-age', at(4_000, { stale: ['book'] }).world)).toBe('hold: the book fails');
  });

  test.each(['trades', 'fills'] as const)('ignores the stream %s', (stream) => {
    unhealthy(stream);
    expect(gateVerdict('data-age', builder.world)).toBe('open');
  });

  test("ignores another market's book", () => {
    unhealthy('book', 1);
    expect(gateVerdict('data-age', builder.world)).toBe('open');
    unhealthy('book', 0);
    expect(gateVerdict('data-age', builder.world)).toBe('hold: the book fails');
  });

  test('withdraws if a stream is unhealthy for too long', () => {
    unhealthy('session');
    expect(gateVerdict('data-age', at(29_000).world)).toMatch(/^hold/);
    expect(gateVerdict('data-age', at(31_000).world)).toBe('withdraw: the session fails');
  });
});

const prices = (part: { index?: Ticks; mark?: Ticks; frozen?: boolean }) =>
  builder.apply((now) => ({ kind: 'infoSeen', at: now, asked: now, infos: [{ market: 0, frozen: false, ...part }] }));

describe('market-state', () => {
  const spot = marketOf({ kind: 'spot', symbol: 'BTC/USDC' });
  const both = { index: ticks(600_000), mark: ticks(600_000) };

  test('is open with both prices and an uncrossed book', () => expect(gateVerdict('market-state', builder.world)).toBe('open'));

  test('ignores missing data, which the gate data-age checks', () =>
    expect(gateVerdict('market-state', new WorldBuilder().world)).toBe('open'));

  test.each([
    [{ ...both, frozen: true }, 'BTCUSDC is frozen by the exchange'],
    [{ mark: both.mark }, 'BTCUSDC has no index price'],
    [{ index: both.index }, 'BTCUSDC has no mark price'],
  ])('holds with %o', (part, reason) => expect(gateVerdict('market-state', prices(part).world)).toBe(`hold: ${reason}`));

  test('a spot market has no mark', () => {
    builder = new WorldBuilder([spot]);
    expect(gateVerdict('market-state', prices({ index: both.index }).world)).toBe('open');
  });

  test.each([
    ['crossed', [[60_001, 1]], [[60_000, 1]], 'the book is crossed'],
    ['touching', [[60_000, 1]], [[60_000, 1]], 'the book is crossed'],
    ['without bids', [], [[60_000, 1]], 'no bids in the book'],
    ['without asks', [[60_000, 1]], [], 'no asks in the book'],
  ] as const)('holds while the book is %s', (_, bids, asks, reason) => {
    expect(gateVerdict('market-state', builder.book(bids, asks).world)).toBe(`hold: ${reason}`);
  });
});

describe('oracle', () => {
  const index = 600_000;
  const reported = (part: { mark?: number; conf?: number }) =>
    builder.apply((now) => ({
      kind: 'infoSeen',
      at: now,
      asked: now,
      infos: [{ market: 0, frozen: false, index: ticks(index), mark: ticks(part.mark ?? index), indexConf: ticks(part.conf ?? 0) }],
    }));

  test('is open while index, mark and book agree', () => expect(gateVerdict('oracle', builder.world)).toBe('open'));

  test.each([
    [{ conf: 6_000 }, 'open'],
    [{ conf: 6_001 }, 'hold: the confidence interval of the index is 1 %; at most 1 % is allowed'],
    [{ conf: 12_000 }, 'hold: the confidence interval of the index is 2 %; at most 1 % is allowed'],
    [{ mark: 630_000 }, 'open'],
    [{ mark: 630_060 }, 'hold: the distance of the mark from the index is 5.01 %; at most 5 % is allowed'],
    [{ mark: 570_000 }, 'open'],
    [{ mark: 569_940 }, 'hold: the distance of the mark from the index is 5.01 %; at most 5 % is allowed'],
  ])('with %o: %s', (part, verdict) => expect(gateVerdict('oracle', reported(part).world)).toBe(verdict));

  test.each([
    [62_999, 63_001, 'open'],
    [63_099, 63_101, 'hold: the distance of the book from the index is 5.167 %; at most 5 % is allowed'],
    [56_999, 57_001, 'open'],
    [56_899, 56_901, 'hold: the distance of the book from the index is 5.167 %; at most 5 % is allowed'],
  ])('with a book around %d: %s', (bid, ask, verdict) => {
    expect(gateVerdict('oracle', builder.book([[bid, 1]], [[ask, 1]]).world)).toBe(verdict);
  });

  test('takes its limits from the configuration', () => {
    expect(gateVerdict('oracle', reported({ conf: 6_001 }).world, { maxConfidence: 0.02 })).toBe('open');
    expect(gateVerdict('oracle', reported({ mark: 630_060 }).world, { maxMarkDistance: 0.06 })).toBe('open');
    expect(gateVerdict('oracle', builder.info({ price: 60_000 }).book([[63_099, 1]], [[63_101, 1]]).world, { maxBookDistance: 0.06 })).toBe(
      'open',
    );
  });

  test('is open without an index or a book to compare', () => {
    expect(gateVerdict('oracle', new WorldBuilder().world)).toBe('open');
    expect(gateVerdict('oracle', builder.book([], []).world)).toBe('open');
  });
});
