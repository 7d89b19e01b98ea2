// Records every action of the bot together with the exchange's state before and after it.
import type { Order } from '../../foreign/accounts.ts';
import type { LoggedAction } from '../../foreign/actions.ts';
import type { ObservedExchange } from '../../foreign/exchange.ts';
import type { Request } from '../../foreign/http.ts';
import type { AccountRecord } from './expect-agreement.ts';

export interface RecordedAction {
  readonly action: LoggedAction;
  /** Seconds since the exchange opened. */
  readonly second: number;
  /** True for a placement that could have increased the position when it arrived. */
  readonly increasing: boolean;
  /** Lots filled on arrival, and the id of the order that then rested. */
  readonly taken: number;
  readonly rested: bigint | undefined;
}

type Sizes = Readonly<Record<Order['side'], number>>;
const LOTS_PER_BASE = 10_000;

export class ActionRecorder implements AccountRecord {
  readonly state: ObservedExchange;
  readonly account: number;
  readonly sent: RecordedAction[] = [];
  /** Descriptions of violations. */
  readonly faults: string[] = [];
  readonly #second: () => number;

  constructor({ state, account, second }: { state: ObservedExchange; account: number; second: () => number }) {
    this.state = state;
    this.account = account;
    this.#second = second;
  }

  /** All actions except copies made by the network. */
  get actions(): readonly LoggedAction[] {
    return this.#originals.map(({ action }) => action);
  }

  get ownOrders(): readonly Order[] {
    const own = this.#own;
    return this.#openOrders.filter(({ orderId }) => own.has(orderId));
  }

  /** Final status by client order id, valid once no order rests. */
  get ends(): Readonly<Record<string, string>> {
    const named = this.#originals.filter(({ action }) => action.kind === 'placeOrder' && action.fields['clientOrderId'] !== undefined);
    return Object.fromEntries(named.map((sent) => [String(sent.action.fields['clientOrderId']), this.#endOf(sent)]));
  }

  /** Lots per side by which the open orders, if all filled, would take the position past zero. */
  get beyondFlat(): Sizes {
    const { bid, ask } = this.#room;
    return { bid: Math.max(0, -bid), ask: Math.max(0, -ask) };
  }

  /** Actions that arrived after second `from` and no later than second `to`. */
  between(from: number, to: number): readonly RecordedAction[] {
    return this.sent.filter(({ second }) => second > from && second <= to);
  }

  /** Lets the exchange answer a request of the bot and records it if it is an action. */
  observe<T>({ method }: Request, answer: () => T): T {
    if (method !== 'POST') return answer();
    const [room, orders, trades] = [this.#room, this.#openOrders, this.state.trades.length];
    const answered = answer();
    const action = this.state.actions.at(-1);
    if (action === undefined) return answered;
    const rested = this.#openOrders.find(({ orderId }) => !orders.some((order) => order.orderId === orderId))?.orderId;
    const taken = sum(this.state.trades.slice(trades).filter(({ takerId }) => takerId === this.account));
    if (action.kind === 'cancelOrder') this.#checkCancel(action);
    this.sent.push({ action, second: this.#second(), increasing: isIncreasing(action, room), taken, rested });
    this.#checkLevels();
    return answered;
  }

  #checkCancel({ fields: { orderId } }: LoggedAction): void {
    if (typeof orderId !== 'bigint' || !this.#own.has(orderId)) this.#addFault(`it cancels order ${orderId}, which is not its own`);
  }

  #checkLevels(): void {
    const levels = this.ownOrders.map(({ side, price }) => `${side} ${price}`);
    for (const [index, level] of levels.entries()) if (levels.indexOf(level) < index) this.#addFault(`two of its orders rest at ${level}`);
  }

  #addFault(what: string): void {
    this.faults.push(`second ${this.#second()}: ${what}`);
  }

  /** Returns the final status. An order whose refusal was lost counts as cancelled. */
  #endOf({ action: { fields, outcome, replyLost }, taken, rested }: RecordedAction): 'filled' | 'cancelled' | 'rejected' {
    if (outcome !== 'accepted') return replyLost ? 'cancelled' : 'rejected';
    const made = sum(this.state.trades.filter(({ orderId }) => orderId === rested));
    return taken + made === Number(fields['size']) ? 'filled' : 'cancelled';
  }

  get #originals(): readonly RecordedAction[] {
    return this.sent.filter(({ action }) => action.outcome !== 'DUPLICATE');
  }

  get #own(): ReadonlySet<bigint> {
    return new Set(this.sent.flatMap(({ rested }) => rested ?? []));
  }

  get #openOrders(): readonly Order[] {
    return this.state.orders.filter(({ account }) => account.id === this.account);
  }

  /** Lots per side that can still be ordered without taking the position past zero. */
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
