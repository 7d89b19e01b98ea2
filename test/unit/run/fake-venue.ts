// A venue that a test controls, and a small exchange that outlives the venues of several processes.
import { Subject } from 'rxjs';
import type { Cancel, Clock } from '../../../src/base/clock.ts';
import type { RestingOrder } from '../../../src/bot/domain/account.ts';
import type { Action, PlaceOrder } from '../../../src/bot/domain/action.ts';
import { signOf } from '../../../src/bot/domain/book.ts';
import type { AccountEvent, Event, MarketEvent } from '../../../src/bot/domain/event.ts';
import type { Market } from '../../../src/bot/domain/market.ts';
import { type Lots, lots, type Micros, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Fill } from '../../../src/bot/domain/order.ts';
import type { Feed, Gateway, Venue } from '../../../src/bot/exchange/port.ts';
import { BTC } from '../world-builder.ts';

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
type Unstamped = Without<Event, 'at'>;

const PRICE = 600_000;
const ZERO = 0 as Micros;
const BALANCE = micros(1e11);
const MARGINS = { omf: BALANCE, mf: BALANCE, imf: ZERO, cmf: ZERO, mmf: ZERO, pon: ZERO, pn: ZERO, bankruptcy: false };

const level = (price: number) => [{ price: ticks(price), size: lots(1) }];

export class FakeVenue implements Venue {
  readonly feed: Feed;
  /** Index, mark and the middle of the book, in ticks. */
  price = PRICE;
  readonly gateway: Gateway;
  /** One list for each call of `submit`. */
  readonly submitted: (readonly Action[])[] = [];
  onSubmit: (actions: readonly Action[]) => void = () => undefined;
  readonly #clock: Clock;
  readonly #market = new Subject<MarketEvent>();
  readonly #own = new Subject<AccountEvent>();

  constructor(clock: Clock, markets: readonly Market[] = [BTC]) {
    this.#clock = clock;
    this.feed = { markets, tokens: [], events: this.#market };
    this.gateway = {
      account: 7,
      events: this.#own,
      submit: (actions) => {
        this.submitted.push(actions);
        this.onSubmit(actions);
      },
      close: () => Promise.resolve(),
    };
  }

  /** True while a run listens. */
  get isObserved(): boolean {
    return this.#own.observed;
  }

  report(event: Unstamped, at = this.#clock.now()): void {
    this.#own.next({ ...event, at } as AccountEvent);
  }

  break(error: Error): void {
    this.#own.error(error);
  }

  /** Reports the time, the index and the book, so that the market can be traded. */
  fresh(): void {
    const asked = this.#clock.now();
    this.report({ kind: 'timeSeen', asked, engineSeconds: Math.floor(asked / 1_000) });
    this.report({ kind: 'infoSeen', asked, infos: [{ market: 0, index: ticks(this.price), mark: ticks(this.price), frozen: false }] });
    this.report({ kind: 'bookSeen', asked, book: { market: 0, updateId: '1', bids: level(this.price - 1), asks: level(this.price + 1) } });
  }

  account({ orders = [], position = 0, updateId }: { orders?: readonly RestingOrder[]; position?: number; updateId: number }): void {
    const held = { market: 0, size: position as Lots, tradingPnl: ZERO, fundingPaymentPnl: ZERO, actionId: String(updateId) };
    const positions = position === 0 ? [] : [held];
    const account = { id: 7, updateId: String(updateId), balances: [], positions, orders, margins: MARGINS };
    this.report({ kind: 'accountSeen', asked: this.#clock.now(), account });
  }
}

/** Accepts every order and every cancel after 20 ms, and reports everything every 500 ms. */
export class SmallExchange {
  readonly #clock: Clock;
  readonly placed: PlaceOrder[] = [];
  readonly #resting = new Map<string, RestingOrder>();
  readonly #trades: Omit<Fill, 'time'>[] = [];
  /** The number of trades that were reported, to all processes together. */
  #reported = 0;
  #actions = 0;
  #position: number;
  /** In ticks. */
  price = PRICE;
  #venue: FakeVenue | undefined;
  #poll: Cancel = () => undefined;

  /** `held`: the position of the account before anything is traded, in signed lots. */
  constructor(clock: Clock, { held = 0 }: { readonly held?: number } = {}) {
    this.#clock = clock;
    this.#position = held;
  }

  /** Returns a venue for another process. The venue before it is disconnected. */
  venue(): FakeVenue {
    const venue = new FakeVenue(this.#clock);
    const showAll = (): void => {
      const asked = this.#clock.now();
      venue.price = this.price;
      venue.fresh();
      venue.account({ orders: [...this.#resting.values()], position: this.#position, updateId: this.#actions });
      venue.report({ kind: 'fillsSeen', asked, fills: this.#trades.slice(this.#reported).map((trade) => ({ ...trade, time: asked })) });
      this.#reported = this.#trades.length;
      this.#poll = this.#clock.at(asked + 500, showAll);
    };
    venue.onSubmit = (actions) => {
      for (const action of actions) this.#clock.at(this.#clock.now() + 20, () => this.#execute(action, venue));
    };
    this.disconnect();
    this.#venue = venue;
    this.#poll = this.#clock.at(this.#clock.now() + 1, showAll);
    return venue;
  }

  disconnect(): void {
    this.#poll();
    this.#venue = undefined;
  }

  /** Sides, prices and sizes of the resting orders. */
  get resting(): string[] {
    return [...this.#resting.values()].map(({ side, price, size }) => `${side} ${BTC.priceText(price)}@${BTC.sizeText(size)}`).sort();
  }

  fill(side: 'bid' | 'ask'): void {
    const order = [...this.#resting.values()].find((candidate) => candidate.side === side);
    if (order === undefined) throw new Error(`no ${side} rests`);
    this.#actions += 1;
    this.#resting.delete(order.orderId);
    this.#position += signOf(side) * order.size;
    const { orderId, price, size } = order;
    const tradeId = `t${this.#trades.length}`;
    this.#trades.push({
      tradeId,
      actionId: String(this.#actions),
      market: 0,
      side,
      price,
      size,
      role: 'maker',
      fee: micros(1_000),
      orderId,
    });
  }

  #execute(action: Action, venue: FakeVenue): void {
    this.#actions += 1;
    const actionId = String(this.#actions);
    const { clientOrderId } = action;
    if (action.kind === 'cancel') {
      const outcome = this.#resting.delete(action.orderId) ? 'cancelled' : 'notFound';
      if (venue === this.#venue) venue.report({ kind: 'cancelAnswered', clientOrderId, outcome });
      return;
    }
    this.placed.push(action);
    const orderId = `x${actionId}`;
    const { market, side, price, size } = action;
    this.#resting.set(orderId, { orderId, clientOrderId, market, side, price, size, originalSize: size });
    if (venue === this.#venue) venue.report({ kind: 'orderOpened', clientOrderId, actionId, orderId, taken: [], resting: size });
  }
}
