// What we hold, and what we may come to hold: the account, the trades that it may lack, and every order that can still fill.
import { Memo } from '../base/memo.ts';
import type { Account, Position } from '../domain/account.ts';
import type { AccountSeen, FillsSeen, OrderOpened } from '../domain/event.ts';
import type { MarketId } from '../domain/ids.ts';
import { type Lots, lots } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { type Exposure, exposureOf, worstPosition } from './exposure.ts';
import { LateTrades } from './late-trades.ts';
import type { Orders } from './orders.ts';
import { sameAccount } from './same.ts';
import type { Seen } from './seen.ts';

/** An exposure, and our orders that it was worked out from. */
interface Known {
  readonly orders: readonly Order[];
  readonly exposure: Exposure;
}

export class Holdings {
  readonly #orders: Orders;
  readonly #late = new LateTrades();
  readonly #exposures = new Map<MarketId, Known>();
  readonly #counted = new Memo<MarketId, Lots>();
  #account: Seen<Account> | undefined;

  constructor(orders: Orders) {
    this.#orders = orders;
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
    return this.#counted.of(market, () => {
      const foreign = this.#account?.value.orders.filter((order) => order.market === market) ?? [];
      return worstPosition(exposureOf({ held: this.#held(market), late: { low: 0, high: 0 }, orders: [], foreign }));
    });
  }

  exposure(market: MarketId): Exposure {
    const orders = this.#orders.live(market);
    const known = this.#exposures.get(market);
    if (known?.orders === orders) return known.exposure;
    const foreign = this.#orders.foreign(market);
    const exposure = exposureOf({ held: this.#held(market), late: this.#late.range(market), orders, foreign });
    this.#exposures.set(market, { orders, exposure });
    return exposure;
  }

  /** Gives whether it can have changed anything: an account that only has another number, while no trade is late, does not. */
  accountSeen(event: AccountSeen): boolean {
    const before = this.#account?.value;
    const news = before === undefined || !this.#late.none || !sameAccount(before, event.account);
    this.#account = { value: event.account, asked: event.asked, at: event.at };
    this.#late.accountSeen(event);
    if (!news) return false;
    this.#counted.clear();
    this.#exposures.clear();
    return true;
  }

  /** Gives whether it can have changed anything: where nothing was taken and no trade is late, it does not. */
  taken(order: Order, event: OrderOpened): boolean {
    const before = this.#late.none;
    this.#late.taken(order, event);
    if (before && this.#late.none) return false;
    this.#exposures.clear();
    return true;
  }

  filled(event: FillsSeen): void {
    this.#late.filled(event);
    this.#exposures.clear();
  }

  #held(market: MarketId): Lots {
    return this.position(market)?.size ?? lots(0);
  }
}
