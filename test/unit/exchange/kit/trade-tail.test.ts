// A trade list that is read repeatedly, and trades that a socket pushes meanwhile.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import type { Fill } from '../../../../src/bot/domain/order.ts';
import { OwnFills } from '../../../../src/bot/exchange/kit/own-fills.ts';
import { readPages, TradeTail, type Window } from '../../../../src/bot/exchange/kit/streams/trade-tail.ts';

const trade = (tradeId: string, time: number) => ({ tradeId, time });

function listed(list: { tradeId: string; time: number }[]) {
  const windows: Window[] = [];
  const tail = new TradeTail<{ tradeId: string; time: number }>({
    overlapMs: 5_000,
    read: (window) => {
      windows.push(window);
      return Promise.resolve(list.filter(({ time }) => time >= (window.since ?? 0)));
    },
  });
  return { tail, windows, reported: async () => tail.takeNew(await tail.read()).map(({ tradeId }) => tradeId) };
}

test('a pushed trade is reported once, and the list is continued where it was', async () => {
  const list = [trade('a', 10_000)];
  const { tail, windows, reported } = listed(list);
  expect(await reported()).toEqual(['a']);
  // The socket was down when `b` happened, and the list could not be read for a long time.
  list.push(trade('b', 20_000), trade('c', 60_000));
  expect([tail.takeEarly(trade('c', 60_000)), tail.takeEarly(trade('c', 60_000))]).toEqual([true, false]);
  expect(await reported()).toEqual(['b']);
  expect(windows.map(({ since }) => since)).toEqual([undefined, 10_000]);
  expect(await reported()).toEqual([]);
  expect(tail.takeEarly(trade('a', 10_000))).toBe(false);
});

test('an old trade to read again is in each read only if it is asked for', async () => {
  const list = [trade('a', 10_000)];
  const { tail, windows, reported } = listed(list);
  await reported();
  list.push(trade('b', 60_000));
  await reported();
  tail.readAgain([trade('a', 10_000)], { inEach: false });
  await reported();
  tail.readAgain([trade('a', 10_000)], { inEach: true });
  await reported();
  expect(windows.map(({ since }) => since)).toEqual([undefined, 10_000, 55_000, 10_000]);
});

test('a long first page may end between trades of one time: the others of that time are older', async () => {
  const page = Array.from({ length: 50 }, (_, index) => trade(`${99 - index}`, 10_000));
  const rest = [trade('a', 10_000), trade('z', 9_000)];
  const tail = new TradeTail<{ tradeId: string; time: number }>({
    overlapMs: 5_000,
    read: ({ maxPages }) => Promise.resolve(maxPages === 1 ? page : [...page, ...rest]),
  });
  expect(tail.takeNew(await tail.read())).toHaveLength(50);
  expect(tail.takeNew(await tail.read())).toEqual([]);
  page.unshift(trade('d', 10_001));
  expect(tail.takeNew(await tail.read())).toEqual([trade('d', 10_001)]);
});

test("after a short first page, a trade of its oldest time is new, because the exchange's clock may stand still", async () => {
  const list = [trade('b', 10_000), trade('a', 10_000)];
  const { reported } = listed(list);
  expect(await reported()).toHaveLength(2);
  list.unshift(trade('c', 10_000));
  expect(await reported()).toEqual(['c']);
});

test('pages are read until one goes back beyond the window, whatever the server does with the window', async () => {
  let asked = 0;
  const pages = async function* () {
    for (const time of [30, 20, 10]) {
      asked += 1;
      yield [trade(String(time), time)];
    }
  };
  const read = await readPages(pages(), { since: 25, maxPages: 9 });
  expect([read.map(({ time }) => time), asked]).toEqual([[30, 20], 2]);
  expect((await readPages(pages(), { since: undefined, maxPages: 1 })).length).toBe(1);
});

test('one of our fills that is listed some seconds after a newer one is reported', async () => {
  const terms = { market: 0, side: 'bid', price: ticks(600_000), size: lots(1), role: 'maker', actionId: '1', orderId: '1' } as const;
  const fill = (tradeId: string, time: number): Fill => ({ ...terms, tradeId, time });
  const listedNow = [fill('a', 10_000), fill('c', 20_000)];
  async function* pages(since = 0) {
    yield await Promise.resolve(listedNow.filter(({ time }) => time >= since).toReversed());
  }
  const fills = new OwnFills([{ what: 'GET /trades', pages }], { clock: new VirtualClock(30_000), resume: undefined });
  const reported = async () => fills.takeNew(await fills.read()).map(({ tradeId }) => tradeId);
  expect(await reported()).toEqual(['a', 'c']);
  listedNow.push(fill('b', 17_000));
  expect(await reported()).toEqual(['b']);
});
