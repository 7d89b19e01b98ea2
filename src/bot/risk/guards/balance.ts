// Guard: limits spot orders to the account's balance; nothing is borrowed.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, type Ticks, toDecimal } from '../../domain/numbers.ts';
import type { World } from '../../world/world.ts';
import { type Candidate, type Circumstances, guardKind, PASS } from '../guard.ts';
import { lotsFor, priceBand } from '../prices.ts';

const limits = z.strictObject({
  /** Fraction reserved for fees if the account's own fee rate is unknown. */
  reserve: amount({ preset: 0.001, max: 1 }),
});

export const balance = guardKind({
  name: 'balance',
  markets: 'spot',
  reads: ['account', 'info', 'orders', 'exposure'],
  limits,
  review:
    ({ reserve }) =>
    ({ market, side, price, size, standing }, circumstances) => {
      const most =
        side === 'bid'
          ? lotsFor({ market, price, notional: freeQuote({ market, price, standing, reserve }, circumstances) })
          : freeBase(market, circumstances);
      if (size <= most) return PASS;
      return {
        kind: 'shrink',
        size: most,
        reason: () => `${market.sizeText(size)} is more than the free balance covers (${market.sizeText(most)})`,
      };
    },
});

/** Returns the base tokens that are certainly held, minus those already offered. Fees are charged in the quote token. */
function freeBase({ id }: Market, circumstances: Circumstances): Lots {
  const { low, asks } = circumstances.exposure(id);
  return lots(Math.max(0, low - asks));
}

/** Returns the quote money that is not committed to orders or recent trades in spot markets of the same quote token. */
function freeQuote(
  { market, price, standing, reserve }: Pick<Candidate, 'market' | 'price' | 'standing'> & { reserve: number },
  circumstances: Circumstances,
): number {
  const { world } = circumstances;
  const { quoteTokenId } = market.spec;
  const held = world.account?.value.balances.find(({ tokenId }) => tokenId === quoteTokenId)?.amount ?? 0;
  let committed = 0;
  for (const other of world.markets.values()) {
    if (other.spec.kind !== 'spot' || other.spec.quoteTokenId !== quoteTokenId) continue;
    const costOf = (at: Ticks, whole: Lots): number => toDecimal(other.notional(at, whole));
    const high = priceBand(other, world)?.high ?? (other === market ? price : undefined);
    if (high !== undefined) committed += costOf(high, boughtSince(other, world));
    for (const order of circumstances.own(other.id))
      if (order.side === 'bid' && order !== standing) committed += costOf(order.price, order.remaining);
    for (const order of world.foreignOrders(other.id)) if (order.side === 'bid') committed += costOf(order.price, order.size);
  }
  return Math.max(0, held * (1 - (world.account?.value.feeRate ?? reserve)) - committed);
}

/** Returns the lots that may have been bought and are not in the balances yet. Unanswered orders are excluded: they count as orders. */
function boughtSince({ id }: Market, world: World): Lots {
  const unanswered = world.orders(id).filter(({ side, status }) => side === 'bid' && status === 'unknown');
  const { high } = world.exposure(id);
  return lots(unanswered.reduce((sum, { remaining }) => sum - remaining, high - (world.position(id)?.size ?? 0)));
}
