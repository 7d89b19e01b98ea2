// The memory of a world does not grow with the number of past orders, however they ended.
import { describe, expect, test } from 'vitest';
import { orderSent } from '../../../src/bot/domain/action.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { Alarms } from '../../../src/bot/world/alarms.ts';
import { Attribution } from '../../../src/bot/world/orders/attribution.ts';
import { ClosedOrders } from '../../../src/bot/world/orders/closed-orders.ts';
import type { World } from '../../../src/bot/world/world.ts';
import { collectionSizes, grown } from '../../collections.ts';
import { calmWorld, type WorldBuilder } from '../world-builder.ts';
import { maker } from './trades.ts';

const BID = { side: 'bid', price: 59_000, size: 1 } as const;
const TERMS = { market: 0, side: 'bid', price: ticks(590_000), size: lots(10_000), originalSize: lots(10_000) } as const;

/** The whole life of one order, or of something that is no order of ours. */
const LIVES: Readonly<Record<string, (builder: WorldBuilder, id: string) => void>> = {
  filled: (builder, id) =>
    builder
      .placed({ ...BID, id })
      .account()
      .filled(id)
      .account()
      .round(),
  cancelled: (builder, id) =>
    builder
      .placed({ ...BID, id })
      .account()
      .cancelling(id)
      .cancelAnswered(id, 'cancelled')
      .account({}, [id])
      .round(),
  'cancelled after the cancel was queued': (builder, id) =>
    builder
      .placed({ ...BID, id })
      .account()
      .cancelling(id)
      .cancelAnswered(id, 'queued')
      .lookedTwice({}, [id]),
  'gone though its cancel got no answer': (builder, id) =>
    builder
      .placed({ ...BID, id })
      .account()
      .cancelling(id)
      .after(2_000)
      .lookedTwice({}, [id]),
  rejected: (builder, id) => builder.pending({ ...BID, id }).rejected(id),
  'rejected while it was being cancelled, for an account had listed another on its terms': (builder, id) =>
    builder
      .pending({ ...BID, id })
      .account({ others: [{ ...TERMS, orderId: `x${id}` }] }, [id])
      .cancelling(id)
      .rejected(id)
      .account(),
  'rejected after its cancel was queued': (builder, id) =>
    builder
      .pending({ ...BID, id })
      .account({ others: [{ ...TERMS, orderId: `x${id}` }] }, [id])
      .cancelling(id)
      .cancelAnswered(id, 'queued')
      .rejected(id)
      .account(),
  'never at the exchange': (builder, id) => {
    const dead = Math.floor(builder.world.now / 1_000) + 10;
    builder
      .pending({ ...BID, id })
      .unknown(id, dead)
      .outlived(dead + 1)
      .after(3_000)
      .lookedTwice({}, [id])
      .account()
      .round();
  },
  'filled, listed again, and gone': (builder, id) => {
    const resting = { ...TERMS, orderId: `exchange-${id}`, clientOrderId: id };
    builder
      .placed({ ...BID, id })
      .account()
      .filled(id)
      .account()
      .round()
      .after(3_000)
      .account({ others: [resting] });
    builder.after(3_000).lookedTwice({}, [id]).after(61_000).account({}, [id]).round();
  },
  'order of another': (builder, id) => builder.account({ others: [{ ...TERMS, orderId: `x${id}` }] }).account(),
  'trade of another': (builder, id) => builder.round([maker({ orderId: `x${id}`, size: 1 })]).account(),
};

/** Collections that keep a fixed number of the newest entries, whatever their age. */
const NEWEST_KEPT =
  /attribution\.#(byOrder|byAction|filled|actionOf|ownerless|doubtful)|\.#closed\.#ends|[jJ]udged(Fills)?\.#booked|fills\.#counted/;
/** A map that keeps at least the newest 4096 keeps at most this many. */
const MAX_KEPT = 2 * 4096;

const retained = (world: World): ReadonlyMap<string, number> => collectionSizes({ world });

describe.each(Object.entries(LIVES))('%s', (_, live) => {
  test('four hundred leave at most a hundred and fifty entries', () => {
    const builder = calmWorld({ bid: 59_999, ask: 60_001 });
    let lived = 0;
    const after = (count: number): ReadonlyMap<string, number> => {
      while (lived < count) {
        live(builder, `9${lived++}`);
        builder.world.takeChanges();
        builder.world.takeFills();
        builder.world.takeAlarms();
        builder.world.health.takeFound();
        builder.after(20_000);
      }
      expect(builder.world.orders()).toEqual([]);
      return retained(builder.world);
    };
    const early = after(150);
    expect(grown(early, after(400), 8).filter((growth) => !NEWEST_KEPT.test(growth))).toEqual([]);
  });
});

const largest = (remembers: object): number => Math.max(...collectionSizes({ remembers }).values());

describe('the newest of twenty thousand orders are kept', () => {
  const COUNT = 20_000;

  test('with their fills, and fills without an order', () => {
    const attribution = new Attribution();
    const fillOf = (orderId: string, time: number) => attribution.attribute({ ...maker({ orderId, size: 1 }), time }, time);
    for (let order = 0; order < COUNT; order++) {
      const [id, orderId] = [String(order), `x${order}`];
      attribution.bindOrder(orderId, id);
      attribution.accepted(id, { actionId: id, taken: [] });
      fillOf(orderId, order);
    }
    for (let order = 0; order < COUNT; order++) {
      fillOf(`y${order}`, COUNT + order);
      if (order % 100 === 0) attribution.foreignFills(() => []);
    }
    expect(attribution.ownerOf(`x${COUNT - 1}`)).toBe(String(COUNT - 1));
    expect(attribution.filledOf(String(COUNT - 1))).toBe(10_000);
    expect(largest(attribution)).toBeLessThanOrEqual(MAX_KEPT);
  });

  test('with how they ended', () => {
    const closed = new ClosedOrders(new Alarms());
    const action = { kind: 'place', market: 0, side: 'bid', price: ticks(590_000), size: lots(10_000), fillMode: 'LIMIT' } as const;
    for (let id = 0; id < COUNT; id++) {
      const order = orderSent({ ...action, clientOrderId: String(id) }, { at: id, account: undefined, engine: undefined });
      closed.add({ order, reportedAs: undefined, neverPlaced: false, at: id });
    }
    expect(closed.has(String(COUNT - 1))).toBe(true);
    expect(largest(closed)).toBeLessThanOrEqual(MAX_KEPT);
  });
});
