// Gates of a market's own data: frozen, without a price or a side of the book, or with prices that differ too much.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { best, bookFault } from '../../domain/book.ts';
import type { Market } from '../../domain/market.ts';
import type { World } from '../../world/world.ts';
import { type Gate, gateKind } from '../guard.ts';
import { percent } from '../prices.ts';

/** Stops a market that is frozen, has an empty side of the book, or has no price. */
export const marketState = gateKind({
  name: 'market-state',
  limits: z.strictObject({}),
  passesUntil: () => () => Infinity,
  check: () => (market, world) => {
    const reason = stateFault(market, world);
    return reason === undefined ? undefined : { kind: 'hold', reason };
  },
});

function stateFault({ id, symbol, spec }: Market, world: World): string | undefined {
  const info = world.info(id)?.value;
  if (info?.frozen === true) return `${symbol} is frozen by the exchange`;
  if (info !== undefined && info.index === undefined) return `${symbol} has no index price`;
  if (info !== undefined && info.mark === undefined && spec.kind === 'perp') return `${symbol} has no mark price`;
  const book = world.book(id)?.value;
  return book === undefined ? undefined : bookFault(book);
}

const oracleLimits = z.strictObject({
  /** Fractions of the index price. */
  maxConfidence: amount({ preset: 0.01 }),
  maxMarkDistance: amount({ preset: 0.05 }),
  maxBookDistance: amount({ preset: 0.05 }),
});

/** Stops a market if index, mark and book differ too much, or if the oracle's confidence interval is wide. Missing prices: `marketState`. */
export const oracle = gateKind({
  name: 'oracle',
  limits: oracleLimits,
  passesUntil: () => () => Infinity,
  check: (most) => (market, world) => {
    const info = world.info(market.id)?.value;
    const index = info?.index;
    if (info === undefined || index === undefined) return undefined; // other gates report missing data
    const book = world.book(market.id)?.value;
    const bid = book === undefined ? undefined : best(book, 'bid')?.price;
    const ask = book === undefined ? undefined : best(book, 'ask')?.price;
    const mid = bid === undefined || ask === undefined ? index : (bid + ask) / 2;
    const confidence = info.indexConf ?? 0;
    const markSpan = Math.abs((info.mark ?? index) - index);
    const bookSpan = Math.abs(mid - index);
    if (confidence > most.maxConfidence * index)
      return hold('the confidence interval of the index', confidence / index, most.maxConfidence);
    if (markSpan > most.maxMarkDistance * index)
      return hold('the distance of the mark from the index', markSpan / index, most.maxMarkDistance);
    if (bookSpan > most.maxBookDistance * index)
      return hold('the distance of the book from the index', bookSpan / index, most.maxBookDistance);
    return undefined;
  },
});

const hold = (what: string, found: number, most: number): ReturnType<Gate['check']> => ({
  kind: 'hold',
  reason: `${what} is ${percent(found)}; at most ${percent(most)} is allowed`,
});
