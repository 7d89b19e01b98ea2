// Columns of candle files that are wrong as a whole, times without a zone, and markets in which most candles are missing.
import { describe, expect, test } from 'vitest';
import type { ReaderOptions } from '../../../../src/research/import/formats/feed-message.ts';
import { errorTextOf, fileOf, type Imported, imported, keepFilesPerTest, rowTexts } from './recordings.ts';

keepFilesPerTest();

const MINUTE = 60_000;
const START = Date.UTC(2024, 0, 1);
const HEADER = 'time,open,high,low,close,volume';
const HOURS = Array.from({ length: 6 }, (_, hour) => hour);
const priceAt = (hour: number): number => 100 + hour;

const take = (lines: readonly string[], options: ReaderOptions = {}): Promise<Imported> =>
  imported('candles', [fileOf('own.csv', lines)], {}, options);
const complaint = (lines: readonly string[], options: ReaderOptions = {}): Promise<string> => errorTextOf(take(lines, options));
const remarksOf = async (lines: readonly string[]): Promise<readonly string[]> =>
  (await take(lines)).checks.layouts.flatMap(({ remarks }) => remarks);
const volumesOf = ({ rows, header }: Imported): readonly number[] =>
  rows.filter((_, index) => index % 4 === 3).map(({ size }) => size / 10 ** header.market.sizeDecimals);

/** A row of an hour; more columns follow its close. */
const row = (hour: number, ...more: readonly (string | number)[]): string => {
  const price = priceAt(hour);
  return [START + hour * 60 * MINUTE, price, price + 1, price - 1, price + 0.5, ...more].join(',');
};

describe('the volume', () => {
  const metatrader = ['time,open,high,low,close,tickvol,vol', ...HOURS.map((hour) => row(hour, 800 + hour, 0))];

  test('that is 0 in all candles is refused, with the column that has values', async () => {
    expect(await complaint(metatrader)).toBe(
      'own.csv: the column vol is 0 in all 6 candles, and an order is filled by at most the volume of a candle | give --volume "tickvol" to read that column; or give --volume AMOUNT to assume that amount in each candle',
    );
    expect(volumesOf(await take(metatrader, { volume: 'tickvol' }))).toEqual(HOURS.map((hour) => 800 + hour));
    expect(volumesOf(await take(metatrader, { volume: '2.5' }))).toEqual(HOURS.map(() => 2.5));
    expect(await complaint([HEADER, ...HOURS.map((hour) => row(hour, 0))])).toContain('| give --volume AMOUNT to assume');
  });

  test('may be absent, if an amount is assumed', async () => {
    const lines = ['time,open,high,low,close', ...HOURS.map((hour) => row(hour))];
    expect(await complaint(lines)).toContain('has no column for the volume');
    expect(volumesOf(await take(lines, { volume: '3' }))).toEqual(HOURS.map(() => 3));
    expect(await complaint(lines, { volume: 'amount' })).toContain('has no column "amount" for the volume');
    expect(
      volumesOf(
        await take(
          HOURS.map((hour) => row(hour, 0, 7)),
          { volume: 'column 7' },
        ),
      ),
    ).toEqual(HOURS.map(() => 7));
  });

  test('in quote money is refused, where another column shows it', async () => {
    const lines = (name: string) => [
      `time,open,high,low,close,volume,${name}`,
      ...HOURS.map((hour) => row(hour, (10 + hour) * priceAt(hour), 10 + hour)),
    ];
    expect(await complaint(lines('base_volume'))).toBe(
      'own.csv: the column volume is in quote money: it is the price times the column base_volume | give --volume "base_volume" to read that column',
    );
    expect(volumesOf(await take(lines('base_volume'), { volume: 'base_volume' }))).toEqual(HOURS.map((hour) => 10 + hour));
  });

  test('in tokens beside one in quote money is taken', async () => {
    const lines = [
      'time,open,high,low,close,volume,quote_asset_volume',
      ...HOURS.map((hour) => row(hour, 10 + hour, (10 + hour) * priceAt(hour))),
    ];
    expect(volumesOf(await take(lines))).toEqual(HOURS.map((hour) => 10 + hour));
  });

  test('that is the same in all candles is noted', async () => {
    expect(await remarksOf([HEADER, ...HOURS.map((hour) => row(hour, 7))])).toEqual(['volume is 7 in all 6 candles']);
    expect(await remarksOf([HEADER, ...HOURS.map((hour) => row(hour, 7 + hour))])).toEqual([]);
  });
});

describe('prices and rates', () => {
  test('one of which never changes while others do are noted', async () => {
    const lines = HOURS.map((hour) => [START + hour * 60 * MINUTE, 100, 110, 90 - hour, 100 + hour, 5 + hour].join(','));
    expect(await remarksOf([HEADER, ...lines])).toEqual(['open is 100 in all 6 candles', 'high is 110 in all 6 candles']);
  });

  test('that are equal within each candle, and rates that are always the same, are noted', async () => {
    const flat = HOURS.map((hour) => [START + hour * 60 * MINUTE, ...Array<number>(4).fill(priceAt(hour)), 5 + hour].join(','));
    expect(await remarksOf([HEADER, ...flat])).toEqual([
      'open, high, low and close are equal in all 6 candles, so no price moves within one',
    ]);
    const rates = fileOf('rates.csv', ['time,funding_rate', ...HOURS.map((hour) => `${START + hour * 60 * MINUTE},0`)]);
    const candles = fileOf('own.csv', [HEADER, ...HOURS.map((hour) => row(hour, 5 + hour))]);
    const { checks } = await imported('candles', [candles, rates]);
    expect(checks.layouts.flatMap(({ remarks }) => remarks)).toEqual(['funding_rate is 0 in all 6 rows']);
  });
});

const at = (...times: readonly string[]): readonly string[] => [
  'Time,open,high,low,close,volume',
  ...times.map((time) => `${time},1,1,1,1,1`),
];
const timesOf = ({ rows }: Imported): readonly string[] =>
  rows.filter((_, index) => index % 4 === 0).map(({ time }) => new Date(time / 1_000).toISOString().slice(0, 16));

describe('times without a zone', () => {
  test('ask for the zone', async () => {
    expect(await complaint(at('2024-01-01 00:00', '2024-01-01 01:00'))).toContain(
      'own.csv:2:1: Time has no zone | say in which zone the times are: --timezone UTC',
    );
  });

  test.each([
    ['UTC', ['2024-01-01T00:00', '2024-01-01T01:00']],
    ['Europe/Athens', ['2023-12-31T22:00', '2023-12-31T23:00']],
    ['America/New_York', ['2024-01-01T05:00', '2024-01-01T06:00']],
    ['+05:30', ['2023-12-31T18:30', '2023-12-31T19:30']],
  ])('are read in %s', async (timezone, times) => {
    const made = await take(at('2024-01-01 00:00', '2024-01-01 01:00'), { timezone });
    expect(timesOf(made)).toEqual(times);
    expect(made.checks.layouts[0]?.units).toEqual({ [`dates in ${timezone}`]: 2 });
  });

  test('an hour that clocks repeat is read twice, and one that they skip is refused', async () => {
    const autumn = at('2024-10-27 02:00', '2024-10-27 03:00', '2024-10-27 03:00', '2024-10-27 04:00');
    expect(timesOf(await take(autumn, { timezone: 'Europe/Athens' }))).toEqual(
      [23, 24, 25, 26].map((hour) => new Date(Date.UTC(2024, 9, 26, hour)).toISOString().slice(0, 16)),
    );
    const spring = at('2024-03-31 02:00', '2024-03-31 03:00', '2024-03-31 04:00');
    expect(await complaint(spring, { timezone: 'Europe/Athens' })).toContain('Time does not exist in Europe/Athens');
  });

  test('are read as UTC if the name of the column says so, and days are days in UTC', async () => {
    const utc = at('2024-01-01 00:00', '2024-01-01 01:00').map((line) => line.replace('Time', 'Time (UTC)'));
    expect(timesOf(await take(utc))).toEqual(['2024-01-01T00:00', '2024-01-01T01:00']);
    expect(timesOf(await take(at('2024-01-01', '2024-01-02')))).toEqual(['2024-01-01T00:00', '2024-01-02T00:00']);
  });
});

const minutes = (...at: readonly number[]): readonly string[] => [HEADER, ...at.map((minute) => `${START + minute * MINUTE},1,1,1,1,1`)];

describe('a market in which most candles are missing', () => {
  test('is refused with the option that says the interval, and taken with it; what is missing is a gap', async () => {
    const thin = minutes(0, 3, 5, 6, 10, 13);
    expect(await complaint(thin)).toContain(
      'begins 1 minute after the previous one, but most are 3 minutes apart | if candles without trades are missing, give',
    );
    const { header, rows, checks } = await take(thin, { interval: MINUTE * 1_000 });
    expect(header.pollMs).toBe(MINUTE);
    expect(rowTexts(rows, START).filter((text) => text.includes('open'))).toEqual(
      [0, 3, 5, 6, 10, 13].map((minute) => `${minute * MINUTE} open 1 ${MINUTE}`),
    );
    expect(checks.candles).toMatchObject({ count: 6, missing: 8 });
  });

  test('one candle is enough with an interval; a candle off its multiples is refused', async () => {
    expect((await take(minutes(0), { interval: MINUTE * 1_000 })).header.pollMs).toBe(MINUTE);
    expect(await complaint(minutes(0, 5, 7), { interval: 5 * MINUTE * 1_000 })).toContain(
      'is a candle that begins 2 minutes after the last multiple of 5 minutes since the first candle',
    );
  });
});
