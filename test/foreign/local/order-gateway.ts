// Places, modifies and cancels the orders of the process's only account, by order id and by client id.
import type { Account, Order } from '../accounts.ts';
import type { Listing } from '../market.ts';
import type { MatchingEngine } from '../matching-engine.ts';
import { type Placed, Refused } from '../trading.ts';
import { ApiError, NoReply } from './api-error.ts';
import { nameOf } from './market-names.ts';
import { fillModeOf, NO_FLAGS, type OrderRequest } from './order-request.ts';
import type { ProcessSettings } from './settings.ts';

/** One command and its outcome. */
export interface LoggedCommand {
  /** Engine milliseconds. */
  readonly at: number;
  readonly kind: 'place' | 'modify' | 'cancel';
  /** Decoded fields: prices in ticks, sizes in lots. */
  readonly fields: Readonly<Record<string, string | number | bigint | boolean | undefined>>;
  /** `accepted`, or the reason of the refusal. */
  readonly outcome: string;
  readonly replyLost: boolean;
}

/** The result of an order request; `filled` in lots. */
export interface Placement extends Placed {
  readonly request: OrderRequest;
  readonly actionId: bigint;
  readonly at: number;
  readonly filled: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class OrderGateway {
  readonly log: LoggedCommand[] = [];
  readonly #engine: MatchingEngine;
  readonly #account: Account;
  readonly #settings: ProcessSettings;
  readonly #nextId: () => bigint;
  readonly #now: () => number;
  readonly #clientIds = new Map<bigint, string>();
  /** Queued cancels with their due times, earliest first. */
  readonly #pendingCancels = new Map<Order, number>();

  constructor(given: { engine: MatchingEngine; account: Account; settings: ProcessSettings; nextId: () => bigint; now: () => number }) {
    this.#engine = given.engine;
    this.#account = given.account;
    this.#settings = given.settings;
    this.#nextId = given.nextId;
    this.#now = given.now;
  }

  /** Open orders, oldest first. */
  get orders(): readonly Order[] {
    return [...this.#account.orders.values()];
  }

  /** Returns an open or ended order. */
  order(id: string): Order | undefined {
    return this.#account.history.find(({ orderId }) => orderId.toString() === id);
  }

  openOrder(id: string): Order {
    const order = this.orders.find(({ orderId }) => orderId.toString() === id);
    if (order === undefined) throw new ApiError('unknown', `there is no open order ${id}`);
    return order;
  }

  openOrderOf(clientId: string, listing?: Listing): Order {
    const order = this.orders.find((open) => this.clientIdOf(open) === clientId && (listing ?? open.listing) === open.listing);
    if (order === undefined) throw new ApiError('unknown', `there is no open order with the client id ${clientId}`);
    return order;
  }

  clientIdOf({ orderId }: Order): string | undefined {
    return this.#clientIds.get(orderId);
  }

  place(request: OrderRequest): Placement {
    return this.#logged('place', fieldsOf(request), () => this.#place(request));
  }

  /** Replaces a resting order. By the document the order keeps its type; in the real process it becomes post-only. */
  modify(order: Order, { price, size }: Pick<OrderRequest, 'price' | 'size'>): Placement {
    const { listing, side, orderId, fillMode } = order;
    const replaced = this.#settings.differences.modifyReplaces;
    const request: OrderRequest = {
      ...NO_FLAGS,
      listing,
      side,
      price,
      size,
      postOnly: replaced || fillMode === 'postOnly',
      clientId: replaced ? undefined : this.clientIdOf(order),
    };
    return this.#logged('modify', { ...fieldsOf(request), orderId }, () => {
      // The new order is placed first, because a refusal must leave the old order in place.
      const placement = this.#place(request);
      this.#engine.cancel(order, placement.actionId);
      return placement;
    });
  }

  cancel(order: Order): void {
    this.#logged('cancel', { orderId: order.orderId }, () => {
      if (this.#settings.failCancels > 0) {
        this.#settings.failCancels--;
        throw new ApiError('refused', 'the transaction was not confirmed');
      }
      if (this.#settings.differences.cancelAwaited) this.#engine.cancel(order, this.#nextId());
      else if (!this.#pendingCancels.has(order)) this.#pendingCancels.set(order, this.#now() + this.#settings.cancelMs);
    });
  }

  /** Cancels all orders and continues after a failure. Throws the first failure at the end. */
  cancelAll(): void {
    const errors = this.orders.flatMap((order) => this.#errorOfCancelling(order));
    if (errors[0] === undefined) return;
    throw this.#settings.differences.cancelAllHangs ? new NoReply() : errors[0];
  }

  /** Closes the position in a market at any price. */
  close(listing: Listing): Placement {
    const size = this.#account.sizeIn(listing);
    if (size === 0) throw new ApiError('unknown', `there is no position in ${nameOf(listing)}`);
    const order = { ...NO_FLAGS, listing, size: Math.abs(size), price: 0, clientId: undefined };
    return this.place({ ...order, side: size > 0 ? 'ask' : 'bid', reduceOnly: true, ioc: true });
  }

  /** Time at which the next queued cancel takes effect, in milliseconds; infinity if none is queued. */
  get dueAt(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#pendingCancels.values());
  }

  /** Executes the queued cancels that are due at `now`. */
  applyDueCancels(now: number): void {
    for (const [order, due] of this.#pendingCancels) {
      if (due > now) continue;
      this.#pendingCancels.delete(order);
      if (order.end === undefined) this.#engine.cancel(order, this.#nextId());
    }
  }

  #place(request: OrderRequest): Placement {
    const { listing, side, price, clientId } = request;
    const fillMode = fillModeOf(request);
    const atOnce = fillMode === 'immediateOrCancel';
    const size = request.reduceOnly && !atOnce ? Math.min(request.size, this.#reducible(request)) : request.size;
    const terms = { account: this.#account, listing, side, fillMode, price, size, reduceOnly: request.reduceOnly && atOnce };
    const actionId = this.#nextId();
    const placed = this.#engine.place({ ...terms, clientOrderId: numberIn(clientId) }, actionId);
    if (placed.posted !== undefined && clientId !== undefined) this.#clientIds.set(placed.posted.orderId, clientId);
    const filled = placed.fills.reduce((sum, fill) => sum + fill.size, 0);
    return { ...placed, request, actionId, at: this.#now(), filled };
  }

  /** Returns the largest size, in lots, that only reduces the position. The matching engine computes this for immediate orders only. */
  #reducible({ listing, side }: OrderRequest): number {
    const size = this.#account.sizeIn(listing) * (side === 'ask' ? 1 : -1);
    if (size <= 0) throw new Refused('POSITION_NOT_FOUND');
    return size;
  }

  #errorOfCancelling(order: Order): ApiError[] {
    try {
      this.cancel(order);
      return [];
    } catch (thrown) {
      if (thrown instanceof ApiError) return [thrown];
      throw thrown;
    }
  }

  #logged<T>(kind: LoggedCommand['kind'], fields: LoggedCommand['fields'], execute: () => T): T {
    const entry: Mutable<LoggedCommand> = { at: this.#now(), kind, fields, outcome: 'accepted', replyLost: this.#settings.loseReplies > 0 };
    this.log.push(entry);
    try {
      return execute();
    } catch (thrown) {
      if (!(thrown instanceof Refused || thrown instanceof ApiError)) throw thrown;
      entry.outcome = thrown.message;
      throw thrown instanceof Refused ? new ApiError('refused', thrown.message) : thrown;
    }
  }
}

const fieldsOf = ({ listing, ...rest }: OrderRequest): LoggedCommand['fields'] => ({ marketId: listing.marketId, ...rest });

/** Returns the client id as the number that the matching engine and the hosted API can hold; undefined if it is not one. */
const numberIn = (clientId: string | undefined): bigint | undefined =>
  clientId !== undefined && /^\d{1,19}$/.test(clientId) ? BigInt(clientId) : undefined;
