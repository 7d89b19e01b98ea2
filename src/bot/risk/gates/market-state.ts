// Gate: stops a market that is frozen, has an empty side of the book, or has no price.
import { z } from 'zod';
import { bookFault } from '../../domain/book.ts';
import type { Market } from '../../domain/market.ts';
import type { World } from '../../world/world.ts';
import { gateKind } from '../guard.ts';

const limits = z.strictObject({});

export const marketState = gateKind({
  name: 'market-state',
  limits,
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
