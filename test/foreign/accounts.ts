// Accounts: balance, positions, orders and margins, as the interface document describes the fields.
import { type Listing, notional } from './market.ts';
import type { FillMode, Side } from './numbering.ts';

/** Prices in ticks, sizes in lots, times in engine milliseconds. */
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
  /** Lots; negative for a short position. */
  size: number;
  /** Cost of the position in millionths of the quote token; has the sign of the size. */
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
  /** Open orders, oldest first. */
  readonly orders = new Map<bigint, Order>();
  /** All orders that have ever rested, oldest first. */
  readonly history: Order[] = [];

  constructor({ id, balance }: { id: number; balance: number }) {
    this.id = id;
    this.balance = balance;
  }

  sizeIn(listing: Listing): number {
    return this.positions.get(listing)?.size ?? 0;
  }

  /** Books one trade. The closing part realises profit against the average cost; the opening part is added at the trade price. */
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

  /** Returns the margins at the given index prices (ticks), with `extra` counted as a resting order. */
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

  /** Returns the unrealised profit in millionths; `price` in ticks. */
  tradingPnl(listing: Listing, price: number): number {
    return notional(listing, price, this.sizeIn(listing)) - (this.positions.get(listing)?.cost ?? 0);
  }
}

/** `fee` in millionths of the quote token; positive if charged. */
export interface Fill {
  readonly listing: Listing;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly fee: number;
  readonly actionId: bigint;
}

const sum = (orders: readonly Pick<Order, 'remaining'>[]): number => orders.reduce((total, order) => total + order.remaining, 0);
