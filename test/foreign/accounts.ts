// Accounts: balance, positions, orders and margins, by the field descriptions of the interface document.
import { type Listing, notional } from './market.ts';
import type { FillMode, Side } from './numbering.ts';

/** Prices in ticks, sizes in lots, times in milliseconds of the engine. */
export interface Order {
  readonly orderId: bigint;
  readonly account: Account;
  readonly listing: Listing;
  readonly side: Side;
  readonly fillMode: FillMode;
  readonly price: number;
  readonly originalSize: number;
  readonly clientOrderId: bigint | undefined;
  readonly placedAt: number;
  remaining: number;
  updatedAt: number;
  actionId: bigint;
  end: 'Filled' | 'Canceled' | undefined;
}

export interface Position {
  /** Lots, negative when short. */
  size: number;
  /** What the position cost in millionths of the quote token, with the sign of the size. */
  cost: number;
  actionId: bigint;
}

/** In millionths of a dollar. */
export interface Margins {
  readonly omf: number;
  readonly mf: number;
  readonly imf: number;
  readonly cmf: number;
  readonly mmf: number;
  readonly pon: number;
  readonly pn: number;
}

export class Account {
  readonly id: number;
  /** Millionths of a USDC. */
  balance: number;
  readonly positions = new Map<Listing, Position>();
  /** Open orders, the oldest first. */
  readonly orders = new Map<bigint, Order>();
  /** All orders that ever rested here, the oldest first. */
  readonly history: Order[] = [];

  constructor({ id, balance }: { id: number; balance: number }) {
    this.id = id;
    this.balance = balance;
  }

  sizeIn(listing: Listing): number {
    return this.positions.get(listing)?.size ?? 0;
  }

  /** Books one trade: what it closes is realised into the balance at the average cost, what it opens is added at its own price. */
  fill({ listing, side, price, size, fee, actionId }: Fill): void {
    const position = this.positions.get(listing) ?? { size: 0, cost: 0, actionId };
    const direction = side === 'bid' ? 1 : -1;
    const closed = position.size * direction < 0 ? Math.min(size, Math.abs(position.size)) : 0;
    if (closed > 0) {
      const closedCost = Math.round((position.cost * closed) / Math.abs(position.size));
      this.balance += notional(listing, price, closed) * -direction - closedCost;
      position.size += direction * closed;
      position.cost -= closedCost;
    }
    position.size += direction * (size - closed);
    position.cost += direction * notional(listing, price, size - closed);
    position.actionId = actionId;
    this.positions.set(listing, position);
    this.balance -= fee;
  }

  /** Margins at the given index prices (ticks), as if `extra` rested as well. */
  margins(indexOf: (listing: Listing) => number, extra?: Pick<Order, 'listing' | 'side' | 'remaining'>): Margins {
    const orders = [...this.orders.values(), ...(extra === undefined ? [] : [extra])];
    const listings = new Set([...this.positions.keys(), ...orders.map((order) => order.listing)]);
    let [unrealised, imf, cmf, mmf, pon, pn] = [0, 0, 0, 0, 0, 0];
    for (const listing of listings) {
      const size = this.sizeIn(listing);
      const open = (side: Side): number => sum(orders.filter((order) => order.listing === listing && order.side === side));
      const worst = notional(listing, indexOf(listing), Math.max(Math.abs(size + open('bid')), Math.abs(size - open('ask'))));
      const held = notional(listing, indexOf(listing), Math.abs(size));
      pon += worst;
      pn += held;
      imf += Math.ceil(worst * listing.imf);
      cmf += Math.ceil(worst * listing.cmf);
      mmf += Math.ceil(held * listing.mmf);
      unrealised += this.tradingPnl(listing, indexOf(listing));
    }
    const mf = this.balance + unrealised;
    return { omf: Math.min(mf, this.balance), mf, imf, cmf, mmf, pon, pn };
  }

  /** Unrealised profit at a price in ticks, in millionths. */
  tradingPnl(listing: Listing, price: number): number {
    return notional(listing, price, this.sizeIn(listing)) - (this.positions.get(listing)?.cost ?? 0);
  }
}

/** `fee` in millionths of the quote token, positive when charged. */
export interface Fill {
  readonly listing: Listing;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly fee: number;
  readonly actionId: bigint;
}

const sum = (orders: readonly Pick<Order, 'remaining'>[]): number => orders.reduce((total, order) => total + order.remaining, 0);
