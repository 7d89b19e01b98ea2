// Orders of ours that others cancel: reported in the health of the run, then an alarm.
import { beforeEach, describe, expect, test } from 'vitest';
import { orderWith } from '../../../src/bot/domain/order.ts';
import { calmWorld, type WorldBuilder } from '../world-builder.ts';

let builder: WorldBuilder;
let orders: number;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
  orders = 0;
});

function placed(): string {
  orders += 1;
  const id = `o${orders}`;
  builder.placed({ side: 'bid', price: 58_000 + orders, size: 1, id }).account();
  return id;
}
/** Places orders one after another; each is gone before the next. */
function lost(times: number, shown = {}): void {
  for (let n = 0; n < times; n++) {
    const id = placed();
    builder.lookedTwice(shown, [id]);
  }
}
const found = (): string[] => [...builder.world.unhealthy()].map(({ stream, reason }) => `${stream}: ${reason}`);
const alarms = (): string[] => builder.world.takeAlarms().map(({ name, reason }) => `${name}: ${reason}`);

describe('orders that leave the book unfilled and without our cancel', () => {
  test('are reported from the third within a minute on, and raise one alarm at the tenth', () => {
    lost(2);
    expect(found()).toEqual([]);
    lost(1);
    expect(found()).toEqual([
      expect.stringMatching(/^orders: 3 orders of ours left the book unfilled and without our cancel: another program or person/),
    ]);
    lost(6);
    expect(alarms()).toEqual([]);
    lost(32);
    expect(alarms()).toEqual([expect.stringMatching(/^outside-cancels: 10 orders of ours left .*cancels our orders on this account/)]);
  });

  test('count although we asked to cancel them, if the exchange says that it no longer had them', () => {
    for (let n = 0; n < 3; n++) {
      const id = placed();
      builder.cancelling(id).cancelAnswered(id, 'notFound').after(2_500).lookedTwice({}, [id]);
    }
    expect(found()).toHaveLength(1);
  });

  test('end as a finding after a minute without one', () => {
    lost(4);
    builder.after(59_000).round();
    expect(found()).toHaveLength(1);
    builder.after(2_000).round();
    expect(found()).toEqual([]);
    lost(1);
    expect(found()).toEqual([]);
    lost(8);
    expect(alarms()).toEqual([]);
  });

  test('are no finding if they are far apart', () => {
    for (let n = 0; n < 12; n++) {
      lost(1);
      builder.after(61_000);
    }
    expect([found(), alarms()]).toEqual([[], []]);
  });

  test('are said to be cancelled for margin while the account is short of it', () => {
    lost(10, { margins: { mf: 110, cmf: 100 } });
    expect(found()).toEqual([expect.stringMatching(/^orders: .*while the account was short of margin/)]);
    expect(alarms()).toEqual([expect.stringMatching(/short of margin: the exchange cancels orders then/)]);
  });
});

describe('counts no order', () => {
  const ENDS: readonly (readonly [string, (id: string) => void])[] = [
    ['that we cancelled', (id) => builder.cancelling(id).cancelAnswered(id, 'cancelled').lookedTwice({}, [id])],
    ['whose cancel got no answer', (id) => builder.cancelling(id).cancelAnswered(id, 'unknown').lookedTwice({}, [id])],
    [
      'of which one of two cancels got no answer',
      (id) => {
        builder.cancelling(id).cancelAnswered(id, 'unknown').account().cancelling(id).cancelAnswered(id, 'notFound').lookedTwice({}, [id]);
      },
    ],
    ['that was filled', (id) => builder.filled(id).lookedTwice({ position: orders }, [id])],
  ];
  test.each(ENDS)('%s', (_, end) => {
    for (let n = 0; n < 12; n++) end(placed());
    expect([found(), alarms()]).toEqual([[], []]);
  });

  test('of which the exchange has said nothing', () => {
    for (let n = 0; n < 12; n++) {
      builder
        .pending({ side: 'bid', price: 59_000 - n, size: 1, id: `u${n}` })
        .unknown(`u${n}`, 1)
        .time(1_700_000_000)
        .outlived(1_700_000_100)
        .lookedTwice({}, [`u${n}`]);
    }
    expect([found(), alarms()]).toEqual([[], []]);
  });

  test('of an earlier process, which kill may have cancelled', () => {
    const before = calmWorld({ bid: 59_999, ask: 60_001 });
    for (let n = 0; n < 12; n++) before.placed({ side: 'bid', price: 58_000 + n, size: 1, id: `e${n}` });
    const earlier = before.world.orders().map((order) => orderWith(order, { accountThen: undefined }));
    const ids = earlier.map(({ clientOrderId }) => clientOrderId);
    builder.world.adopt({ orders: earlier, fills: [] });
    builder.after(5_000).account({}, ids).after(5_000).lookedTwice({}, ids);
    expect(builder.world.orders()).toEqual([]);
    expect([found(), alarms()]).toEqual([[], []]);
  });
});
