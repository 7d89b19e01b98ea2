// The orders, changes and exposure of a world as short lines.
import { unscale } from '../../../src/base/text/decimal.ts';
import type { Exposure } from '../../../src/bot/world/exposure.ts';
import type { World } from '../../../src/bot/world/world.ts';
import { BTC } from '../world-builder.ts';

/** Our orders with their remaining sizes: `1 open 0.5000`. */
export const reported = (world: World): string[] =>
  world.orders().map(({ clientOrderId, status, remaining }) => `${clientOrderId} ${status} ${BTC.sizeText(remaining)}`);

/** The changes of our orders since the last call, with their remaining sizes: `1 cancelled 0.5000: cancelled by us`. */
export const changes = (world: World): string[] =>
  world
    .takeChanges()
    .map(
      ({ order, status, reason }) =>
        `${order.clientOrderId} ${status} ${BTC.sizeText(order.remaining)}${reason === undefined ? '' : `: ${reason}`}`,
    );

const text = (value: number): string => unscale(value, 4).replace(/0{3}$/, '');

/** `0.0..0.5 bids 1.0 asks 0.0` */
export function exposed(exposure: Exposure): string {
  return `${text(exposure.low)}..${text(exposure.high)} bids ${text(exposure.bids)} asks ${text(exposure.asks)}`;
}
