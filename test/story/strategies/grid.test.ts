// The grid strategy, step by step.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { testTools } from '../../../src/research/testing/tools.ts';
import grid from '../../../strategies/grid.ts';
import { ToyVenue } from '../../unit/strategy/toy-venue.ts';

/** Levels 30 apart, at round prices. */
const ROUND = { spacing: 'arithmetic', spacingBps: 5, levels: 2, recentreBps: 20, notional: 600, maxPositionNotional: 1_800 };

const started = (changes: Partial<typeof grid.defaults> = {}) =>
  new ToyVenue(grid, { price: 60_000, params: { ...ROUND, ...changes } }).look();
const restingOrders = (venue: ReturnType<typeof started>) => [venue.resting('bid'), venue.resting('ask')];

describe('a grid', () => {
  test('rests around the market and answers each fill one level back', () => {
    const venue = started();
    expect(restingOrders(venue)).toEqual([
      [59_940, 59_970],
      [60_030, 60_060],
    ]);
    venue.moveTo(59_969).look();
    expect(venue.position).toBe(0.01);
    expect(restingOrders(venue)).toEqual([
      [59_910, 59_940],
      [60_000, 60_030],
    ]);
    venue.moveTo(60_001).look();
    expect(venue.position).toBe(0);
    expect(restingOrders(venue)).toEqual([
      [59_940, 59_970],
      [60_030, 60_060],
    ]);
    expect(venue.fills.map(({ side, price }) => [side, price])).toEqual([
      ['bid', 599_700],
      ['ask', 600_000],
    ]);
  });

  test('does not repeat a filled bid when the fill is reported before the account', () => {
    const venue = started();
    venue.moveTo(59_969).look({ fillsFirst: true });
    expect(restingOrders(venue)).toEqual([
      [59_910, 59_940],
      [60_000, 60_030],
    ]);
    expect([venue.placed.length, venue.cancels]).toEqual([6, 1]);
  });

  test('sells the purchase of a short price drop, although the market has already recovered', () => {
    const venue = started().moveTo(59_969).moveTo(59_995).look();
    expect(restingOrders(venue)).toEqual([
      [59_910, 59_940],
      [60_000, 60_030],
    ]);
  });

  test('treats a level that is almost filled as filled', () => {
    const venue = started().take('bid', 0.95).moveTo(59_971).look().look();
    expect(restingOrders(venue)).toEqual([
      [59_910, 59_940],
      [60_000, 60_030],
    ]);
  });

  test('stops bidding at its limit and follows the market away from there', () => {
    const venue = started();
    for (const price of [59_969, 59_939, 59_909]) venue.moveTo(price).look();
    expect(venue.position).toBe(0.03);
    expect(restingOrders(venue)).toEqual([[], [59_940, 59_970]]);
    venue.moveTo(59_861).look();
    expect(restingOrders(venue)).toEqual([[], [59_940, 59_970]]);
    venue.moveTo(59_821).look();
    expect(restingOrders(venue)).toEqual([[], [59_850, 59_880]]);
    venue.moveTo(59_851).look();
    expect(restingOrders(venue)).toEqual([[59_820], [59_880, 59_910]]);
  });

  test('stays within its range', () => {
    const venue = started({ lower: 59_950, upper: 60_020, levels: 5 });
    const [bids, asks] = restingOrders(venue);
    expect([bids?.length, asks?.length]).toEqual([2, 0]);
    venue.moveTo(58_000).look();
    expect(venue.position).toBe(0.02);
    expect(Math.min(...venue.resting('ask'))).toBeGreaterThan(59_950);
    expect(Math.max(...venue.resting('ask'))).toBeLessThan(60_020);
  });

  test('has levels at least two ticks apart', () => {
    const { bids, asks } = started({ spacingBps: 0.001 }).quote;
    expect([...asks, ...bids].map(({ price }) => price - 600_000)).toEqual([2, 4, -2, -4]);
  });

  test('is centred at the market price of the first possible send', () => {
    const venue = new ToyVenue(grid, { price: 60_000, params: ROUND });
    venue.refuses = () => true;
    venue.look().wait(5_000).moveTo(60_031);
    venue.refuses = () => false;
    venue.look().wait(5_000).look();
    expect(restingOrders(venue)).toEqual([
      [59_970, 60_000],
      [60_060, 60_090],
    ]);
  });

  test('continues after a restart, also during a fill', () => {
    const venue = started().take('bid', 0.4).look().look();
    const before = [...restingOrders(venue), venue.placed.length, venue.cancels];
    venue.restart().look();
    expect([...restingOrders(venue), venue.placed.length, venue.cancels]).toEqual(before);
  });

  test('finds its centre between the remaining orders after fills during a restart', () => {
    const venue = started().moveTo(59_969).wait(2_000).restart().look();
    expect(restingOrders(venue)).toEqual([
      [59_910, 59_940],
      [60_000, 60_030],
    ]);
  });

  test('keeps trading with default parameters in a market that moves by one per cent', () => {
    const venue = new ToyVenue(grid, { price: 60_000 }).look();
    for (let ms = 0; ms < 75_000; ms += 250) {
      venue.moveTo(60_000 * (1 + 0.005 * Math.sin((2 * Math.PI * ms) / 60_000)));
      if (ms % 500 === 0) venue.look();
    }
    expect(venue.placed.length).toBeGreaterThan(60);
    for (const side of ['bid', 'ask'] as const) expect(venue.fills.filter((fill) => fill.side === side).length).toBeGreaterThan(10);
    expect(venue.cancels).toBeLessThan(venue.placed.length);
  });

  test.each([
    [{ lower: 100 }, 'lower 100 and upper 0 are not a range'],
    [{ lower: 100, upper: 100 }, 'lower 100 and upper 100 are not a range'],
    [{ maxPositionNotional: 100 }, 'maxPositionNotional 100 is less than one order of notional 500'],
  ])('refuses %o', (changes, message) => {
    const create = () => grid.create({ ...grid.defaults, ...changes }, testTools());
    expect(create).toThrow(UserError);
    expect(create).toThrow(message);
  });
});
