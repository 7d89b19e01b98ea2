// One who looks on at every action of the bot, with the whole truth of the exchange before and after it.
import type { Order } from '../foreign/accounts.ts';
import type { LoggedAction } from '../foreign/actions.ts';
import type { GodView } from '../foreign/exchange.ts';
import type { Request } from '../foreign/http.ts';
import type { Truth } from './foreign-laws.ts';

export interface Sent {
  readonly action: LoggedAction;
  /** Since the exchange opened. */
  readonly second: number;
  /** A placement that could have made the position larger, as things stood when it arrived. */
  readonly increasing: boolean;
}

type Sizes = Readonly<Record<Order['side'], number>>;
const LOTS_PER_BASE = 10_000;

export class Witness implements Truth {
  readonly state: GodView;
  readonly account: number;
  readonly sent: Sent[] = [];
  /** What must never be, in words. */
  readonly faults: string[] = [];
  /** Ids of the orders that rested by the bot's own actions. */
  readonly #own = new Set<bigint>();
  readonly #second: () => number;

  constructor({ state, account, second }: { state: GodView; account: number; second: () => number }) {
    this.state = state;
    this.account = account;
    this.#second = second;
  }

  get actions(): readonly LoggedAction[] {
    return this.sent.map(({ action }) => action);
  }

  get ownOrders(): readonly Order[] {
    return this.#openOrders().filter(({ orderId }) => this.#own.has(orderId));
  }

  /** What arrived after one second, and not after another. */
  between(from: number, to: number): readonly Sent[] {
    return this.sent.filter(({ second }) => second > from && second <= to);
  }

  /** Lots by which each side's open orders, all filled, would take the position beyond flat; all of them where they go its own way. */
  get beyondFlat(): Sizes {
    const room = this.#room();
    return { bid: Math.max(0, -room.bid), ask: Math.max(0, -room.ask) };
  }

  /** Lets the exchange answer a request of the bot. */
  during<T>({ method }: Request, answer: () => T): T {
    if (method !== 'POST') return answer();
    const room = this.#room();
    const before = new Set(this.#openOrders().map(({ orderId }) => orderId));
    const answered = answer();
    const action = this.state.actions.at(-1);
    if (action === undefined) return answered;
    this.sent.push({ action, second: this.#second(), increasing: isIncreasing(action, room) });
    if (action.kind === 'cancelOrder') this.#judgeCancel(action);
    for (const { orderId } of this.#openOrders()) if (!before.has(orderId)) this.#own.add(orderId);
    this.#judgeLevels();
    return answered;
  }

  #judgeCancel({ fields: { orderId } }: LoggedAction): void {
    if (typeof orderId !== 'bigint' || !this.#own.has(orderId))
      this.faults.push(`second ${this.#second()}: cancels ${orderId}, which is not its own`);
  }

  #judgeLevels(): void {
    const levels = this.ownOrders.map(({ side, price }) => `${side} ${price}`);
    const doubled = levels.filter((level, index) => levels.indexOf(level) !== index);
    for (const level of doubled) this.faults.push(`second ${this.#second()}: two of its orders rest at ${level}`);
  }

  #openOrders(): readonly Order[] {
    return this.state.orders.filter(({ account }) => account.id === this.account);
  }

  /** Lots that each side may still order without taking the position beyond flat. */
  #room(): Sizes {
    const position = Math.round(this.state.position({ account: this.account }) * LOTS_PER_BASE);
    const open = (side: Order['side']): number =>
      this.#openOrders().reduce((sum, order) => sum + (order.side === side ? order.remaining : 0), 0);
    return { bid: Math.max(0, -position) - open('bid'), ask: Math.max(0, position) - open('ask') };
  }
}

const isIncreasing = ({ kind, fields: { side, size } }: LoggedAction, room: Sizes): boolean =>
  kind === 'placeOrder' && Number(size) > room[side === 'bid' ? 'bid' : 'ask'];
