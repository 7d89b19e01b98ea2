// Places, cancels and settles orders: one signed action for each.
import type { z } from 'zod';
import type { Millis } from '../../base/clock.ts';
import { Recent } from '../../base/collections/recent.ts';
import { type ClientError, orElse } from '../../base/transport/client-error.ts';
import { subjectMismatch, validated } from '../../base/transport/json-request.ts';
import type { CancelOrder, PlaceOrder } from '../../bot/domain/action.ts';
import type { ClientOrderId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import { lots } from '../../bot/domain/numbers.ts';
import type { PlaceReceipt, VenueClient } from '../../bot/exchange/kit/venue-client.ts';
import type { ActionCalls } from '../shared/prepare-unsigned.ts';
import { positiveLotsOf, ticksNear } from '../shared/validate.ts';
import { type HyperliquidAction, withoutZeros } from '../wire/hyperliquid/actions.ts';
import { type Tif, tifOf } from '../wire/hyperliquid/terms.ts';
import { type Actions, refusalOf, unproved } from './requests.ts';
import { SERVER_LAG } from './rules.ts';
import * as shapes from './shapes.ts';
import { cloidOf } from './snapshots.ts';

/** Number of the newest orders whose nonces are kept. An order is settled within seconds. */
const KEPT = 1_000;

export interface HyperliquidOrderCalls extends Pick<ActionCalls, 'place' | 'cancel'> {
  readonly settle: NonNullable<VenueClient['settle']>;
}

export interface FoundStatus {
  readonly status: string;
  /** When the order came to it, in the exchange's time. */
  readonly statusTimestamp: Millis;
}

/** Returns the exchange's status of the order with this id or cloid; undefined if it has none. Rejects with a ClientError. */
export type ReadStatus = (oid: number | string) => Promise<FoundStatus | undefined>;

/** By how much the nonce of a cancel may be ahead of the time of the block that cancels. */
const CLOCKS_APART: Millis = 1_000;

export function ordersOver({ act, nextNonce }: Actions, readStatus: ReadStatus): HyperliquidOrderCalls {
  const nonces = new Recent<ClientOrderId, number>(KEPT);
  /** Rejects unless the order has such a status. A status that cannot be read proves nothing. */
  const requireStatus = async (oid: number | string, isProof: IsProof, error: ClientError): Promise<void> => {
    if (!isProof(await orElse(readStatus(oid), NOT_KNOWN))) throw error;
  };
  return {
    /** Sends one order per action: one that is malformed would refuse the others with it. */
    async place(order, market, { deadAfter, nonce = nextNonce() }) {
      const { clientOrderId } = order;
      const what = `the order ${clientOrderId}`;
      const tif = tifOf(order.fillMode);
      if (tif === undefined) throw refusalOf(what, 'Hyperliquid has no fill-or-kill orders');
      nonces.set(clientOrderId, nonce);
      const signed = { action: placement(order, market, tif), nonce, expiresAfter: deadAfter * 1_000 - SERVER_LAG };
      const answer = await act(signed, { shape: shapes.placed, mismatchIn: aboutOther(cloidOf(clientOrderId)) });
      const [status] = answer.status === 'ok' ? answer.response.data.statuses : [{ error: answer.response }];
      if ('error' in status) {
        // A refusal names no order: on a connection that is out of step it may be the answer to another request.
        await requireStatus(cloidOf(clientOrderId), wasRefused, unproved(what, status.error));
        throw refusalOf(what, status.error);
      }
      return validated('a receipt', () => receiptOf(market, status, order));
    },
    async cancel(order, market, { nonce = nextNonce() }) {
      const what = `the cancel of ${order.clientOrderId}`;
      const answer = await act({ action: cancellation(order, market), nonce }, { shape: shapes.cancelled });
      if (answer.status === 'err') throw refusalOf(what, answer.response);
      const [status] = answer.response.data.statuses;
      if (status !== 'success') throw refusalOf(what, status.error);
      // A success names no order either. The status must show that the order was cancelled after this cancel was sent, not before.
      const error = unproved(what, 'it was answered with a success, and the exchange does not show the order as cancelled since then');
      await requireStatus(idOf(order), (found) => found?.status === 'canceled' && found.statusTimestamp >= nonce - CLOCKS_APART, error);
      return 'cancelled';
    },
    /**
     * Uses up the nonce of the order with an action that does nothing. If it is still unused, no copy of the order can be admitted any more. The exchange
     * says so without naming the nonce, so that the answer could belong to another order's action if both used one connection.
     */
    async settle({ clientOrderId }) {
      const nonce = nonces.get(clientOrderId);
      if (nonce === undefined) return 'unknown';
      const answer = await act({ action: { type: 'noop' }, nonce }, { shape: shapes.done, ownConnection: true });
      if (answer.status === 'ok') return 'absent';
      return answer.response.includes(`duplicate nonce ${nonce}`) ? 'admitted' : 'unknown';
    },
  };
}

const NOT_KNOWN: FoundStatus = { status: 'not known', statusTimestamp: 0 };
type IsProof = (found: FoundStatus | undefined) => boolean;
const wasRefused: IsProof = (found) => found === undefined || /rejected$/i.test(found.status);

/** An answer that names another order belongs to another request. A refusal names none. */
const aboutOther = (own: string) =>
  subjectMismatch('the order', own, (answer: z.output<typeof shapes.placed>) => {
    const [status] = answer.status === 'ok' ? answer.response.data.statuses : [];
    if (status === undefined || 'error' in status) return own;
    const { cloid = own } = 'resting' in status ? status.resting : status.filled;
    return cloid.toLowerCase();
  });

const placement = ({ side, price, size, reduceOnly, clientOrderId }: PlaceOrder, market: Market, tif: Tif): HyperliquidAction => ({
  type: 'order',
  orders: [
    {
      a: market.id,
      b: side === 'bid',
      p: withoutZeros(market.priceText(price)),
      s: withoutZeros(market.sizeText(size)),
      r: reduceOnly === true,
      t: { limit: { tif } },
      c: cloidOf(clientOrderId),
    },
  ],
  grouping: 'na',
});

const idOf = ({ orderId, clientOrderId }: CancelOrder): number | string =>
  orderId === undefined ? cloidOf(clientOrderId) : Number(orderId);

const cancellation = ({ orderId, clientOrderId }: CancelOrder, { id }: Market): HyperliquidAction =>
  orderId === undefined
    ? { type: 'cancelByCloid', cancels: [{ asset: id, cloid: cloidOf(clientOrderId) }] }
    : { type: 'cancel', cancels: [{ a: id, o: Number(orderId) }] };

type Status = Extract<z.output<typeof shapes.placed>, { status: 'ok' }>['response']['data']['statuses'][0];

/** A resting order may have been filled in part, which only its fills show. The level that was taken has the average price, at the nearest tick. */
function receiptOf(market: Market, status: Exclude<Status, { error: string }>, { size }: PlaceOrder): PlaceReceipt {
  if ('resting' in status) return { orderId: status.resting.oid, actionId: status.resting.oid, taken: [], resting: size };
  const { oid, avgPx, totalSz } = status.filled;
  const taken = [{ price: ticksNear(market, avgPx), size: positiveLotsOf(market, totalSz) }];
  return { orderId: oid, actionId: oid, taken, resting: lots(0) };
}
