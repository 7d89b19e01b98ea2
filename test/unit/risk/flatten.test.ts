// The closing order of the mode flatten has a price that its market takes.
import { expect, test } from 'vitest';
import { lots, type Ticks, ticks } from '../../../src/bot/domain/numbers.ts';
import { flattening } from '../../../src/bot/risk/flatten.ts';
import type { World } from '../../../src/bot/world/world.ts';
import { marketOf } from '../world-builder.ts';

const levels = (price: number) => [{ price: ticks(price), size: lots(5) }];

/** Returns the limit price of the order that closes a position. The best prices are 60,147.00 and 60,150.00. */
function limitFor(held: number, priceFigures?: number): Ticks | undefined {
  const market = marketOf({ priceDecimals: 2, priceFigures });
  const book = { market: 0, updateId: '1', bids: levels(6_014_700), asks: levels(6_015_000) };
  const world = { orders: () => [], markets: new Map([[0, market]]), held: () => held, book: () => ({ value: book }) };
  const [intent] = flattening(world as unknown as World);
  return intent?.kind === 'target' ? intent.limit : undefined;
}

test('it is rounded to the passive side if significant figures are limited', () => {
  expect([limitFor(-3), limitFor(3)]).toEqual([6_027_030, 6_002_671]);
  expect([limitFor(-3, 5), limitFor(3, 5)]).toEqual([6_027_000, 6_002_700]);
});
