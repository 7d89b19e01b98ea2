// The lean maker strategy: quotes shifted by the position.
import { describe, expect, test } from 'vitest';
import type { Quote } from '../../../src/bot/domain/intent.ts';
import { testTools } from '../../../src/research/testing/tools.ts';
import leanMaker from '../../../strategies/lean-maker.ts';
import { calmWorld, type WorldBuilder } from '../../unit/world-builder.ts';

function quoting() {
  const decide = leanMaker.create(leanMaker.defaults, testTools());
  return (world: WorldBuilder): Quote => decide(world.view())[0] as Quote;
}

const market = () => calmWorld({ bid: 59_999, ask: 60_001 });

describe('the lean maker', () => {
  test('quotes three basis points on both sides without a position', () => {
    expect(quoting()(market())).toMatchObject({ bids: [{ price: 599_820, size: 83 }], asks: [{ price: 600_180, size: 83 }], slack: 59 });
  });

  test('lowers both prices with a long position, and stops bidding at its limit', () => {
    const quote = quoting();
    expect(quote(market().account({ position: 0.0417 }))).toMatchObject({ bids: [{ price: 599_759 }], asks: [{ price: 600_120 }] });
    expect(quote(market().account({ position: 0.0834 }))).toMatchObject({ bids: [], asks: [{ price: 600_060 }] });
    expect(quote(market().account({ position: -0.0834 }))).toMatchObject({ bids: [{ price: 599_940 }], asks: [] });
  });

  test('follows the mid with its half-life, and stays behind the best price after a fast move', () => {
    const quote = quoting();
    const world = market();
    quote(world);
    world.after(1_999).book([[60_999, 1]], [[61_001, 1]]);
    expect(quote(world)).toMatchObject({ bids: [{ price: 604_818 }], asks: [{ price: 610_010 }] });
  });

  test('returns no intent without a book', () => {
    const decide = leanMaker.create(leanMaker.defaults, testTools());
    expect(
      decide(
        market()
          .book([], [[60_001, 1]])
          .view(),
      ),
    ).toEqual([]);
  });
});
