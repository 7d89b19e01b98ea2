// The latency of each action: measured for the same action of the run, else the run's median.
import type { Millis } from '../../base/clock.ts';
import { groupBy } from '../../base/collections/lists.ts';
import type { Action, CancelOrder, PlaceOrder } from '../../bot/domain/action.ts';
import type { ClientOrderId } from '../../bot/domain/ids.ts';
import type { Delay } from '../backtest/recorded-run-venue.ts';
import type { ActionTrip, OwnRecord, RunOrder } from './own-orders.ts';

/** Maximum time difference between an order of the run and the same order as decided now. Everything else must be equal. */
const NEAR: Millis = 1_000;

export class MeasuredTrips {
  /** The orders of the run that are not paired yet, by their terms. */
  readonly #unpaired: Map<string, RunOrder[]>;
  /** The order of the run, by the id of the same order as decided now. */
  readonly #same = new Map<ClientOrderId, RunOrder>();
  readonly #median: { readonly place: Delay; readonly cancel: Delay };

  constructor({ orders, roundTrip }: Pick<OwnRecord, 'orders' | 'roundTrip'>) {
    const all = [...orders.values()];
    this.#unpaired = groupBy(all, keyOf);
    this.#median = {
      place: medianOf(all, roundTrip),
      cancel: medianOf(
        all.flatMap(({ cancels }) => cancels),
        roundTrip,
      ),
    };
  }

  of(action: Action, now: Millis): Delay {
    return action.kind === 'place' ? this.#ofPlace(action, now) : this.#ofCancel(action, now);
  }

  #ofPlace(action: PlaceOrder, now: Millis): Delay {
    const list = this.#unpaired.get(keyOf(action)) ?? [];
    let [nearest, least] = [-1, NEAR];
    for (const [index, { sentAt }] of list.entries()) {
      const distance = Math.abs(sentAt - now);
      const isNearer = nearest < 0 ? distance <= least : distance < least;
      if (isNearer) [nearest, least] = [index, distance];
    }
    const [order] = nearest < 0 ? [] : list.splice(nearest, 1);
    if (order === undefined) return this.#median.place;
    this.#same.set(action.clientOrderId, order);
    return delayOf(order) ?? this.#median.place;
  }

  #ofCancel({ clientOrderId }: CancelOrder, now: Millis): Delay {
    const cancels = this.#same.get(clientOrderId)?.cancels ?? [];
    const same = cancels.find(({ sentAt }) => Math.abs(sentAt - now) <= NEAR);
    return (same && delayOf(same)) ?? this.#median.cancel;
  }
}

const keyOf = ({ market, side, price, size, fillMode }: Pick<PlaceOrder, 'market' | 'side' | 'price' | 'size' | 'fillMode'>): string =>
  [market, side, price, size, fillMode].join(' ');

const delayOf = ({ sentAt, arrival, handledAt }: ActionTrip): Delay | undefined =>
  handledAt === undefined ? undefined : { there: arrival - sentAt, back: handledAt - arrival };

function medianOf(trips: readonly ActionTrip[], roundTrip: Millis): Delay {
  const delays = trips.map(delayOf).filter((delay) => delay !== undefined);
  const middle = (part: keyof Delay): Millis =>
    delays.map((delay) => delay[part]).toSorted((a, b) => a - b)[delays.length >> 1] ?? roundTrip / 2;
  return { there: middle('there'), back: middle('back') };
}
