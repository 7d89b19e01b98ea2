// Estimates when each order and cancel of a run reached the exchange (its arrival), and when each poll read the exchange (its read time). The estimate is
// half a round trip before the answer, moved into the interval that the polls and the fills allow.
import type { Millis } from '../../base/clock.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import type { Fill, Trade } from '../../bot/domain/order.ts';
import { actionKey } from '../backtest/recorded-run-venue.ts';
import type { ActionTrip, OwnRecord, RunOrder } from './own-orders.ts';

/** A poll, which shows the exchange at one time between request and answer. */
export interface Poll {
  readonly asked: Millis;
  readonly at: Millis;
  /** The exchange's update number; NaN if it has none. */
  readonly updateId: number;
}

export interface BookPoll extends Poll {
  readonly market: MarketId;
}

/** The index that stands for no poll of the account. */
export const NONE = -1;

export interface Times extends Pick<OwnRecord, 'roundTrip' | 'clockOffset' | 'accountReadTimes'> {
  /** All polls of books, in the order of their answers. */
  readonly books: readonly BookPoll[];
  readonly bookReadTime: (poll: Poll) => Millis;
  /** The arrivals by `actionKey`, if they are known and need no estimate. */
  readonly actionArrivals?: ReadonlyMap<string, Millis> | undefined;
}

/** Milliseconds between two times of which one must be the later; less than the exchange's resolution of 1 ms. */
const LEAST_STEP: Millis = 0.25;

interface Evidence {
  readonly fills: readonly Fill[];
  readonly orders: OwnRecord['orders'];
  readonly polls: { readonly account: readonly Poll[]; readonly books: readonly BookPoll[] };
  /** The shortest time from any trade to the answer that showed it. */
  readonly leastLag: Millis;
}

/**
 * Returns the offset to add to the exchange's times to get the run's clock. A fill came after its order was sent, after the polls that do not contain
 * it, and before those that do. Of the offsets that satisfy all of these, the one closest to 0 is used: 0 if the clocks may be equal.
 */
export function clockOffsetOf({ fills, orders, polls, leastLag }: Evidence): Millis {
  let [from, until]: [Millis, Millis] = [Number.NEGATIVE_INFINITY, leastLag];
  for (const { time, actionId, clientOrderId, market } of fills) {
    const sentAt = clientOrderId === undefined ? undefined : orders.get(clientOrderId)?.sentAt;
    if (sentAt !== undefined) from = Math.max(from, sentAt - time);
    const action = Number(actionId);
    if (!(action > 0)) continue;
    for (const list of [polls.account, polls.books.filter((poll) => poll.market === market)]) {
      const after = firstBy(list, ({ updateId }) => updateId >= action);
      const [last, next] = [list[after - 1], list[after]];
      if (last !== undefined && last.updateId > 0) from = Math.max(from, last.asked - time);
      if (next !== undefined && next.updateId > 0) until = Math.min(until, next.at - time);
    }
  }
  if (from > until) return (from + until) / 2;
  return Math.max(from, Math.min(0, until));
}

/** Returns when a poll of the account or of a book read the exchange: in the middle of its duration, after its fills, before later ones. */
export function readTimeOf({ asked, at, updateId }: Poll, fills: readonly Fill[], clockOffset: Millis): Millis {
  let [from, until] = [asked, at];
  if (updateId > 0) {
    for (let index = firstAfter(fills, asked - clockOffset - 1); index < fills.length; index++) {
      const { time, actionId } = fills[index]!;
      const local = time + clockOffset;
      if (local > at) break;
      if (Number(actionId) <= updateId) from = Math.max(from, local);
      else until = Math.min(until, local - LEAST_STEP);
    }
  }
  return Math.max(asked, Math.min(Math.max((asked + at) / 2, from), until));
}

/**
 * Returns when each poll of our fills read the exchange: half a round trip before its answer, but after the newest fill that it or an earlier poll
 * contains, and before the next fill.
 */
export function fillReadTimesOf(
  rounds: readonly { readonly at: Millis; readonly newest: Millis }[],
  fills: readonly Fill[],
  { roundTrip, clockOffset }: Pick<OwnRecord, 'roundTrip' | 'clockOffset'>,
): readonly Millis[] {
  let seen = Number.NEGATIVE_INFINITY;
  return rounds.map(({ at, newest }) => {
    seen = Math.max(seen, newest);
    const next = fills[firstAfter(fills, seen)]?.time ?? Number.POSITIVE_INFINITY;
    return Math.min(at, Math.max(Math.min(at - roundTrip / 2, next + clockOffset - LEAST_STEP), seen + clockOffset));
  });
}

/**
 * Sets when an order and its cancels reached the exchange, and when the order left the book. The estimate is half a round trip before the answer. It is
 * moved so that it is not before sending, agrees with the polls that showed the order or did not, and has all maker fills between order and cancel.
 */
export function setArrivals(order: RunOrder, times: Times): void {
  const local = ({ time }: Fill): Millis => time + times.clockOffset;
  const makerFillTimes = order.fills.filter(({ role }) => role === 'maker').map(local);
  const { clientOrderId } = order;
  order.arrival = times.actionArrivals?.get(actionKey({ kind: 'place', clientOrderId })) ?? estimatedArrival(order, times, makerFillTimes);
  const cancelled = times.actionArrivals?.get(actionKey({ kind: 'cancel', clientOrderId }));
  for (const cancel of order.cancels) cancel.arrival = cancelled ?? Math.max(arrivalOf(cancel, times), ...makerFillTimes);
  const filled = order.fills.reduce((sum, { size }) => sum + size, 0);
  const cancel = order.cancels.findLast(({ failed, answeredAt }) => failed === undefined && answeredAt !== undefined);
  if (order.outcome === 'rejected') order.gone = order.arrival;
  else if (filled >= order.size) order.gone = Math.max(order.arrival, ...order.fills.map(local));
  else if (cancel !== undefined) order.gone = cancel.arrival;
  else if (order.outcome === 'opened' && order.resting === 0) order.gone = order.arrival;
}

function estimatedArrival(order: RunOrder, times: Times, makerFillTimes: readonly Millis[]): Millis {
  const [from, until] = arrivalBounds(order, times);
  const likely = Math.max(from, Math.min(arrivalOf(order, times), until));
  return Math.max(order.sentAt, Math.min(likely, Math.min(...makerFillTimes) - 1));
}

/**
 * Returns the interval in which an order arrived, from the update numbers of books. A book with a lower number than the order was read before it arrived, any
 * other after it.
 */
function arrivalBounds(
  { actionId, market, sentAt, answeredAt }: RunOrder,
  { books, bookReadTime }: Times,
): readonly [from: Millis, until: Millis] {
  const placed = Number(actionId);
  let [from, until]: [Millis, Millis] = [sentAt, Number.POSITIVE_INFINITY];
  if (!(placed > 0) || answeredAt === undefined) return [from, until];
  for (let index = firstBy(books, (poll) => poll.at > sentAt); index < books.length; index++) {
    const poll = books[index]!;
    if (poll.asked > answeredAt) break;
    if (poll.market !== market || !(poll.updateId > 0)) continue;
    if (poll.updateId < placed) from = Math.max(from, bookReadTime(poll) + LEAST_STEP);
    else until = Math.min(until, bookReadTime(poll) - LEAST_STEP);
  }
  return [from, Math.min(until, answeredAt)];
}

/** Returns the estimate from the action's own answer and the polls of the account. */
function arrivalOf({ sentAt, answeredAt, before, after }: ActionTrip, { roundTrip, accountReadTimes }: Times): Millis {
  const latest = answeredAt ?? sentAt + roundTrip;
  const earliest = Math.max(sentAt, before === NONE ? sentAt : accountReadTimes[before]! + LEAST_STEP);
  const likely = Math.max(earliest, Math.floor(latest - roundTrip / 2));
  const until = after === NONE ? latest : accountReadTimes[after]! - LEAST_STEP;
  return Math.max(sentAt, Math.min(likely, until, latest));
}

/**
 * Corrects the arrivals of an order and its cancel by trades of others beyond the order's price: if the order had rested, it would have been filled
 * first. So such a trade came before the order or after its cancel. `trades` are in the order of their times.
 */
export function correctArrivalsByTrades(order: RunOrder, trades: readonly Trade[], clockOffset: Millis): void {
  if (order.outcome !== 'opened' || order.resting === 0) return;
  const cancel = order.cancels.findLast(({ failed, answeredAt }) => failed === undefined && answeredAt !== undefined);
  const placed = order.answeredAt ?? order.arrival;
  for (let at = firstAfter(trades, order.arrival - clockOffset - 1); at < trades.length; at++) {
    const { market, price, takerSide, time } = trades[at]!;
    const local = time + clockOffset;
    if (local > Math.min(order.gone, cancel?.arrival ?? order.gone)) return;
    if (market !== order.market || takerSide === order.side || (order.side === 'bid' ? price >= order.price : price <= order.price))
      continue;
    const hasFill = order.fills.some((fill) => fill.time <= time);
    if (local <= placed && !hasFill) order.arrival = Math.max(order.arrival, Math.min(local + LEAST_STEP, placed));
    else if (cancel !== undefined && local >= cancel.sentAt) {
      cancel.arrival = Math.max(cancel.sentAt, local - LEAST_STEP);
      order.gone = cancel.arrival;
      return;
    }
  }
}

/** Returns the size that others traded at the price of a resting order before its first fill. */
export function volumeAhead(order: RunOrder, trades: readonly Trade[], clockOffset: Millis): number {
  if (order.outcome !== 'opened' || order.resting === 0) return 0;
  const first = order.fills.find(({ role }) => role === 'maker');
  const [from, until] = [order.arrival - clockOffset, Math.min(first?.time ?? Number.POSITIVE_INFINITY, order.gone - clockOffset)];
  let sum = 0;
  for (let at = firstAfter(trades, from); at < trades.length && trades[at]!.time <= until; at++) {
    const { market, takerSide, price, size, time, tradeId } = trades[at]!;
    const isLater = first !== undefined && time === first.time && Number(tradeId) > Number(first.tradeId);
    if (market === order.market && price === order.price && takerSide !== order.side && !isLater) sum += size;
  }
  return sum;
}

/** Returns the index of the first item after a time. */
const firstAfter = (items: readonly { readonly time: Millis }[], time: Millis): number => firstBy(items, (item) => item.time > time);

/** Returns the index of the first item that passes a test that all later items pass. */
function firstBy<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
