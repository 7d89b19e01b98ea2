// What we hold, and what we may come to hold: the account, the trades that it may lack, and every order that can still fill.
import type { Account, Position, RestingOrder } from '../domain/account.ts';
import type { AccountSeen, FillsSeen, OrderOpened } from '../domain/event.ts';
import type { MarketId } from '../domain/ids.ts';
import { type Lots, lots } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { type Exposure, exposureOf, worstPosition } from './exposure.ts';
import { LateTrades } from './late-trades.ts';
import type { Orders } from './orders.ts';
import type { Revisions } from './revisions.ts';
import { sameAccount } from './same.ts';
import type { Seen } from './seen.ts';

/** An exposure, and the orders that it was worked out from, ours and others'. */
interface Known {
  readonly orders: readonly Order[];
  readonly foreign: readonly RestingOrder[];
  readonly exposure: Exposure;
}

export class Holdings {
  readonly #orders: Orders;
  readonly #revisions: Revisions;
  readonly #late = new LateTrades();
  readonly #exposures = new Map<MarketId, Known>();
  readonly #counted = new Map<MarketId, Lots>();
  #account: Seen<Account> | undefined;

  constructor(orders: Orders, revisions: Revisions) {
    this.#orders = orders;
    this.#revisions = revisions;
  }

  /** What an earlier process knew to be held. */
  inherit(positions: Iterable<readonly [MarketId, Lots]>): void {
    this.#late.inherit(positions);
  }

  get account(): Seen<Account> | undefined {
    return this.#account;
  }

  /** As the newest account has it; undefined when flat. */
  position(market: MarketId): Position | undefined {
    return this.#account?.value.positions.find((position) => position.market === market);
  }

  /** The largest position that the account's own figures count: what it holds, with the worse side of the orders that it lists. */
  counted(market: MarketId): Lots {
    const known = this.#counted.get(market);
    if (known !== undefined) return known;
    const foreign = this.#account?.value.orders.filter((order) => order.market === market) ?? [];
    const counted = worstPosition(exposureOf({ held: this.#held(market), late: { low: 0, high: 0 }, orders: [], foreign }));
    this.#counted.set(market, counted);
    return counted;
  }

  exposure(market: MarketId): Exposure {
    const orders = this.#orders.live(market);
    const known = this.#exposures.get(market);
    const foreign = this.#orders.foreign(market);
    if (known?.orders === orders && known.foreign === foreign) return known.exposure;
    const exposure = exposureOf({ held: this.#held(market), late: this.#late.range(market), orders, foreign });
    this.#exposures.set(market, { orders, foreign, exposure });
    return exposure;
  }

  /** An account that only has another number changes nothing while no trade is late. */
  accountSeen(event: AccountSeen): void {
    const before = this.#account?.value;
    const same = before !== undefined && this.#late.none && sameAccount(before, event.account);
    this.#account = { value: event.account, asked: event.asked, at: event.at };
    this.#late.accountSeen(event);
    if (same) return;
    this.#counted.clear();
    this.#revisions.moved('account');
    this.#changed();
  }

  /** Where nothing was taken and no trade is late, nothing changes. */
  taken(order: Order, event: OrderOpened): void {
    const before = this.#late.none;
    this.#late.taken(order, event);
    if (!before || !this.#late.none) this.#changed();
  }

  filled(event: FillsSeen): void {
    this.#late.filled(event);
    if (event.fills.length > 0) this.#changed();
  }

  #changed(): void {
    this.#revisions.moved('exposure');
    this.#exposures.clear();
  }

  #held(market: MarketId): Lots {
    return this.position(market)?.size ?? lots(0);
  }
}
