// The bot's journal as the invariants read it from the disk: its fills, and which lines are durable.
import { expect, test } from 'vitest';
import { fileOf } from '../../../src/bot/journal/segment.ts';
import { SimDisk } from '../../../src/research/simulation/environment/disk/sim-disk.ts';
import { DurableRecord } from '../../../src/research/simulation/record/durable-record.ts';

const fill = (orderId: string, size = '0.0083') => ({
  kind: 'fill',
  at: '',
  market: 'BTCUSDC',
  side: 'bid',
  tradeId: '7',
  orderId,
  size,
  price: '1',
});
const order = { kind: 'order', at: '', market: 'BTCUSDC', clientOrderId: '5', status: 'placed', side: 'bid', size: '1', price: '1' };
const recordOf = () => new DurableRecord({ now: () => 0, onNewLine: () => undefined });
const sync = (record: DurableRecord, ...fills: object[]): void => {
  for (const entry of fills) record.synced('journal-1', new TextEncoder().encode(`0 ${JSON.stringify([entry])}\n`));
};

test('a fill counts as repeated only with the same id and order, because a rolled-back exchange assigns ids again', () => {
  const record = recordOf();
  sync(record, fill('a'), fill('b', '0.0080'));
  expect([[...record.booked.values()].map(({ size }) => size), record.repeated]).toEqual([['0.0083', '0.0080'], []]);
  sync(record, fill('a'));
  expect([record.booked.size, record.repeated]).toEqual([2, [fill('a')]]);
});

test('a fill found only after a crash is booked, once', () => {
  const record = recordOf();
  record.printed(fill('a') as never);
  expect(record.booked.size).toBe(1);
  sync(record, fill('a'));
  expect([record.booked.size, record.repeated]).toEqual([1, []]);
});

test.each<[string, (record: DurableRecord, disk: SimDisk) => void, boolean]>([
  ['is synced', (_, disk) => disk.sync(fileOf(1)), true],
  ['is printed', (record) => record.printed(order as never), true],
  ['survives a kill', (record, disk) => record.crashed(disk, { power: false }), false],
  ['is left by a power cut', (record, disk) => record.crashed(disk, { power: true }), true],
])('an order whose first line %s is durable or not', (_, happens, durable) => {
  const record = recordOf();
  const disk = new SimDisk({ onSynced: (file, bytes) => record.synced(file, bytes) });
  disk.append(fileOf(1), new TextEncoder().encode(`0 ${JSON.stringify([order])}\n`));
  happens(record, disk);
  expect([record.orders.has('5'), record.isDurable('5')]).toEqual([true, durable]);
});
