// Gate: stops a market if index, mark and book differ too much, or if the oracle's confidence interval is wide.
import { z } from 'zod';
import { best } from '../../domain/book.ts';
import { amount } from '../amount.ts';
import { gateKind } from '../guard.ts';
import { percent } from '../prices.ts';

const limits = z.strictObject({
  /** Fractions of the index price. */
  maxConfidence: amount({ preset: 0.01 }),
  maxMarkDistance: amount({ preset: 0.05 }),
  maxBookDistance: amount({ preset: 0.05 }),
});

export const oracle = gateKind({
  name: 'oracle',
  limits,
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
    const failed =
      confidence > most.maxConfidence * index
        ? { what: 'the confidence interval of the index', span: confidence, most: most.maxConfidence }
        : markSpan > most.maxMarkDistance * index
          ? { what: 'the distance of the mark from the index', span: markSpan, most: most.maxMarkDistance }
          : bookSpan > most.maxBookDistance * index
            ? { what: 'the distance of the book from the index', span: bookSpan, most: most.maxBookDistance }
            : undefined;
    if (failed === undefined) return undefined;
    return { kind: 'hold', reason: `${failed.what} is ${percent(failed.span / index)}; at most ${percent(failed.most)} is allowed` };
  },
});
