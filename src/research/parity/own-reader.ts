// Collects the orders and fills of a run, or of its backtest, from the turns, so that parity can compare both.
import type { Millis } from '../../base/clock.ts';
import type { Account } from '../../bot/domain/account.ts';
import { NO_TOTALS, type RunTotals } from '../../bot/domain/accounting/run-totals.ts';
import type { Event, OrderOpened, OrderRejected } from '../../bot/domain/event.ts';
import type { ClientOrderId, MarketId } from '../../bot/domain/ids.ts';
import { micros, type Ticks } from '../../bot/domain/numbers.ts';
import type { Fill, Trade } from '../../bot/domain/order.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import {
  type BookPoll,
  clockOffsetOf,
  correctArrivalsByTrades,
  fillReadTimesOf,
  NONE,
  type Poll,
  readTimeOf,
  setArrivals,
  volumeAhead,
} from './arrivals.ts';
import type { DataGap, OwnRecord, RunOrder, TimedFinding } from './own-orders.ts';

/** Reads turns, one by one. `collected` returns the record: orders, fills, and when each of them reached the exchange. */
export class OwnReader {
  readonly #accounts: Poll[] = [];
  readonly #books: BookPoll[] = [];
  readonly #fillPolls: { readonly at: Millis; readonly newest: Millis }[] = [];
  /** Orders that may be in flight or rest. */
  readonly #live = new Set<RunOrder>();
  readonly #orders = new Map<ClientOrderId, RunOrder>();
  readonly #fills = new Map<string, Fill>();
  readonly #publicTrades: Trade[] = [];
  readonly #trips: Millis[] = [];
  /** The shortest time from a public trade (the exchange's clock) to the answer that listed it (the run's clock). */
  #leastLag: Millis = Number.POSITIVE_INFINITY;
  readonly #marks = new Map<MarketId, Ticks>();
  readonly #findings: TimedFinding[] = [];
  readonly #dataGaps: DataGap[] = [];
  readonly #before: RunTotals;
  #totals: RunTotals;
  #start: Account | undefined;
  #turns = 0;
  #first: Millis | undefined;
  #last: Millis = 0;

  readonly #paper: boolean;

  /**
   * `paper`: true for a paper account. Its simulated exchange has the run's clock, and other update numbers than the exchange of the books.
   * `before`: the totals of earlier processes of the run.
   */
  constructor({ paper = false, before = NO_TOTALS }: { readonly paper?: boolean; readonly before?: RunTotals } = {}) {
    this.#before = before;
    this.#totals = before;
    this.#paper = paper;
  }

  /** Call it with each turn, in order. */
  read(turn: Turn): void {
    this.#turns += 1;
    this.#first ??= turn.at;
    this.#last = turn.at;
    this.#totals = turn.totals ?? this.#totals;
    for (const event of turn.events) this.#readEvent(event, turn.at);
    for (const fill of turn.fills) this.#addFill(fill);
    for (const finding of turn.findings) this.#findings.push({ ...finding, at: turn.at });
    for (const action of turn.actions) {
      const trip = { sentAt: turn.at, arrival: turn.at, before: NONE, after: NONE };
      if (action.kind === 'cancel') this.#orders.get(action.clientOrderId)?.cancels.push(trip);
      else this.#addOrder({ ...action, ...trip, ...NEW_ORDER, fills: [], cancels: [] });
    }
  }

  #addOrder(order: RunOrder): void {
    this.#orders.set(order.clientOrderId, order);
    this.#live.add(order);
  }

  /** Returns the record. `actionArrivals`: the arrivals by `actionKey`, if they are known; the clocks are equal then. */
  collected(actionArrivals?: ReadonlyMap<string, Millis>): OwnRecord {
    this.#assignFills();
    const trips = this.#trips.toSorted((a, b) => a - b);
    const roundTrip = trips[trips.length >> 1] ?? 0;
    const sortedFills = [...this.#fills.values()].toSorted((a, b) => a.time - b.time);
    const polls = { account: this.#accounts, books: this.#books };
    const clockOffset =
      actionArrivals !== undefined || this.#paper
        ? 0
        : clockOffsetOf({ fills: sortedFills, orders: this.#orders, polls, leastLag: this.#leastLag });
    const accountReadTimes = this.#accounts.map((poll) => readTimeOf(poll, sortedFills, clockOffset));
    const fillReadTimes = fillReadTimesOf(this.#fillPolls, sortedFills, { roundTrip, clockOffset });
    const times = {
      roundTrip,
      clockOffset,
      accountReadTimes,
      actionArrivals,
      books: this.#books,
      bookReadTime: (poll: Poll) => readTimeOf(poll, sortedFills, clockOffset),
    };
    const own = new Set([...this.#fills.values()].map(({ tradeId }) => tradeId));
    const publiclyListed = new Set(this.#publicTrades.map(({ tradeId }) => tradeId).filter((id) => own.has(id)));
    const others = this.#publicTrades.filter(({ tradeId }) => !own.has(tradeId)).toSorted((a, b) => a.time - b.time);
    for (const order of this.#orders.values()) {
      setArrivals(order, times);
      if (actionArrivals === undefined) correctArrivalsByTrades(order, others, clockOffset);
      order.ahead = volumeAhead(order, others, clockOffset);
    }
    const [turns, first, last] = [this.#turns, this.#first ?? 0, this.#last];
    return {
      orders: this.#orders,
      fills: sortedFills,
      listed: publiclyListed,
      roundTrip,
      clockOffset,
      accountReadTimes,
      fillReadTimes,
      turns,
      first,
      last,
      ...this.#rest(),
    };
  }

  #rest(): Pick<OwnRecord, 'start' | 'marks' | 'funding' | 'profit' | 'findings' | 'dataGaps'> {
    const profit = micros(this.#totals.profit - this.#before.profit);
    return {
      start: this.#start,
      marks: this.#marks,
      funding: micros(this.#totals.funding - this.#before.funding),
      profit,
      findings: this.#findings,
      dataGaps: this.#dataGaps,
    };
  }

  /** Records marks, the first account and gaps in the data. */
  #readState(event: Event): void {
    if (event.kind === 'infoSeen') {
      for (const { market, mark, index = mark } of event.infos) if (index !== undefined) this.#marks.set(market, mark ?? index);
    } else if (event.kind === 'accountSeen') {
      this.#start ??= event.account;
    } else if (event.kind === 'healthSeen' && (event.stream === 'book' || event.stream === 'trades')) {
      const open = this.#dataGaps.findLast(({ market, to }) => market === event.market && to === Number.POSITIVE_INFINITY);
      if (event.healthy && open !== undefined) open.to = event.at;
      if (!event.healthy) this.#dataGaps.push({ market: event.market, from: event.at, to: Number.POSITIVE_INFINITY });
    }
  }

  #readEvent(event: Event, handledAt: Millis): void {
    this.#readState(event);
    if (event.kind === 'bookSeen') {
      const { at, asked, book } = event;
      this.#trips.push(at - asked);
      if (!this.#paper) this.#books.push({ at, asked, updateId: Number(book.updateId), market: book.market });
    } else if (event.kind === 'tradesSeen') this.#readTrades(event);
    else if (event.kind === 'accountSeen') this.#readAccount(event);
    else if (event.kind === 'fillsSeen') this.#fillPolls.push({ at: event.at, newest: Math.max(...event.fills.map(({ time }) => time)) });
    else this.#readAnswer(event, handledAt);
  }

  #readTrades({ at, trades }: Extract<Event, { kind: 'tradesSeen' }>): void {
    for (const trade of trades) {
      this.#publicTrades.push(trade);
      this.#leastLag = Math.min(this.#leastLag, at - trade.time);
    }
  }

  #readAnswer(event: Event, handledAt: Millis): void {
    if (event.kind === 'orderOpened') {
      const { actionId, orderId, taken, resting } = event;
      this.#setAnswer(event, handledAt, (order) => {
        Object.assign(order, { outcome: 'opened', actionId, orderId, taken, resting: resting ?? order.size });
      });
    } else if (event.kind === 'orderRejected') {
      this.#setAnswer(event, handledAt, (order) => Object.assign(order, { outcome: 'rejected', failed: event.error }));
    } else if (event.kind === 'orderUnknown') {
      const order = this.#orders.get(event.clientOrderId);
      if (order !== undefined) {
        order.outcome = 'unknown';
        order.failed = event.reason;
      }
    } else if (event.kind === 'cancelAnswered') {
      const cancel = this.#orders.get(event.clientOrderId)?.cancels.at(-1);
      if (cancel === undefined) return;
      cancel.answeredAt = event.at;
      cancel.handledAt = handledAt;
      if (event.outcome !== 'cancelled' && event.outcome !== 'queued') cancel.failed = event.reason ?? event.outcome;
    }
  }

  /**
   * Sets between which polls of the account an order and its cancel arrived. A poll that shows the order came after its arrival and before its cancel. A poll
   * without the order came before its arrival if the order had no answer yet, or a higher action number than the poll. Otherwise it came after its cancel.
   */
  #readAccount({ at, asked, account }: Extract<Event, { kind: 'accountSeen' }>): void {
    const poll = this.#accounts.length;
    this.#accounts.push({ at, asked, updateId: Number(account.updateId) });
    const shown = new Set(account.orders.flatMap(({ orderId, clientOrderId }) => [orderId, clientOrderId]));
    for (const order of this.#live) {
      const isShown = shown.has(order.clientOrderId) || (order.orderId !== undefined && shown.has(order.orderId));
      const cancel = order.cancels.at(-1);
      if (isShown) {
        if (order.after === NONE) order.after = poll;
        if (cancel !== undefined) cancel.before = poll;
      } else if (order.after === NONE && (order.answeredAt === undefined || Number(order.actionId) > Number(account.updateId)))
        order.before = poll;
      else if (cancel !== undefined && order.answeredAt !== undefined && cancel.after === NONE) cancel.after = poll;
      // answered, and this poll came after it: later polls add nothing
      const isOver = (cancel === undefined ? order.answeredAt : cancel.answeredAt) !== undefined && order.before !== poll;
      if (!isShown && isOver) this.#live.delete(order);
    }
  }

  #setAnswer(event: OrderOpened | OrderRejected, handledAt: Millis, apply: (order: RunOrder) => void): void {
    const order = this.#orders.get(event.clientOrderId);
    if (order === undefined) return;
    order.answeredAt = event.at;
    order.handledAt = handledAt;
    apply(order);
  }

  /** Assigns the fills that were read before the receipt of their order: a taker fill by its action id, a maker fill by its order id. */
  #assignFills(): void {
    for (const [key, fill] of this.#fills) {
      if (fill.clientOrderId !== undefined) continue;
      const { role, actionId, orderId } = fill;
      const order = [...this.#orders.values()].find((one) => (role === 'taker' ? one.actionId === actionId : one.orderId === orderId));
      if (order === undefined) continue;
      const assigned = { ...fill, clientOrderId: order.clientOrderId };
      this.#fills.set(key, assigned);
      order.fills.push(assigned);
    }
  }

  #addFill(fill: Fill): void {
    const key = `${fill.tradeId} ${fill.role}`;
    if (this.#fills.has(key)) return;
    this.#fills.set(key, fill);
    if (fill.clientOrderId !== undefined) this.#orders.get(fill.clientOrderId)?.fills.push(fill);
  }
}

const NEW_ORDER = { outcome: 'unanswered', taken: [], resting: 0, ahead: 0, gone: Number.POSITIVE_INFINITY } as const;
