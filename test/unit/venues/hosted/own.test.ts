// The polled account and our own fills.

import { describe, expect, test } from 'vitest';
import { HOSTED_RULES } from '../../../../src/venues/hosted/rules.ts';
import { accountPage, Bench, place, START } from './bench.ts';
import { TradeList, trade } from './trade-list.ts';

const fillIds = (bench: Bench): string[] => bench.of('fillsSeen').flatMap(({ fills }) => fills.map(({ tradeId }) => tradeId));

describe('the account', () => {
  test('is reported, and older ones are dropped', async () => {
    const bench = new Bench();
    const updates = ['9007199254740995', '9007199254740994', '9007199254740996'];
    bench.exchange.pages.set('/account/7', () => accountPage(updates.shift() ?? '9007199254740997'));
    await bench.connect();
    await bench.run(1_100);
    expect(bench.of('accountSeen').map(({ account }) => account.updateId)).toEqual(['9007199254740995', '9007199254740996']);
  });

  test('that does not change is healthy while we do nothing, and unhealthy if it does not show our actions', async () => {
    const bench = new Bench();
    bench.exchange.pages.set('/account/7', () => accountPage(1));
    await bench.connect();
    await bench.run(30_000);
    expect(bench.health('account')).toEqual([true]);
    await bench.submit([place()], 3_500);
    expect(bench.health('account')).toEqual([true, false]);
  });

  test('whose update id counts the whole exchange must change with it', async () => {
    const bench = new Bench();
    const trades = new TradeList(bench);
    let update = 1;
    bench.exchange.pages.set('/account/7', () => accountPage(update++));
    await bench.connect();
    const tradesFlow = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        trades.all.push(trade(trades.all.length + 1, bench.clock.now() - START));
        await bench.run(1_000);
      }
    };
    await tradesFlow(5);
    bench.exchange.pages.set('/account/7', () => accountPage(update));
    await tradesFlow(6);
    expect(bench.health('account')).toEqual([true, false]);
  });

  test('whose update id counts only its own actions may stay the same while others trade', async () => {
    const bench = new Bench();
    const trades = new TradeList(bench);
    bench.exchange.pages.set('/account/7', () => accountPage(1));
    await bench.connect();
    for (let second = 0; second < 20; second++) {
      trades.all.push(trade(second + 1, second * 1_000));
      await bench.run(1_000);
    }
    expect(bench.health('account')).toEqual([true]);
  });
});

describe('our fills', () => {
  test('are reported once, from both lists, from the start of the run', async () => {
    const bench = new Bench();
    const trades = new TradeList(bench);
    trades.all.push(trade(1, -5_000, { makerId: 7 }), trade(2, -100, { takerId: 7 }));
    await bench.connect();
    await bench.run(600);
    expect(fillIds(bench)).toEqual([]);
    const earlier = bench.of('fillsSeen').map((event) => event.earlier?.map(({ tradeId }) => tradeId));
    expect(earlier).toEqual([['1', '2'], undefined]);
    trades.all.push(trade(4, 500, { takerId: 7, takerFee: 0.5 }), trade(3, 400, { makerId: 7 }), trade(5, 600));
    await bench.run(3_000);
    expect(bench.of('fillsSeen').flatMap(({ fills }) => fills)).toMatchObject([
      { tradeId: '3', role: 'maker', side: 'ask' },
      { tradeId: '4', role: 'taker', side: 'bid', fee: 500_000 },
    ]);
  });

  test('of a continued run are reported from where its last process stopped, each once', async () => {
    const bench = new Bench();
    const trades = new TradeList(bench);
    const before = [trade(1, -9_000, { makerId: 7 }), trade(2, -4_000, { makerId: 7 })];
    trades.all.push(...before, trade(3, -2_000, { makerId: 7 }));
    const reported = [1, 2].map((tradeId) => ({
      tradeId: String(tradeId),
      orderId: '3',
      time: Date.parse(before[tradeId - 1]?.time ?? ''),
    }));
    await bench.connect({ resume: { since: START - 600_000, reported } });
    await bench.run(3_000);
    trades.all.push(trade(4, 3_000, { makerId: 7 }));
    await bench.run(3_000);
    expect(fillIds(bench)).toEqual(['3', '4']);
  });

  test('of a week without a process are all reported, once each, however many pages they take', async () => {
    const bench = new Bench();
    const trades = new TradeList(bench);
    const week = 7 * 86_400_000;
    const count = 10_000;
    for (let index = 0; index < count; index++) {
      const ms = -week + Math.floor((index * week) / count);
      trades.all.push(trade(index + 1, ms, index % 3 === 0 ? { takerId: 7 } : { makerId: 7 }));
    }
    const [first] = trades.all;
    const reported = [{ tradeId: '1', orderId: '3', time: Date.parse(first?.time ?? '') }];
    await bench.connect({ resume: { since: START - week - 600_000, reported } });
    await bench.run(10_000);
    const ids = fillIds(bench).map(Number);
    expect(ids).toHaveLength(count - 1);
    expect(ids.toSorted((a, b) => a - b)).toEqual(trades.all.slice(1).map(({ tradeId }) => tradeId));
  });

  test('of another order are separate, even if a rolled-back exchange reuses their ids', async () => {
    const bench = new Bench();
    const trades = new TradeList(bench);
    const time = Date.parse(trade(1, -9_000).time);
    trades.all.push(trade(1, -9_000, { makerId: 7, orderId: 4 }), trade(2, -9_000, { makerId: 7, orderId: 3 }));
    const reported = [1, 2].map((tradeId) => ({ tradeId: String(tradeId), orderId: '3', time }));
    await bench.connect({ resume: { since: START - 600_000, reported } });
    await bench.run(3_000);
    expect(fillIds(bench)).toEqual(['1']);
    trades.all.push(trade(3, 3_000, { makerId: 7, orderId: 3 }));
    await bench.run(3_000);
    trades.all.splice(2, 1, trade(3, 3_100, { makerId: 7, orderId: 4 }));
    await bench.run(3_000);
    expect(fillIds(bench)).toEqual(['1', '3', '3']);
  });

  test('are not read from a list that lacks an earlier item, as the answer to another request does, until it has lacked the item for 10 s', async () => {
    const bench = new Bench();
    const trades = new TradeList(bench);
    await bench.connect();
    trades.all.push(trade(1, 500, { makerId: 7 }));
    await bench.run(2_000);
    const rounds = (): number => bench.of('fillsSeen').length;
    const [shown] = trades.all.splice(0);
    await bench.run(500); // requests in flight
    const before = rounds();
    await bench.run(9_000);
    expect([before > 1, rounds()]).toEqual([true, before]);
    if (shown !== undefined) trades.all.push(shown);
    await bench.run(15_000);
    const again = rounds();
    expect(again).toBeGreaterThan(before);
    trades.all.splice(0);
    await bench.run(30_000);
    expect(rounds()).toBeGreaterThan(again);
    expect(fillIds(bench)).toEqual(['1']);
  });

  test('never include foreign ones, even if the server ignores the filter', async () => {
    const bench = new Bench();
    bench.exchange.pages.set('/trades', () => ({ items: [trade(2, 200, { takerId: 7 }), trade(1, 100)], nextStartInclusive: null }));
    await bench.connect();
    bench.exchange.pages.set('/trades', () => ({ items: [trade(4, 400, { takerId: 7 }), trade(3, 300)], nextStartInclusive: null }));
    await bench.run(2_000);
    expect(fillIds(bench)).toEqual(['4']);
  });

  test('of a trade with ourselves are two', async () => {
    const bench = new Bench();
    const trades = new TradeList(bench);
    await bench.connect();
    trades.all.push(trade(1, 100, { makerId: 7, takerId: 7 }));
    await bench.run(2_000);
    expect(bench.of('fillsSeen').flatMap(({ fills }) => fills.map(({ role }) => role))).toEqual(['maker', 'taker']);
  });

  test.each([
    ['maker', 'taker'],
    ['taker', 'maker'],
  ] as const)('of a trade with ourselves: if the last process reported only the %s, the %s is reported', async (role, other) => {
    const bench = new Bench();
    const trades = new TradeList(bench);
    const own = trade(1, -2_000, { makerId: 7, takerId: 7 });
    trades.all.push(own);
    const reported = [{ tradeId: '1', orderId: '3', time: Date.parse(own.time), role }];
    await bench.connect({ resume: { since: START - 600_000, reported } });
    await bench.run(2_000);
    expect(bench.of('fillsSeen').flatMap(({ fills }) => fills.map((fill) => fill.role))).toEqual([other]);
  });

  test('of a trade with ourselves are not reported again if a journal does not say which one was reported', async () => {
    const bench = new Bench();
    const trades = new TradeList(bench);
    const own = trade(1, -2_000, { makerId: 7, takerId: 7 });
    trades.all.push(own);
    await bench.connect({ resume: { since: START - 600_000, reported: [{ tradeId: '1', orderId: '3', time: Date.parse(own.time) }] } });
    await bench.run(2_000);
    expect(fillIds(bench)).toEqual([]);
  });

  test('are one event per poll, which says up to when all fills were reported', async () => {
    const bench = new Bench();
    await bench.connect();
    const first = bench.clock.now();
    await bench.run(1_100);
    expect(bench.of('fillsSeen').map(({ asked }) => asked + HOSTED_RULES.listingLagMs - first)).toEqual([0, 500, 1_000]);
  });
});
