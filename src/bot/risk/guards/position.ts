// Guard: keeps the worst-case position in a market within its limit, however our orders fill.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import type { Side } from '../../domain/book.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots } from '../../domain/numbers.ts';
import { guardKind, PASS, type ReasonText } from '../guard.ts';
import { lotsFor, priceBand } from '../prices.ts';

const limits = z.strictObject({
  /** Quote money, for each market. */
  maxNotional: amount({ preset: 50_000 }),
});

export const position = guardKind({
  name: 'position',
  monotone: true,
  reads: ['info', 'exposure'],
  limits,
  review:
    ({ maxNotional }) =>
    ({ market, side, price, size, reducing }, circumstances) => {
      if (reducing) return PASS;
      const most = lotsFor({ market, price: priceBand(market, circumstances.world)?.high ?? price, notional: maxNotional });
      const { low, high, bids, asks } = circumstances.exposure(market.id);
      const held = side === 'bid' ? high + bids : asks - low;
      if (held + size <= most) return PASS;
      return {
        kind: 'shrink',
        size: lots(Math.max(0, most - held)),
        reason: tooLarge({ market, side, held: held + size, most, maxNotional }),
      };
    },
});

/** A separate function, so that the closure is created only if needed. */
const tooLarge =
  ({ market, side, held, most, maxNotional }: { market: Market; side: Side; held: number; most: Lots; maxNotional: number }): ReasonText =>
  () =>
    `with all its ${side}s filled the position could reach ${market.sizeText(lots(held))}; the limit of ${maxNotional} is ${market.sizeText(most)}`;
