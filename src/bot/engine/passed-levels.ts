// Finds post-only levels that the market has passed: the exchange refuses their orders again and again, because they would trade at once.
import type { OrderIntent } from '../domain/intent.ts';
import { SIDES } from '../domain/side.ts';
import type { Rejection } from '../risk/guard.ts';
import type { World } from '../world/world.ts';

/** Fewer refusals of one level are ordinary: the market moves while an order is under way. */
const MANY = 3;
const NONE: readonly Rejection[] = [];

/** Returns one finding for each side of a market with a wanted level that was refused three times. */
export function passedLevels(intents: readonly OrderIntent[], world: World): readonly Rejection[] {
  let found: Rejection[] | undefined;
  for (const quote of intents) {
    if (quote.kind !== 'quote' || quote.fillMode !== 'POST_ONLY') continue;
    const { market } = quote;
    for (const side of SIDES) {
      for (const { price } of side === 'bid' ? quote.bids : quote.asks) {
        const times = world.holdback.timesPassed({ market, side, price });
        if (times < MANY) continue;
        found ??= [];
        found.push({
          guard: 'post-only',
          market,
          side,
          verdict: 'hold',
          reason: () => reasonOf(world.market(market).priceText(price), times),
        });
        break;
      }
    }
  }
  return found ?? NONE;
}

const reasonOf = (price: string, times: number): string =>
  `the exchange refused ${times} orders at ${price} because they would have traded at once: the market has passed this price. ` +
  'With postOnly: false in quote() the order takes what is offered there';
