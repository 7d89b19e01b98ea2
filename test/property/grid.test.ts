// The grid strategy on a venue with random fills, refusals and restarts: its orders always have the right prices and sizes.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Quote } from '../../src/bot/domain/intent.ts';
import grid from '../../strategies/grid.ts';
import { ToyVenue } from '../unit/strategy/toy-venue.ts';

type GridVenue = ToyVenue<typeof grid.defaults>;
type Step = (venue: GridVenue) => unknown;

const LOT = 0.0001;
const sides = fc.constantFrom('bid' as const, 'ask' as const);
const params = fc.record({
  spacing: fc.constantFrom('geometric', 'arithmetic'),
  spacingBps: fc.integer({ min: 3, max: 10 }),
  levels: fc.integer({ min: 1, max: 6 }),
  notional: fc.constant(500),
  maxPositionNotional: fc.integer({ min: 2, max: 12 }).map((cells) => cells * 500),
});

const movesUpTo = (most: number): fc.Arbitrary<Step> =>
  fc.double({ min: -most, max: most, noNaN: true }).map((bps) => (venue) => venue.moveTo(venue.price * (1 + bps / 1e4)));
const moves = movesUpTo(12);
const looks: fc.Arbitrary<Step> = fc.boolean().map((fillsFirst) => (venue) => venue.look({ fillsFirst }));
const takes: fc.Arbitrary<Step> = fc.tuple(sides, fc.double({ min: 0.1, max: 1, noNaN: true })).map(
  ([side, share]) =>
    (venue) =>
      venue.take(side, share),
);
const refusals: fc.Arbitrary<Step> = fc.boolean().map((refused) => (venue) => {
  venue.refuses = () => refused;
});
const pauses: fc.Arbitrary<Step> = fc.integer({ min: 0, max: 40_000 }).map((span) => (venue) => venue.wait(span));
const restarts: fc.Arbitrary<Step> = fc.constant((venue) => venue.restart());

function started(chosen: Partial<typeof grid.defaults>, price = 60_000): GridVenue {
  return new ToyVenue(grid, { price, params: chosen }).look();
}

/** Ends the refusals and waits for every pause that they caused. */
function settled(venue: GridVenue): GridVenue {
  venue.refuses = () => false;
  for (let round = 0; round < 3; round++) venue.wait(40_000).look();
  return venue;
}

const prices = ({ bids, asks }: Quote) => ({ bids: bids.map(({ price }) => price), asks: asks.map(({ price }) => price) });

describe('the grid', () => {
  test('never crosses itself and never exceeds its position limit', () => {
    const commands = fc.array(fc.oneof(moves, looks, takes, refusals, pauses, restarts), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(params, commands, (chosen, steps) => {
        const venue = started(chosen);
        for (const step of [...steps, settled]) {
          step(venue);
          venue.look();
          const { bids, asks } = prices(venue.quote);
          expect(Math.max(...bids)).toBeLessThan(Math.min(...asks));
          expect(Math.max(...venue.resting('bid'))).toBeLessThan(Math.min(...venue.resting('ask')));
          expect(bids.length).toBeLessThanOrEqual(chosen.levels + 1);
          expect(Math.abs(venue.position) * venue.price).toBeLessThan(chosen.maxPositionNotional * 1.05 + 500 * 0.2);
        }
      }),
      { seed: 14, numRuns: 60 },
    );
  });

  test('reaches exactly its position limit in a market that only falls or only rises', () => {
    fc.assert(
      fc.property(
        params,
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 30, maxLength: 50 }),
        (chosen, falls, steps) => {
          const venue = started(chosen);
          for (const bps of steps) venue.moveTo(venue.price * (1 + (falls ? -bps : bps) / 1e4)).look();
          const held = ((falls ? 1 : -1) * venue.position * 60_000) / 500;
          expect(Math.abs(held - chosen.maxPositionNotional / 500)).toBeLessThan(0.3);
        },
      ),
      { seed: 41, numRuns: 60 },
    );
  });

  test('sends nothing that would trade at once', () => {
    fc.assert(
      fc.property(params, fc.array(moves, { maxLength: 40 }), (chosen, steps) => {
        const venue = started(chosen);
        const rejected: string[] = [];
        venue.onTurn = ({ changes }) =>
          rejected.push(...changes.flatMap(({ status, order }) => (status === 'rejected' ? [order.clientOrderId] : [])));
        for (const step of steps) {
          step(venue);
          venue.look();
        }
        expect(rejected).toEqual([]);
      }),
      { seed: 135, numRuns: 60 },
    );
  });

  test('a fill at a level adds the counter-order at the next level and does not repeat the order', () => {
    const commands = fc.array(sides, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(params, commands, fc.boolean(), (chosen, fills, fillsFirst) => {
        const venue = started(chosen);
        for (const side of fills) {
          const mine = side === 'bid' ? venue.resting('bid').at(-1) : venue.resting('ask').at(0);
          if (mine === undefined) continue; // the position is at its limit
          const next = side === 'bid' ? venue.resting('bid').at(-2) : venue.resting('ask').at(1);
          venue.moveTo(mine + (side === 'bid' ? 0.5 : -0.5)).take(side, 1);
          venue.look({ fillsFirst }).look();
          const [nearest, same] =
            side === 'bid'
              ? [venue.resting('ask')[0], venue.resting('bid').at(-1)]
              : [venue.resting('bid').at(-1), venue.resting('ask')[0]];
          const away = ((nearest ?? NaN) / mine - 1) * 1e4 * (side === 'bid' ? 1 : -1);
          const foot = chosen.spacing === 'arithmetic' ? chosen.spacingBps * (60_000 / mine) : chosen.spacingBps;
          expect(Math.abs(away - foot)).toBeLessThan(0.05);
          if (next !== undefined) expect(same).toBe(next);
        }
      }),
      { seed: 16, numRuns: 60 },
    );
  });

  test('refused levels return when the exchange accepts them', () => {
    fc.assert(
      fc.property(params, fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), (chosen, refused) => {
        const venue = new ToyVenue(grid, { price: 60_000, params: chosen });
        let asked = 0;
        venue.refuses = () => refused[asked++ % refused.length] ?? false;
        for (let round = 0; round < 10; round++) venue.wait(1_000).look();
        settled(venue);
        const full = Math.min(chosen.levels, Math.floor(chosen.maxPositionNotional / 500));
        expect([venue.resting('bid').length, venue.resting('ask').length]).toEqual([full, full]);
      }),
      { seed: 5503, numRuns: 60 },
    );
  });

  test('both sides are quoted after any refusals and any price moves', () => {
    fc.assert(
      fc.property(params, fc.array(fc.oneof(moves, refusals), { maxLength: 30 }), (chosen, steps) => {
        const venue = started({ ...chosen, levels: Math.max(3, chosen.levels) });
        for (const step of steps) {
          step(venue);
          venue.look();
        }
        settled(venue);
        const full = Math.floor(chosen.maxPositionNotional / 510) * 500;
        for (const [side, sign] of [
          ['bid', 1],
          ['ask', -1],
        ] as const) {
          if (sign * venue.position * venue.price < full - 500) expect(venue.resting(side).length).toBeGreaterThan(0);
        }
      }),
      { seed: 14, numRuns: 60 },
    );
  });

  test('a restart neither places nor cancels an order', () => {
    fc.assert(
      fc.property(params, fc.array(movesUpTo(3), { maxLength: 80 }), (chosen, steps) => {
        const venue = started(chosen);
        for (const step of steps) {
          step(venue);
          venue.look();
        }
        settled(venue);
        const before = { placed: venue.placed.length, cancels: venue.cancels, ...prices(venue.quote) };
        venue.restart().look();
        expect({ placed: venue.placed.length, cancels: venue.cancels, ...prices(venue.quote) }).toEqual(before);
      }),
      { seed: 25, numRuns: 60 },
    );
  });

  test('the bought part of a level is offered at the next level while the rest stays bid', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.15, max: 0.85, noNaN: true }), (share) => {
        const venue = started({}).take('bid', share).look().look();
        const [nearest] = venue.quote.asks;
        const bid = venue.quote.bids[0];
        expect((nearest?.size ?? 0) * LOT).toBeCloseTo(venue.position, 3);
        expect(bid?.price).toBe(venue.placed[0]?.price);
        expect(venue.cancels).toBe(0);
      }),
      { seed: 99, numRuns: 30 },
    );
  });

  test('price moves within a level change no order', () => {
    fc.assert(
      fc.property(params, fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 20, maxLength: 60 }), (chosen, tremble) => {
        const venue = started(chosen).look();
        const middle = venue.price;
        const before = venue.placed.length;
        for (const part of tremble) venue.moveTo(middle * (1 + (part * chosen.spacingBps) / 4e4)).look();
        expect([venue.placed.length, venue.cancels, venue.fills.length]).toEqual([before, 0, 0]);
      }),
      { seed: 3, numRuns: 30 },
    );
  });
});
