// Prepares actions for an exchange whose requests are signed when they are sent, or not at all.
import type { CancelOrder, PlaceOrder } from '../../bot/domain/action.ts';
import type { Market } from '../../bot/domain/market.ts';
import { LONGEST_WAIT } from '../../bot/exchange/kit/sending/outgoing.ts';
import type { PlaceReceipt, PreparedAction, VenueClient } from '../../bot/exchange/kit/venue-client.ts';

/** When an order can no longer execute. An exchange that can enforce it gets it with the order. */
export interface ActionExpiry {
  /** Exchange time in seconds, as written ahead. */
  readonly deadAfter: number;
  /** As written ahead; absent if the exchange has none. */
  readonly nonce?: number | undefined;
}

/** The calls of an exchange: each sends one request and rejects with a `ClientError`. */
export interface ActionCalls {
  /** True if the exchange enforces the expiry by its own clock, which is not read at the moment of signing. */
  readonly enforced?: boolean | undefined;
  /** Returns the nonce of the next action, which is written ahead, so that a later process can use higher ones. */
  nextNonce?(this: void): number;
  readonly rules: Pick<VenueClient['rules'], 'orderLife'>;
  place(this: void, order: PlaceOrder, market: Market, expiry: ActionExpiry): Promise<PlaceReceipt | 'accepted'>;
  cancel(this: void, order: CancelOrder, market: Market, expiry: ActionExpiry): Promise<'cancelled' | 'queued'>;
}

/** Seconds by which the latest second may be ahead of the exchange's time, because two times were rounded up. */
const ROUNDING = 2;

/** Returns a `prepare` that signs nothing ahead: each action becomes one call of `place` or `cancel` when it is sent. */
export const prepareUnsigned =
  ({ rules, place, cancel, nextNonce, enforced = false }: ActionCalls): VenueClient['prepare'] =>
  (actions, { latestSecond, marketOf }) => {
    const deadAfter = latestSecond + rules.orderLife;
    const heard = latestSecond - Math.ceil(LONGEST_WAIT / 1_000) - ROUNDING;
    const life = enforced ? (deadAfter - heard) * 1_000 : rules.orderLife * 1_000 + LONGEST_WAIT;
    return actions.map((action): PreparedAction => {
      const { kind, clientOrderId } = action;
      const nonce = nextNonce?.();
      const record = { action: kind, clientOrderId, nonce, ...(kind === 'place' && { deadAfter, ...(enforced && { heard }) }) };
      const market = marketOf(action.market);
      return {
        kind: 'ready',
        action,
        record,
        deadAfter,
        life,
        send: () => (action.kind === 'place' ? place(action, market, { deadAfter, nonce }) : cancel(action, market, { deadAfter, nonce })),
      };
    });
  };
