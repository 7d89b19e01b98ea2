// The whole table of the life cycle: each status with each evidence, in a world with one order.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RestingOrder } from '../../../src/bot/domain/account.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { EVIDENCE, LIFE_CYCLE, type LifeStatus, type OrderEvidence, statusAfter } from '../../../src/bot/world/orders/life-cycle.ts';
import { LAG } from '../../../src/bot/world/orders/proof.ts';
import { calmWorld, START, type WorldBuilder } from '../world-builder.ts';
import { maker } from './trades.ts';

const BID = { side: 'bid', price: 59_000, size: 1, id: '1' } as const;
const LISTED: RestingOrder = {
  orderId: 'exchange-1',
  clientOrderId: '1',
  market: 0,
  side: 'bid',
  price: ticks(590_000),
  size: lots(10_000),
  originalSize: lots(10_000),
};
const DEAD_AFTER = START / 1_000 + 63;
const STATUSES = Object.keys(LIFE_CYCLE) as LifeStatus[];

/** A world whose order 1 has the status, without an order id of the exchange if `evidence` requires that. */
const worlds: Readonly<Record<LifeStatus, (builder: WorldBuilder, evidence: OrderEvidence) => WorldBuilder>> = {
  pending: (builder) => builder.pending(BID),
  open: (builder, evidence) => (evidence === 'unanswered' ? builder.pending(BID).openedBare('1') : builder.placed(BID)),
  cancelling: (builder) => builder.placed(BID).cancelling('1'),
  unknown: (builder) => builder.pending(BID).unknown('1', DEAD_AFTER),
  closing: (builder) => builder.placed(BID).cancelling('1').cancelAnswered('1', 'cancelled').after(LAG).account({}, ['1']),
  closed: (builder) => builder.pending(BID).rejected('1'),
};

const receipt = (builder: WorldBuilder, { resting, orderId }: { resting: number; orderId?: string }): WorldBuilder =>
  builder.apply((at) => ({ kind: 'orderOpened', at, clientOrderId: '1', actionId: '9', taken: [], resting: lots(resting), orderId }));
const isLive = ({ world }: WorldBuilder): boolean => world.orders().length > 0;

/** Applies each evidence to the world. */
const evidences: Readonly<Record<OrderEvidence, (builder: WorldBuilder) => WorldBuilder>> = {
  accepted: (builder) => receipt(builder, { resting: 10_000, orderId: 'exchange-2' }),
  ended: (builder) => receipt(builder, { resting: 0 }),
  rejected: (builder) => builder.rejected('1'),
  neverAdmitted: (builder) =>
    builder.apply((at) => ({ kind: 'orderRejected', at, clientOrderId: '1', error: 'NEVER_ADMITTED', settled: true })),
  unanswered: (builder) => builder.unknown('1', DEAD_AFTER),
  cancelSent: (builder) => builder.sent([{ kind: 'cancel', clientOrderId: '1', market: 0, orderId: 'exchange-1' }]),
  cancelFailed: (builder) => builder.cancelAnswered('1', 'refused').after(LAG).timer(),
  listed: (builder) =>
    isLive(builder) ? builder.cancelAnswered('1', 'refused').account() : builder.after(LAG).account({ others: [LISTED] }),
  lacked: (builder) => builder.after(LAG).account({}, ['1']),
  proved: (builder) =>
    builder
      .time(DEAD_AFTER)
      .outlived(DEAD_AFTER + 1)
      .after(LAG)
      .lookedTwice({}, ['1']),
  filled: (builder) => builder.round([{ ...maker({ orderId: 'exchange-1', size: 1 }), clientOrderId: '1' }]),
  tradesRead: (builder) => builder.round(),
  turnedUp: (builder) => builder.round([{ ...maker({ orderId: 'exchange-1', size: 0.4 }), clientOrderId: '1' }]),
};

/** The poll of fills that completes a proof, or has a fill, also shows how the order ended. */
const SEEN_IN_A_ROUND: ReadonlySet<OrderEvidence> = new Set(['proved', 'filled', 'turnedUp']);

function expected(status: LifeStatus, evidence: OrderEvidence): LifeStatus {
  const next = statusAfter(status, evidence);
  return SEEN_IN_A_ROUND.has(evidence) ? statusAfter(next, 'tradesRead') : next;
}

const statusIn = ({ world }: WorldBuilder): LifeStatus => world.orders()[0]?.status ?? (world.settled ? 'closed' : 'closing');

describe.each(STATUSES)('an order that is %s', (status) => {
  test.each(EVIDENCE)('follows the table when it is %s', (evidence) => {
    const builder = worlds[status](calmWorld({ bid: 59_999, ask: 60_001 }), evidence);
    expect(statusIn(builder)).toBe(status);
    expect(statusIn(evidences[evidence](builder))).toBe(expected(status, evidence));
  });
});

test('docs/architecture.md draws the same table', () => {
  const text = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
  const rows = text
    .split('\n')
    .flatMap((line) => (line.startsWith('| `') && line.split('|').length === STATUSES.length + 3 ? [line.split('|')] : []));
  const drawn = Object.fromEntries(
    rows.map(([, name = '', ...cells]) => [name.replaceAll('`', '').trim(), cells.slice(0, -1).map((cell) => cell.trim())]),
  );
  const table = Object.fromEntries(
    EVIDENCE.map((evidence) => [
      evidence,
      STATUSES.map((status) => (LIFE_CYCLE[status] as Partial<Record<OrderEvidence, LifeStatus>>)[evidence] ?? ''),
    ]),
  );
  expect(drawn).toEqual(table);
});
