// A turn in random situations: guards only reduce, the worst case stays within the limits, and repeated intents change nothing.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lots, type Ticks } from '../../src/bot/domain/numbers.ts';
import { reconcile } from '../../src/bot/execution/reconcile.ts';
import { review } from '../../src/bot/risk/review.ts';
import { limitsSchema, rulesFrom } from '../../src/bot/risk/rules.ts';
import { worstPosition } from '../../src/bot/world/exposure.ts';
import { type Approved, matchAgain, stands } from '../../src/bot/world/orders/match.ts';
import { BTC } from '../unit/world-builder.ts';
import { quoteOf, type Scene, SEED, scenes, worldOf } from './random-world.ts';

const RULES = rulesFrom(limitsSchema.parse({ position: { maxNotional: 30_000 }, margin: { liquidationBuffer: 0.5 } }));
const OPTIONS = { seed: SEED, numRuns: 300 };

function turn(scene: Scene) {
  const world = worldOf(scene);
  const reviewed = review([quoteOf(scene)], { rules: RULES, world });
  let next = 100;
  const nextClientOrderId = () => String(next++);
  /** Approved although orders may be missing, which the engine asks the guards about. */
  const approved = () => reviewed.approved.map((matched) => matchAgain(matched, world) as Approved);
  const again = () => reconcile({ approved: approved(), held: reviewed.held, world, nextClientOrderId });
  return { world, reviewed, approved, again };
}

describe('a turn', () => {
  test('guards never increase an intent', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const intended = quoteOf(scene);
        const [passed] = turn(scene).reviewed.approved;
        if (passed?.kind !== 'quote') return;
        for (const side of ['bids', 'asks'] as const) {
          const left = [...intended[side]];
          for (const level of passed.intent[side]) {
            const from = left.findIndex(({ price, size }) => price === level.price && size >= level.size);
            expect(from, `${side} ${level.price}@${level.size} was not intended`).toBeGreaterThanOrEqual(0);
            left.splice(from, 1);
          }
        }
      }),
      OPTIONS,
    );
  });

  test('a placement keeps the worst case within the limit or does not increase it', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const { world, again } = turn(scene);
        const before = worstPosition(world.exposure(0));
        world.markSent(again());
        const most = Math.floor(30_000 / (BTC.price((scene.mid + 5) as Ticks) * BTC.size(lots(1))));
        expect(worstPosition(world.exposure(0))).toBeLessThanOrEqual(Math.max(before, most));
      }),
      OPTIONS,
    );
  });

  test('a second turn before any answer has no actions', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const { world, again } = turn(scene);
        world.markSent(again());
        expect(again()).toEqual([]);
      }),
      OPTIONS,
    );
  });

  test('an order that all guards passed passes them again once it rests', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const { world, reviewed, approved, again } = turn(scene);
        world.markSent(again());
        if (reviewed.findings.length > 0 || !approved().every(stands)) return;
        expect(review([quoteOf(scene)], { rules: RULES, world })).toMatchObject({ findings: [], approved: approved() });
      }),
      OPTIONS,
    );
  });

  test('cancels precede placements, and each order is cancelled once', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const actions = turn(scene).again();
        const kinds = actions.map(({ kind }) => kind);
        expect(kinds).toEqual([...kinds].sort());
        const cancelled = actions.flatMap((action) => (action.kind === 'cancel' ? [action.orderId] : []));
        expect(new Set(cancelled).size).toBe(cancelled.length);
      }),
      OPTIONS,
    );
  });

  test('no placement crosses a resting order or another placement of the turn', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const { world, again } = turn(scene);
        world.markSent(again());
        const fresh = world.orders(0).filter(({ clientOrderId }) => Number(clientOrderId) >= 100);
        for (const order of fresh) {
          for (const other of world.orders(0).filter(({ side }) => side !== order.side)) {
            expect(order.side === 'bid' ? order.price < other.price : order.price > other.price).toBe(true);
          }
        }
      }),
      OPTIONS,
    );
  });
});
