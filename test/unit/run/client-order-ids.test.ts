// Client order ids increase, belong to the series of the run, and are never reused, neither after a restart nor by an older copy of the state.
import { describe, expect, test } from 'vitest';
import type { Millis } from '../../../src/base/clock.ts';
import { clientOrderIds, seriesOf } from '../../../src/bot/run/state/client-order-ids.ts';

const START = Date.parse('2026-11-23T10:00:00Z');
const SERIES = 70_000;
/** A state directory that lost some orders: the last id that it knows. */
const OLDER_COPY = { lastClientOrderId: '4587521000000000', series: SERIES };
const MINUTE = 60_000;

type From = Partial<Parameters<typeof clientOrderIds>[1]>;

/** The first ids of a process that starts at this time of its machine. */
function idsOf(startedAt: Millis, from: From = {}, count = 50): readonly number[] {
  const next = clientOrderIds(startedAt, { lastClientOrderId: undefined, series: SERIES, ...from });
  return Array.from({ length: count }, () => Number(next()));
}

const allDiffer = (processes: readonly (readonly number[])[]): boolean => new Set(processes.flat()).size === processes.flat().length;

describe('client order ids', () => {
  test('belong to the series of the run, increase, and fit into JSON numbers', () => {
    const ids = idsOf(START);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    for (const id of ids) {
      expect(seriesOf(String(id))).toBe(SERIES);
      expect(String(JSON.parse(String(id)))).toBe(String(id));
    }
  });

  test('are the same in a replay', () => {
    expect(idsOf(START + 7, OLDER_COPY)).toEqual(idsOf(START + 7, OLDER_COPY));
  });

  test('increase at each restart, also within a second and after the clocks were set back', () => {
    let last = 0;
    for (let restart = 0; restart < 500; restart++) {
      const [startedAt, connectedAt] = [START - restart * 137, START - restart * 1_000];
      const ids = idsOf(startedAt, { lastClientOrderId: last === 0 ? undefined : String(last), connectedAt });
      expect(ids[0]).toBeGreaterThan(last);
      last = ids.at(-1)!;
    }
  });

  test('are higher if the exchange’s time is 35 minutes later, whatever the journal and the machine’s clock', () => {
    for (let hour = 0; hour < 200; hour++) {
      const [earlier, later] = [START + hour * 3_600_017, START - hour * 3_600_001];
      const before = idsOf(earlier, { connectedAt: START }, 1);
      const after = idsOf(later, { connectedAt: START + 35 * MINUTE }, 1);
      expect(after[0]).toBeGreaterThan(before[0]!);
    }
  });

  test('are not reused by older copies of the state, after the machine’s clock was set back', () => {
    const [lost, copy] = [START + 5_000_000, START + 9_000].map((at) => idsOf(at, { ...OLDER_COPY, connectedAt: START }));
    expect(allDiffer([lost!, copy!])).toBe(true);
  });

  test('are not reused by older copies of the state, while the exchange’s clock stands still', () => {
    const processes = [0, 900, 22_000, 60_000, 61_001].map((after) => idsOf(START + after, { ...OLDER_COPY, connectedAt: START }));
    expect(allDiffer(processes)).toBe(true);
  });

  test('are not reused by older copies of the state, after the exchange’s clock went back', () => {
    const processes = [0, -20, -40, -61, -80].map((by, index) =>
      idsOf(START + 20_000 * index, { ...OLDER_COPY, connectedAt: START + (20 * index + by) * 1_000 }),
    );
    expect(allDiffer(processes)).toBe(true);
  });

  test('are not reused by a copy that knows no order yet', () => {
    expect(allDiffer([0, 1, 2].map((after) => idsOf(START + after, { connectedAt: START })))).toBe(true);
  });

  test('are seconds and a counter for a run without a series', () => {
    expect(idsOf(START, { series: undefined }, 2)).toEqual([(START / 1_000) * 2 ** 20, (START / 1_000) * 2 ** 20 + 1]);
  });
});
