// A market is traded only while it is open and shows two sides and a price.
import { z } from 'zod';
import { bookFault } from '../../domain/book.ts';
import { gateKind } from '../guard.ts';

const limits = z.strictObject({});

export const marketState = gateKind({
  name: 'market-state',
  limits,
  check: () => (market, world) => {
    const reason = stateFault();
    return reason === undefined ? undefined : { kind: 'hold', reason };

    function stateFault(): string | undefined {
      const info = world.info(market.id)?.value;
      if (info?.frozen === true) return `${market.symbol} is frozen by the exchange`;
      if (info !== undefined && info.index === undefined) return `${market.symbol} has no index price`;
      if (info !== undefined && info.mark === undefined && market.spec.kind === 'perp') return `${market.symbol} has no mark price`;
      const book = world.book(market.id)?.value;
      return book === undefined ? undefined : bookFault(book);
    }
  },
});
