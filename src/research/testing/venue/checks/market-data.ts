// Checks 4 to 10 of an adapter: books, trades, live info, candles.

import { timeText } from '../../../../base/text/duration.ts';
import { compareIds } from '../../../../bot/domain/ids.ts';
import { listedMarket } from '../../../../bot/exchange/kit/listing.ts';
import { changing, withOther } from '../altered-replies.ts';
import { CHECK_START, ensure, VenueBench, type VenueSubject } from '../bench.ts';
import type { VenueCheck } from '../venue-check.ts';

const opened = (subject: VenueSubject): Promise<VenueBench> => new VenueBench(subject).open({ connected: false });

export const MARKET_DATA_CHECKS: readonly VenueCheck[] = [
  {
    number: 4,
    name: 'book',
    prevents: 'bids and asks are exchanged, or sizes are of another unit: every price that the bot computes is wrong',
    async run(subject) {
      const bench = await opened(subject);
      const quoted = bench.quote();
      const book = await bench.wait(bench.client.book(bench.market));
      for (const [side, levels] of [
        ['bid', book.bids],
        ['ask', book.asks],
      ] as const) {
        const expected = quoted.filter((order) => order.side === side).map(({ price, size }) => `${price} × ${size}`);
        const found = levels.map(({ price, size }) => `${bench.market.price(price)} × ${bench.market.size(size)}`);
        ensure(
          found.join() === expected.join(),
          `${side}s are ${found.join(', ') || 'missing'}; the exchange has ${expected.join(', ')}, best first`,
        );
      }
      return `${quoted.length} levels as the exchange has them, best first`;
    },
  },
  {
    number: 5,
    name: 'book order',
    prevents: 'the bot quotes on a book that is older than the one it had',
    async run(subject) {
      const bench = await opened(subject);
      const ids: (string | undefined)[] = [];
      for (const factor of [1, 1.001, 0.999]) {
        bench.quote(subject.fake.price * factor);
        const { updateId, bids } = await bench.wait(bench.client.book(bench.market));
        const expected = bench.market.restAt('bid', subject.fake.price * factor * (1 - 0.0005));
        ensure(
          bids[0]?.price === expected,
          `after a change the best bid is ${bids[0]?.price} and not ${expected} ticks: the book is an old one`,
        );
        ids.push(updateId);
        await bench.pass(1_000);
      }
      const numbers = ids.filter((id) => id !== undefined);
      for (const [index, id] of numbers.entries())
        ensure(
          index === 0 || compareIds(id, numbers[index - 1] ?? '') > 0,
          `the book numbers ${numbers.join(', ')} do not rise with its changes`,
        );
      return numbers.length === 0
        ? 'each read shows the newest book; it has no numbers'
        : 'each read shows the newest book, and its numbers rise';
    },
  },
  {
    number: 6,
    name: 'empty side',
    prevents: 'the bot stops in the fastest moments, when one side of the book is empty',
    async run(subject) {
      const bench = await opened(subject);
      const quoted = bench.quote();
      bench.exchange.quote(quoted.filter(({ side }) => side === 'bid'));
      const { bids, asks } = await bench.wait(bench.client.book(bench.market));
      ensure(bids.length > 0 && asks.length === 0, `with bids alone the book has ${bids.length} bids and ${asks.length} asks`);
      bench.exchange.quote([]);
      const empty = await bench.wait(bench.client.book(bench.market));
      ensure(empty.bids.length + empty.asks.length === 0, 'an empty book has levels');
      return 'a book with one side, and an empty one, are read';
    },
  },
  {
    number: 7,
    name: 'other market',
    prevents: 'a proxy that is one answer behind gives the book of another market, and the bot quotes its prices',
    async run(subject) {
      const bench = await opened(subject);
      const { symbol } = bench.market;
      let named = false;
      bench.clientLine.mishap = (request, pass) =>
        changing((value) => {
          const other = withOther(value, symbol, `${symbol}X`);
          named ||= JSON.stringify(other) !== JSON.stringify(value);
          return other;
        })(request, pass);
      const failure = await bench.failure(() => bench.client.book(bench.market));
      if (!named) return 'a book does not name its market, so nothing can be compared';
      ensure(failure !== undefined, `a book of ${symbol}X was accepted as that of ${symbol}: compare it (mismatchIn)`);
      return `a book of ${symbol}X is not accepted as that of ${symbol}`;
    },
  },
  {
    number: 8,
    name: 'trades',
    prevents: 'signals of the market are inverted or doubled: sides of the maker, times in seconds, a trade twice at a page border',
    async run(subject) {
      const bench = await opened(subject);
      const made: string[] = [];
      for (let index = 0; index < 60; index++) {
        bench.quote();
        const side = index % 3 === 0 ? 'bid' : 'ask';
        bench.take(side, subject.fake.size / 5, side === 'bid' ? 1.001 : 0.999);
        made.push(side);
        await bench.pass(50);
      }
      const trades = await bench.pages(bench.client.trades(bench.market));
      ensure(new Set(trades.map(({ tradeId }) => tradeId)).size === trades.length, 'a trade is listed twice, with the same id');
      const oldestFirst = trades.toReversed();
      const sides = oldestFirst.map(({ takerSide }) => takerSide).join();
      ensure(
        oldestFirst.length > 0 && made.join().endsWith(sides),
        `the sides of the takers are ${sides}; they were ${made.slice(-oldestFirst.length).join()}`,
      );
      for (const { time, size } of trades) {
        ensure(
          Math.abs(time - bench.clock.now()) < 60_000,
          `a trade of this minute has the time ${time}; now it is ${bench.clock.now()} ms`,
        );
        ensure(bench.market.size(size) <= subject.fake.size, `a trade of ${subject.fake.size / 5} has the size ${bench.market.size(size)}`);
      }
      return `the newest ${trades.length} of ${made.length} trades, each once, with the taker's side and its time in ms`;
    },
  },
  {
    number: 9,
    name: 'live info',
    prevents: 'a price of another unit passes for the mark: margins and collars are computed from it',
    async run(subject) {
      const bench = await opened(subject);
      const [info] = await bench.wait(bench.client.live([bench.market]));
      ensure(info?.market === bench.market.id, 'there is no live info of the market');
      ensure(!info.frozen, 'the market is said to be frozen, and it is not');
      for (const [name, price] of Object.entries({ mark: info.mark, index: info.index })) {
        if (price === undefined) continue;
        const found = bench.market.price(price);
        ensure(Math.abs(found / subject.fake.price - 1) < 0.02, `the ${name} is ${found}, and the usual price is ${subject.fake.price}`);
      }
      return 'mark and index are prices of the market';
    },
  },
  {
    number: 10,
    name: 'candles',
    prevents: 'a strategy sees the running candle as a finished one, or each candle a minute late',
    needs: ['candles'],
    async run(subject) {
      const bench = await opened(subject);
      const { span, candles } = await bench.wait(
        bench.client.candles!({ market: listedMarket(bench.markets, subject.fake.market), span: 60_000, count: 10, until: CHECK_START }),
      );
      ensure(60_000 % span === 0, `candles of ${span} ms were returned for those of a minute`);
      for (const [index, { start, high, low }] of candles.entries()) {
        ensure(start % span === 0, `a candle starts at ${start}, which is no multiple of ${span}`);
        ensure(start + span <= CHECK_START, `the candle of ${timeText(start)} had not ended at ${timeText(CHECK_START)}`);
        ensure(index === 0 || start > (candles[index - 1]?.start ?? 0), 'candles are not the oldest first');
        ensure(high >= low, 'the high of a candle is below its low');
      }
      return `${candles.length} finished candles, oldest first`;
    },
  },
];
