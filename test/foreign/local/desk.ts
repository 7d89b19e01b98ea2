// The desk of the process: orders of its one account are placed, changed and cancelled here, by their ids and by the client's.
import type { Account, Order } from '../accounts.ts';
import { type Placed, Refused } from '../deals.ts';
import type { Floor } from '../floor.ts';
import type { Listing } from '../market.ts';
import { nameOf } from './names.ts';
import { Problem, Silence } from './problem.ts';
import type { ProcessSettings } from './settings.ts';
import { fillModeOf, NO_FLAGS, type Wanted } from './wanted.ts';

/** One thing that the desk was asked to do, and what became of it. */
export interface LoggedCommand {
  /** Engine milliseconds. */
  readonly at: number;
  readonly kind: 'place' | 'modify' | 'cancel';
  /** As understood here: prices in ticks, sizes in lots. */
  readonly fields: Readonly<Record<string, string | number | bigint | boolean | undefined>>;
  /** `accepted`, or why not. */
  readonly outcome: string;
  readonly replyLost: boolean;
}

/** What came of a wanted order: what it filled is in lots. */
export interface Placement extends Placed {
  readonly wanted: Wanted;
  readonly actionId: bigint;
  readonly at: number;
  readonly filled: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class Desk {
  readonly log: LoggedCommand[] = [];
  readonly #floor: Floor;
  readonly #account: Account;
  readonly #settings: ProcessSettings;
  readonly #nextId: () => bigint;
  readonly #now: () => number;
  readonly #clientIds = new Map<bigint, string>();
  /** Cancels on their way, the first to arrive first. */
  readonly #leaving = new Map<Order, number>();

  constructor(given: { floor: Floor; account: Account; settings: ProcessSettings; nextId: () => bigint; now: () => number }) {
    this.#floor = given.floor;
    this.#account = given.account;
    this.#settings = given.settings;
    this.#nextId = given.nextId;
    this.#now = given.now;
  }

  /** Open ones, the oldest first. */
  get orders(): readonly Order[] {
    return [...this.#account.orders.values()];
  }

  /** That is open, or was. */
  order(id: string): Order | undefined {
    return this.#account.history.find(({ orderId }) => orderId.toString() === id);
  }

  openOrder(id: string): Order {
    const order = this.orders.find(({ orderId }) => orderId.toString() === id);
    if (order === undefined) throw new Problem('unknown', `there is no open order ${id}`);
    return order;
  }

  openOrderOf(clientId: string, listing?: Listing): Order {
    const order = this.orders.find((open) => this.clientIdOf(open) === clientId && (listing ?? open.listing) === open.listing);
    if (order === undefined) throw new Problem('unknown', `there is no open order with the client id ${clientId}`);
    return order;
  }

  clientIdOf({ orderId }: Order): string | undefined {
    return this.#clientIds.get(orderId);
  }

  place(wanted: Wanted): Placement {
    return this.#logged('place', fieldsOf(wanted), () => this.#place(wanted));
  }

  /** Another order in the place of one that rests: by the document it stays what it was, in the real process it becomes post-only. */
  modify(order: Order, { price, size }: Pick<Wanted, 'price' | 'size'>): Placement {
    const { listing, side, orderId, fillMode } = order;
    const replaced = this.#settings.rows.modifyReplaces;
    const wanted: Wanted = {
      ...NO_FLAGS,
      listing,
      side,
      price,
      size,
      postOnly: replaced || fillMode === 'postOnly',
      clientId: replaced ? undefined : this.clientIdOf(order),
    };
    return this.#logged('modify', { ...fieldsOf(wanted), orderId }, () => {
      // A refusal must leave the old order where it is, so the new one goes first.
      const placement = this.#place(wanted);
      this.#floor.cancel(order, placement.actionId);
      return placement;
    });
  }

  cancel(order: Order): void {
    this.#logged('cancel', { orderId: order.orderId }, () => {
      if (this.#settings.failCancels > 0) {
        this.#settings.failCancels--;
        throw new Problem('refused', 'the transaction was not confirmed');
      }
      if (this.#settings.rows.cancelAwaited) this.#floor.cancel(order, this.#nextId());
      else if (!this.#leaving.has(order)) this.#leaving.set(order, this.#now() + this.#settings.cancelMs);
    });
  }

  /** All of them, though one may fail. */
  cancelAll(): void {
    const problems = this.orders.flatMap((order) => this.#problemOfCancelling(order));
    if (problems[0] === undefined) return;
    throw this.#settings.rows.cancelAllHangs ? new Silence() : problems[0];
  }

  /** Sells what is held long in a market, buys what is held short, at any price. */
  close(listing: Listing): Placement {
    const size = this.#account.sizeIn(listing);
    if (size === 0) throw new Problem('unknown', `there is no position in ${nameOf(listing)}`);
    const order = { ...NO_FLAGS, listing, size: Math.abs(size), price: 0, clientId: undefined };
    return this.place({ ...order, side: size > 0 ? 'ask' : 'bid', reduceOnly: true, ioc: true });
  }

  /** When the next queued cancel takes effect, in milliseconds; never where there is none. */
  get dueAt(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#leaving.values());
  }

  /** Lets the queued cancels that are due by now take effect. */
  keep(now: number): void {
    for (const [order, due] of this.#leaving) {
      if (due > now) continue;
      this.#leaving.delete(order);
      if (order.end === undefined) this.#floor.cancel(order, this.#nextId());
    }
  }

  #place(wanted: Wanted): Placement {
    const { listing, side, price, clientId } = wanted;
    const fillMode = fillModeOf(wanted);
    const atOnce = fillMode === 'immediateOrCancel';
    const size = wanted.reduceOnly && !atOnce ? Math.min(wanted.size, this.#reducible(wanted)) : wanted.size;
    const terms = { account: this.#account, listing, side, fillMode, price, size, reduceOnly: wanted.reduceOnly && atOnce };
    const actionId = this.#nextId();
    const placed = this.#floor.place({ ...terms, clientOrderId: numberIn(clientId) }, actionId);
    if (placed.posted !== undefined && clientId !== undefined) this.#clientIds.set(placed.posted.orderId, clientId);
    const filled = placed.fills.reduce((sum, fill) => sum + fill.size, 0);
    return { ...placed, wanted, actionId, at: this.#now(), filled };
  }

  /** Lots that an order may have and still bring the position nearer to flat: the floor knows that of immediate orders alone. */
  #reducible({ listing, side }: Wanted): number {
    const size = this.#account.sizeIn(listing) * (side === 'ask' ? 1 : -1);
    if (size <= 0) throw new Refused('POSITION_NOT_FOUND');
    return size;
  }

  #problemOfCancelling(order: Order): Problem[] {
    try {
      this.cancel(order);
      return [];
    } catch (thrown) {
      if (thrown instanceof Problem) return [thrown];
      throw thrown;
    }
  }

  #logged<T>(kind: LoggedCommand['kind'], fields: LoggedCommand['fields'], execute: () => T): T {
    const entry: Mutable<LoggedCommand> = { at: this.#now(), kind, fields, outcome: 'accepted', replyLost: this.#settings.loseReplies > 0 };
    this.log.push(entry);
    try {
      return execute();
    } catch (thrown) {
      if (!(thrown instanceof Refused || thrown instanceof Problem)) throw thrown;
      entry.outcome = thrown.message;
      throw thrown instanceof Refused ? new Problem('refused', thrown.message) : thrown;
    }
  }
}

const fieldsOf = ({ listing, ...rest }: Wanted): LoggedCommand['fields'] => ({ marketId: listing.marketId, ...rest });

/** What the floor, and with it the hosted API, can keep of a client id. */
const numberIn = (clientId: string | undefined): bigint | undefined =>
  clientId !== undefined && /^\d{1,19}$/.test(clientId) ? BigInt(clientId) : undefined;
