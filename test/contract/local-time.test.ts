// The local API over time: hourly funding payments and candles. The exchange starts shortly before a full hour.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_SHAPES } from './local-shapes.ts';
import { LOCAL_TARGETS, type LocalTarget } from './local-targets.ts';
import { type FillRow, LocalTrader, MARKET } from './local-trader.ts';

interface CandleRow {
  readonly startTime: string;
  readonly open: number;
  readonly close: number;
  readonly high: number;
  readonly low: number;
}

interface PaymentRow {
  readonly future: string;
  readonly rate: number;
  readonly payment: number;
  readonly date: string;
}

const HOUR = 3_600_000;
const FULL_HOUR = Date.parse('2026-03-05T10:00:00Z');
const PACE = { start: FULL_HOUR - 90_000, speed: 30 };
const RESOLUTIONS = [15, 60, 300, 900, 3_600, 14_400, 86_400, 2 * 86_400, 30 * 86_400];
const ETH = 'ETH-PERP';
/** Size of the position, in BTC. */
const SIZE = 0.1;

describe.each(LOCAL_TARGETS)('time on $name', ({ start }) => {
  let target: LocalTarget;
  let me: LocalTrader;

  beforeAll(async () => {
    target = await start(PACE);
    me = await LocalTrader.open(target.client);
  });
  afterAll(() => target?.stop());

  const payments = (query = ''): Promise<PaymentRow[]> => me.read(`/funding_payments?page=1${query}`, LOCAL_SHAPES.fundingPayments);

  /** Oldest first. */
  const candles = async (resolution: number, page = 1): Promise<CandleRow[]> => {
    const path = `/markets/${MARKET}/candles?resolution=${resolution}&page=${page}`;
    return (await me.read<CandleRow[]>(path, LOCAL_SHAPES.candles)).toSorted((a, b) => timeOf(a) - timeOf(b));
  };

  test('a position held over the hour pays or receives the funding rate of its market', async () => {
    expect(await payments()).toEqual([]);
    const { collateral } = await me.account();
    await me.take('buy', { size: SIZE });
    const hour = hourAfter((await me.fills())[0]);
    await expect.poll(() => payments(), { timeout: 300_000, interval: 100 }).toHaveLength(1);
    const [paid] = await payments();
    expect([paid?.future, Date.parse(paid?.date ?? '')]).toEqual([MARKET, hour]);
    const { price } = await me.market();
    const due = SIZE * price * (paid?.rate ?? Number.NaN);
    expect(due).not.toBe(0);
    expect(Math.abs((paid?.payment ?? 0) / due)).toBeCloseTo(1, 1);
    expect(await payments(`&future=${MARKET}`)).toEqual([paid]);
    expect(await payments(`&future=${ETH}`)).toEqual([]);
    const rates = await me.read<{ date: string }[]>(`/funding_rates?page=1&future=${MARKET}`, LOCAL_SHAPES.fundingRates);
    expect(rates.map(({ date }) => Date.parse(date))).toContain(hour);
    await me.client.delete(`/positions/${MARKET}`);
    const paidTotal = collateral + (await me.netProceeds(await me.fills())) - (await me.account()).collateral;
    const all = (await payments()).reduce((sum, { payment }) => sum + payment, 0);
    expect(Math.abs(paidTotal)).toBeCloseTo(Math.abs(all), 4);
  });

  describe('candles', () => {
    test.each(RESOLUTIONS)('of %i seconds have no gaps, and open and close lie within their range', async (resolution) => {
      const found = await candles(resolution);
      expect(found.length).toBeGreaterThan(0);
      for (const { open, close, high, low } of found) {
        expect([low <= open, low <= close, open <= high, close <= high]).toEqual([true, true, true, true]);
      }
      const starts = found.map((candle) => timeOf(candle));
      expect(starts).toEqual(starts.map((_, index) => (starts[0] ?? 0) + index * resolution));
      if (resolution <= 86_400) expect((starts[0] ?? 0) % resolution).toBe(0);
      const older = await candles(resolution, 2);
      const [oldest] = await candles(resolution); // a candle that has opened since then moves another one to the second page
      expect(older.every((candle) => timeOf(candle) < timeOf(oldest))).toBe(true);
    });

    test('of one minute combine their four quarters', async () => {
      await expect.poll(async () => (await candles(15)).length, { timeout: 300_000, interval: 100 }).toBeGreaterThan(8);
      const [quarters, minutes] = [await candles(15), await candles(60)];
      const whole = minutes.map((minute) => ({ minute, parts: inside(quarters, minute, 60) })).filter(({ parts }) => parts.length === 4);
      const complete = whole.filter(({ minute }) => timeOf(minute) + 60 < timeOf(quarters.at(-1)));
      expect(complete.length).toBeGreaterThan(0);
      for (const { minute, parts } of complete) expect(minute).toEqual({ startTime: minute.startTime, ...merged(parts) });
    });

    test.each([
      [60, 300],
      [300, 900],
      [900, 3_600],
      [3_600, 14_400],
      [14_400, 86_400],
      [86_400, 30 * 86_400],
    ])('of %i seconds lie within the candles of %i seconds that contain them', async (short, long) => {
      const [inner, outer] = [await candles(short), await candles(long)];
      for (const wide of outer) {
        const parts = inside(inner, wide, long);
        if (parts.length === 0) continue;
        const { high, low } = merged(parts);
        expect([low >= wide.low, high <= wide.high]).toEqual([true, true]);
        if (parts[0]?.startTime === wide.startTime) expect(parts[0].open).toBe(wide.open);
      }
    });
  });
});

/** Returns the end of the hour of the fill. On a slow machine the first full hour is over before the position is taken. */
const hourAfter = (fill: FillRow | undefined): number => (Math.floor(Date.parse(fill?.time ?? '') / HOUR) + 1) * HOUR;

/** Seconds. */
const timeOf = (candle: CandleRow | undefined): number => Date.parse(candle?.startTime ?? '') / 1_000;

const inside = (candles: readonly CandleRow[], around: CandleRow, seconds: number): CandleRow[] =>
  candles.filter((candle) => timeOf(candle) >= timeOf(around) && timeOf(candle) < timeOf(around) + seconds);

const merged = (candles: readonly CandleRow[]): Omit<CandleRow, 'startTime'> => ({
  open: candles[0]?.open ?? Number.NaN,
  close: candles.at(-1)?.close ?? Number.NaN,
  high: Math.max(...candles.map(({ high }) => high)),
  low: Math.min(...candles.map(({ low }) => low)),
});
