// Candles and funding rates as rows.
import { describe, expect, test } from 'vitest';
import { errorTextOf, fileOf, imported, keepFilesPerTest, rowTexts } from './recordings.ts';

keepFilesPerTest();

const HOUR = 3_600_000;
const BEGIN = 472_222 * HOUR;

const candle = (hours: number, [open, high, low, close]: readonly [string, string, string, string], volume = '2.5'): string =>
  `${BEGIN + hours * HOUR},${open},${high},${low},${close},${volume}`;
const candles = (...rows: readonly string[]): string => fileOf('candles.csv', ['time_ms,open,high,low,close,volume', ...rows]);
const funding = (...rows: readonly (readonly [hours: number, late: number, rate: string])[]): string =>
  fileOf('funding.csv', ['time_ms,funding_rate', ...rows.map(([hours, late, rate]) => `${BEGIN + hours * HOUR + late},${rate}`)]);

const PRICES = ['10.0', '12.0', '9.5', '11.0'] as const;

describe('a candle', () => {
  test('is four rows at its opening, with its length and its volume', async () => {
    const { rows, header, checks } = await imported('candles', [candles(candle(0, PRICES), candle(1, PRICES, '0'))]);
    expect(rowTexts(rows, BEGIN).slice(0, 5)).toEqual([
      '0 open 100 3600000',
      '0 high 120 0',
      '0 low 95 0',
      '0 close 110 25 !',
      '3600000 open 100 3600000',
    ]);
    expect(header).toMatchObject({ books: 'candles', basePrice: 10, market: { priceDecimals: 1, sizeDecimals: 1 } });
    expect(checks.skew).toBeUndefined();
  });

  test('that is missing is reported', async () => {
    const { checks } = await imported('candles', [candles(...[0, 1, 2, 5].map((hours) => candle(hours, PRICES)))]);
    expect(checks.candles).toMatchObject({ count: 4, missing: 2, missingAt: [(BEGIN + 3 * HOUR) * 1_000, (BEGIN + 4 * HOUR) * 1_000] });
  });

  test('alone is refused', async () => {
    expect(await errorTextOf(imported('candles', [candles(candle(0, PRICES))]))).toContain('only one candle');
  });
});

describe('funding', () => {
  test('is settled on the hour before its recorded time, before the candle that opens then', async () => {
    const files = [candles(candle(0, PRICES), candle(1, PRICES)), funding([1, 48, '-0.0006133368'], [2, 24 * 60_000, '3.03944e-05'])];
    const { header, rows, checks } = await imported('candles', files);
    expect(header.fundingIntervalMs).toBe(HOUR);
    expect(rowTexts(rows, BEGIN).slice(4)).toEqual([
      `${HOUR} settlement 0 -613336800 !`,
      `${HOUR} open 100 3600000`,
      `${HOUR} high 120 0`,
      `${HOUR} low 95 0`,
      `${HOUR} close 110 25 !`,
      `${2 * HOUR} settlement 0 30394400 !`,
    ]);
    expect(checks.settled).toMatchObject({ count: 2, missing: 0 });
  });

  test('outside the candles is checked, but excluded', async () => {
    const files = [
      candles(candle(0, PRICES), candle(1, PRICES)),
      funding([-3, 0, '0.1'], [-1, 0, '0.1'], [0, 0, '0.1'], [2, 0, '0.1'], [3, 0, '0.1'], [3, 1, '0.1']),
    ];
    const { checks } = await imported('candles', files);
    expect(checks.rows.settlement).toBe(2);
    expect((await imported('candles', files.slice(0, 1))).header.fundingIntervalMs).toBeUndefined();
    expect(checks.settled).toMatchObject({ count: 5, missing: 1, missingAt: [(BEGIN + HOUR) * 1_000] });
    expect(checks.excluded).toMatchObject([
      { reason: 'outside the candles', count: 3 },
      { reason: 'already settled', count: 1 },
    ]);
  });
});
