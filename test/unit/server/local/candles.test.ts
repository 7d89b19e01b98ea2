// Candles of the local API against a naive recomputation from the mark price at every step.
import { describe, expect, test } from 'vitest';
import { openLocalApi, START } from './open-api.ts';

interface Mark {
  readonly time: number;
  readonly mark: number;
}

/** Newest first: each window from its first mark to the one at its end, if that has been reached. */
function naive(marks: readonly Mark[], width: number) {
  const starts = [...new Set(marks.map(({ time }) => Math.floor(time / width) * width))];
  return starts.reverse().map((start) => {
    const seen = marks.filter(({ time }) => time >= start && time <= start + width).map(({ mark }) => mark);
    return {
      startTime: new Date(start).toISOString(),
      open: seen[0],
      close: seen.at(-1),
      high: Math.max(...seen),
      low: Math.min(...seen),
    };
  });
}

const lively = openLocalApi({ traders: true });
const marks: Mark[] = [];
for (let time = START + 50; time <= START + 200_050; time += 100) {
  lively.exchange.advanceTo(time);
  marks.push({ time: time - (time % 100), mark: lively.exchange.live(0)!.mark! / 10 });
}
const candles = (query: string) =>
  lively.read(`/markets/BTC-PERP/candles?${query}`) as { startTime: string; open: number; close: number }[];

describe('candles', () => {
  test.each([15, 60, 300, 900, 3_600, 14_400, 86_400, 2 * 86_400, 7 * 86_400, 30 * 86_400])('of %i s', (resolution) => {
    expect(candles(`resolution=${resolution}`)).toEqual(naive(marks, resolution * 1_000));
  });

  test('each closes where the next opens', () => {
    const rows = candles('resolution=15');
    expect(rows.length).toBeGreaterThan(10);
    for (const [index, row] of rows.slice(1).entries()) expect(row.close).toBe(rows[index]!.open);
    expect(new Set(rows.map(({ open }) => open)).size).toBeGreaterThan(5);
  });

  test('none is older than the exchange', () => {
    expect(candles('resolution=86400')).toHaveLength(1);
    expect(candles('resolution=15&page=2')).toEqual([]);
  });

  test('between two times, in seconds', () => {
    const rows = candles('resolution=15');
    const [from, until] = [rows[5]!, rows[2]!].map(({ startTime }) => Date.parse(startTime) / 1_000);
    expect(candles(`resolution=15&start_time=${from}&end_time=${until}`)).toEqual(rows.slice(2, 6));
  });

  test('in pages of three hundred', () => {
    const { exchange, read } = openLocalApi();
    exchange.advanceTo(START + 15_000 * 449);
    const pages = [1, 2, 3].map((page) => read(`/markets/ETH-PERP/candles?resolution=15&page=${page}`) as { startTime: string }[]);
    expect(pages.map((page) => page.length)).toEqual([300, 150, 0]);
    expect(pages[1]![0]!.startTime < pages[0]!.at(-1)!.startTime).toBe(true);
  });

  test('a resolution that is none is refused with the reason', () => {
    const [status, message] = lively.refusal('GET', '/markets/BTC-PERP/candles?resolution=16');
    expect(status).toBe(400);
    expect(message).toContain('resolution');
  });
});
