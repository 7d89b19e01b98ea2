// Journals from before: written by an earlier version with open orders, damaged, truncated, or restored from an older copy.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { UserError } from '../../../../src/base/errors.ts';
import { readJournal } from '../../../../src/bot/journal/segment.ts';
import { clientOrderIds } from '../../../../src/bot/run/state/client-order-ids.ts';
import type { Entry } from '../../../../src/bot/run/state/entries.ts';
import { historyOf } from '../../../../src/bot/run/state/history.ts';
import { tradesToResume } from '../../../../src/bot/run/state/resume-trades.ts';
import { openState } from '../../../../src/bot/run/state/state.ts';
import { MemoryDisk } from '../../journal/memory-disk.ts';
import { BTC } from '../../world-builder.ts';

const FILE = 'journal-000001.log';
/** Of a run on the embedded exchange that was killed with twelve open orders, by a version whose journals do not name their account. */
const BYTES = readFileSync(new URL('../../../fixtures/journal-version-1.txt', import.meta.url));
const KILLED_AT = Date.parse('2026-11-22T16:53:24.497Z');
const MARKETS = new Map([['BTCUSDC', BTC]]);

const diskWith = (bytes: Uint8Array): MemoryDisk => new MemoryDisk([[FILE, bytes]]);
const opened = (disk: MemoryDisk, started = 'b') => openState(disk, { clock: new VirtualClock(KILLED_AT + 60_000), started });

describe('a journal of an earlier version', () => {
  test('is continued: its orders, fills and totals', () => {
    const { earlier } = opened(diskWith(BYTES));
    const history = historyOf(earlier, MARKETS);
    expect(history.orders.filter(({ status }) => status === 'open')).toHaveLength(12);
    expect(history.orders.every(({ orderId }) => orderId !== undefined)).toBe(true);
    expect(tradesToResume(earlier)?.reported).toHaveLength(9);
  });

  test('is continued with higher ids, and with the same orders after a second start', () => {
    const disk = diskWith(BYTES);
    const first = opened(disk);
    const before = historyOf(first.earlier, MARKETS);
    const id = clientOrderIds(KILLED_AT, { ...before, series: first.series })();
    expect(Number(id)).toBeGreaterThan(Number(before.lastClientOrderId));
    first.close();
    const again = historyOf(opened(disk, 'c').earlier, MARKETS);
    expect(again.orders).toEqual(before.orders);
    expect(again.baselines).toEqual(before.baselines);
  });
});

describe('a damaged journal', () => {
  test.each([40, 5_000, 20_000])('with a changed bit at byte %i is refused with its place, and nothing is added to it', (at) => {
    const bytes = Uint8Array.from(BYTES);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    const disk = diskWith(bytes);
    expect(() => opened(disk)).toThrow(UserError);
    expect(() => opened(disk)).toThrow(/journal-000001\.log:\d+: the journal is damaged/);
    expect(disk.read(FILE)).toEqual(bytes);
  });

  test('with damage in its last line loses only that line', () => {
    const cut = BYTES.subarray(0, BYTES.length - 7);
    const lost = BYTES.toString().trimEnd().split('\n').at(-1) ?? '';
    const entries = JSON.parse(lost.slice(9)) as Entry[];
    const [whole, left] = [BYTES, cut].map((bytes) => readJournal<Entry>(diskWith(bytes)).entries);
    expect(left).toEqual(whole?.slice(0, -entries.length));
  });
});
