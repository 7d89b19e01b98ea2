// A market's last day, from its trades.
import { expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { Statistics } from '../../../src/embedded/exchange/history/statistics.ts';
import { HOUR, START, usd } from './quiet-exchange.ts';

test('volume, range and close of twenty-four hours, and the close before them', () => {
  const statistics = new Statistics();
  const trade = (size: number, price: number, now: number) =>
    statistics.add({ time: now, price: ticks(price), size: lots(size) }, usd(size * price));
  const nothing = { volumeBase24h: 0, volumeQuote24h: 0, high24h: undefined, low24h: undefined, close24h: undefined };
  expect(statistics.at(START)).toEqual({ ...nothing, prevClose24h: undefined });

  trade(1, 601, START);
  trade(2, 599, START);
  const early = { volumeBase24h: 3, volumeQuote24h: usd(1_799), high24h: 601, low24h: 599, close24h: 599, prevClose24h: undefined };
  expect(statistics.at(START)).toEqual(early);

  trade(1, 610, START + 23 * HOUR);
  expect(statistics.at(START + 23 * HOUR)).toEqual({ ...early, volumeBase24h: 4, volumeQuote24h: usd(2_409), high24h: 610, close24h: 610 });

  const late = { volumeBase24h: 1, volumeQuote24h: usd(610), high24h: 610, low24h: 610, close24h: 610, prevClose24h: 599 };
  expect(statistics.at(START + 25 * HOUR)).toEqual(late);
  expect(statistics.at(START + 48 * HOUR)).toEqual({ ...nothing, prevClose24h: 610 });
});
