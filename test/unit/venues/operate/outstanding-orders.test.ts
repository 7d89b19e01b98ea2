// Which orders may still arrive, from a run's own journal; and reading a journal that is still being written.
import { describe, expect, test } from 'vitest';
import type { OrderLine } from '../../../../src/bot/accounting/lines.ts';
import { type Journal, openJournal } from '../../../../src/bot/journal/journal.ts';
import { readJournal } from '../../../../src/bot/journal/segment.ts';
import { checkpointOf } from '../../../../src/bot/run/state/checkpoint.ts';
import { type Entry, sentEntry } from '../../../../src/bot/run/state/entries.ts';
import { SimDisk } from '../../../../src/research/simulation/environment/disk/sim-disk.ts';
import { outstandingIn } from '../../../../src/venues/kind/account-canceller.ts';
import { orderLine } from './order-line.ts';

const AT = 1_800_000_000_000;

const line = (clientOrderId: string, more: Partial<OrderLine> = {}): OrderLine => orderLine(clientOrderId, AT, more);

const sent = (clientOrderId: string, timestamp?: number): Entry =>
  sentEntry({ action: 'place', clientOrderId, ...(timestamp !== undefined && { timestamp, nonce: 1, body: Uint8Array.of(1) }) }, AT);

function journalOn(disk: SimDisk): Journal<Entry> {
  return openJournal<Entry>(disk, { checkpoint: checkpointOf });
}

function outstandingAfter(...appends: readonly (readonly Entry[])[]) {
  const disk = new SimDisk();
  const journal = journalOn(disk);
  for (const entries of appends) journal.append(entries);
  return outstandingIn(disk);
}

describe('an order may still arrive', () => {
  test.each<[string, readonly Entry[], readonly number[]]>([
    ['that was journaled and not answered', [line('1'), sent('1', 1_000)], [1_063]],
    ['that is unknown, by its last line', [line('1'), sent('1', 1_000), line('1', { status: 'unknown', deadAfter: 1_070 })], [1_070]],
    ['not one that was answered', [line('1'), sent('1', 1_000), line('1', { status: 'open', orderId: '9' })], []],
    ['not one that was rejected', [line('1'), sent('1', 1_000), line('1', { status: 'rejected' })], []],
    ['not one that was never journaled', [line('1')], []],
    ['at the local process for as long as the process and the exchange may take', [line('1'), sent('1')], [AT / 1_000 + 75]],
  ])('%s', (_, entries, deadAfter) => {
    expect(outstandingAfter(entries).deadAfter).toEqual(deadAfter);
  });

  test('the journal is read again each time, up to what is written by then', () => {
    const disk = new SimDisk();
    const journal = journalOn(disk);
    journal.append([line('1'), sent('1', 1_000)]);
    const before = outstandingIn(disk).deadAfter;
    journal.append([line('1', { status: 'cancelled' })]);
    expect([before, outstandingIn(disk).deadAfter]).toEqual([[1_063], []]);
  });

  test('a journal that cannot be read is reported, and names no orders', () => {
    const disk = new SimDisk();
    journalOn(disk).append([line('1'), sent('1', 1_000)]);
    disk.replace('journal-000001.log', new TextEncoder().encode('nonsense\nnonsense\n'));
    expect(outstandingIn(disk)).toMatchObject({ deadAfter: undefined, damage: expect.stringContaining('damaged') });
  });
});

test('an order is ours if either of its ids is', () => {
  const { isOurs } = outstandingAfter(
    [line('1'), sent('1', 1_000), line('1', { status: 'open', orderId: '9' })],
    [line('2'), sent('2', 1_000)],
  );
  expect([isOurs({ orderId: '9' }), isOurs({ orderId: '10', clientOrderId: '2' }), isOurs({ orderId: '10' })]).toEqual([true, true, false]);
});

describe('reading a journal', () => {
  const SMALL = { checkpoint: checkpointOf, segmentBytes: 400 };

  test('returns each entry once, over all kept segments', () => {
    const disk = new SimDisk();
    const journal = openJournal<Entry>(disk, SMALL);
    for (let id = 1; id <= 20; id++) journal.append([line(String(id)), line(String(id), { status: 'cancelled' })]);
    expect(disk.list().length).toBeGreaterThan(2);
    const { entries, damage } = readJournal<Entry>(disk);
    const reported = entries.flatMap((entry) => (entry.kind === 'order' ? [`${entry.clientOrderId} ${entry.status}`] : []));
    const all = Array.from({ length: 20 }, (_, index) => [`${index + 1} placed`, `${index + 1} cancelled`]).flat();
    expect([reported, damage]).toEqual([all, []]);
  });

  test('leaves out a damaged segment, reports it, and continues', () => {
    const disk = new SimDisk();
    const journal = openJournal<Entry>(disk, SMALL);
    for (let id = 1; id <= 20; id++) journal.append([line(String(id))]);
    const [, second = ''] = disk.list();
    disk.replace(second, new TextEncoder().encode('nonsense\nnonsense\n'));
    const { entries, damage } = readJournal<Entry>(disk);
    const last = entries.findLast((entry) => entry.kind === 'order');
    expect([damage.length, last?.kind === 'order' && last.clientOrderId]).toEqual([1, '20']);
  });
});
