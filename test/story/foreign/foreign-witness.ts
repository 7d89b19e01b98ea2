// One who looks on at every action of the bot, with the whole truth of the exchange before and after it.
import type { Order } from '../../foreign/accounts.ts';
import type { LoggedAction } from '../../foreign/actions.ts';
import type { GodView } from '../../foreign/exchange.ts';
import type { Request } from '../../foreign/http.ts';
import type { Truth } from './foreign-laws.ts';

export interface Sent {
  readonly action: LoggedAction;
  /** Since the exchange opened. */
  readonly second: number;
  /** A placement that could have made the position larger, as things stood when it arrived. */
  readonly increasing: boolean;
  /** Lots that it took at once, and the order that came to rest by it. */
  readonly taken: number;
  readonly rested: bigint | undefined;
}

type Sizes = Readonly<Record<Order['side'], number>>;
const LOTS_PER_BASE = 10_000;

export class Witness implements Truth {
  readonly state: GodView;
  readonly account: number;
  readonly sent: Sent[] = [];
  /** What must never be, in words. */
  readonly faults: string[] = [];
  readonly #second: () => number;

  constructor({ state, account, second }: { state: GodView; account: number; second: () => number }) {
    this.state = state;
    this.account = account;
    this.#second = second;
  }

  /** Without copies that the network made. */
  get actions(): readonly LoggedAction[] {
    return this.#originals.map(({ action }) => action);
  }

  get ownOrders(): readonly Order[] {
    const own = this.#own;
    return this.#openOrders.filter(({ orderId }) => own.has(orderId));
  }

  /** How each order that named itself has ended, now that none rests. */
  get ends(): Readonly<Record<string, string>> {
    const named = this.#originals.filter(({ action }) => action.kind === 'placeOrder' && action.fields['clientOrderId'] !== undefined);
    return Object.fromEntries(named.map((sent) => [String(sent.action.fields['clientOrderId']), this.#endOf(sent)]));
  }

  /** Lots by which each side's open orders, all filled, would take the position beyond flat. */
  get beyondFlat(): Sizes {
    const { bid, ask } = this.#room;
    return { bid: Math.max(0, -bid), ask: Math.max(0, -ask) };
  }

  /** What arrived after one second, and not after another. */
  between(from: number, to: number): readonly Sent[] {
    return this.sent.filter(({ second }) => second > from && second <= to);
  }

  /** Lets the exchange answer a request of the bot. */
  during<T>({ method }: Request, answer: () => T): T {
    if (method !== 'POST') return answer();
    const [room, orders, trades] = [this.#room, this.#openOrders, this.state.trades.length];
    const answered = answer();
    const action = this.state.actions.at(-1);
    if (action === undefined) return answered;
    const rested = this.#openOrders.find(({ orderId }) => !orders.some((order) => order.orderId === orderId))?.orderId;
    const taken = sum(this.state.trades.slice(trades).filter(({ takerId }) => takerId === this.account));
    if (action.kind === 'cancelOrder') this.#judgeCancel(action);
    this.sent.push({ action, second: this.#second(), increasing: isIncreasing(action, room), taken, rested });
    this.#judgeLevels();
    return answered;
  }

  #judgeCancel({ fields: { orderId } }: LoggedAction): void {
    if (typeof orderId !== 'bigint' || !this.#own.has(orderId)) this.#fault(`it cancels order ${orderId}, which is not its own`);
  }

  #judgeLevels(): void {
    const levels = this.ownOrders.map(({ side, price }) => `${side} ${price}`);
    for (const [index, level] of levels.entries()) if (levels.indexOf(level) < index) this.#fault(`two of its orders rest at ${level}`);
  }

  #fault(what: string): void {
    this.faults.push(`second ${this.#second()}: ${what}`);
  }

  /** One that was refused without our hearing of it ends as one that never rested. */
  #endOf({ action: { fields, outcome, replyLost }, taken, rested }: Sent): 'filled' | 'cancelled' | 'rejected' {
    if (outcome !== 'accepted') return replyLost ? 'cancelled' : 'rejected';
    const made = sum(this.state.trades.filter(({ orderId }) => orderId === rested));
    return taken + made === Number(fields['size']) ? 'filled' : 'cancelled';
  }

  get #originals(): readonly Sent[] {
    return this.sent.filter(({ action }) => action.outcome !== 'DUPLICATE');
  }

  get #own(): ReadonlySet<bigint> {
    return new Set(this.sent.flatMap(({ rested }) => rested ?? []));
  }

  get #openOrders(): readonly Order[] {
    return this.state.orders.filter(({ account }) => account.id === this.account);
  }

  /** Lots that each side may still order without taking the position beyond flat. */
  get #room(): Sizes {
    const position = Math.round(this.state.position({ account: this.account }) * LOTS_PER_BASE);
    const open = { bid: 0, ask: 0 };
    for (const { side, remaining } of this.#openOrders) open[side] += remaining;
    return { bid: Math.max(0, -position) - open.bid, ask: Math.max(0, position) - open.ask };
  }
}

const sum = (parts: readonly { readonly size: number }[]): number => parts.reduce((total, { size }) => total + size, 0);

const isIncreasing = ({ kind, fields: { side, size } }: LoggedAction, room: Sizes): boolean =>
  kind === 'placeOrder' && Number(size) > room[side === 'bid' ? 'bid' : 'ask'];
