// Account replies that lack a part of the account for a moment: all orders, or every other one, the positions, or the balances.
import { parse, stringify } from 'lossless-json';
import type { Millis } from '../../../../base/clock.ts';
import type { HttpReply, HttpRequest } from '../../../../base/transport/transport.ts';
import type { FaultBox } from '../../plan/fault-box.ts';
import type { InjectedFault } from '../../plan/faults.ts';

/**
 * Milliseconds between two faults, at least. A process must receive a complete account between them, because two accounts that lack an order prove it
 * gone.
 */
const BETWEEN_FAULTS: Millis = 20_000;

interface Shown {
  readonly balances: readonly unknown[];
  readonly positions: readonly unknown[];
  readonly orders: readonly unknown[];
}

export class ShortAccounts {
  readonly #faults: FaultBox;
  readonly #now: () => Millis;
  readonly #short = new WeakSet<Uint8Array>();
  /** The ids of the faults that have begun: each begins once. */
  readonly #spent = new Set<string>();
  /** The last fault that began, and until when replies are shortened by it. */
  #last: { readonly fault: InjectedFault; readonly until: Millis } | undefined;
  /** True if a process has received a complete account that was made after the last fault. */
  #isRepaired = true;

  constructor(faults: FaultBox, now: () => Millis) {
    this.#faults = faults;
    this.#now = now;
  }

  /** What is shown instead of this reply. */
  shown(request: HttpRequest, reply: HttpReply): HttpReply {
    if (!/^\/account\/\d+$/.test(request.path) || reply.status !== 200) return reply;
    const fault = this.#faults.hit('shortAccount', 'account', (candidate) => this.#mayStrike(candidate));
    if (fault === undefined) return reply;
    const body = shortened(reply.body, fault);
    this.#short.add(body);
    return { ...reply, body };
  }

  /** A process receives a complete account that was made at that moment, since the start of the run. */
  received(madeAt: Millis): void {
    if (madeAt > (this.#last?.until ?? 0)) this.#isRepaired = true;
  }

  isShort({ body }: Pick<HttpReply, 'body'>): boolean {
    return this.#short.has(body);
  }

  #mayStrike(fault: InjectedFault): boolean {
    const now = this.#now();
    const last = this.#last;
    if (last !== undefined && now <= last.until) return last.fault.id === fault.id;
    if (this.#spent.has(fault.id) || !this.#isRepaired || (last !== undefined && now < last.until + BETWEEN_FAULTS)) return false;
    this.#spent.add(fault.id);
    this.#isRepaired = false;
    // Only a lack of orders may last: two accounts in a row that lack a position would be believed.
    const span = fault.detail === 'orders' || fault.detail === 'halfOfOrders' ? (fault.amount ?? 0) : 0;
    this.#last = { fault, until: now + span };
    return true;
  }
}

function shortened(body: Uint8Array, { detail = 'orders' }: InjectedFault): Uint8Array {
  const { balances, positions, orders, ...rest } = parse(new TextDecoder().decode(body)) as Shown;
  const all = detail === 'everything';
  const left = {
    balances: all || detail === 'balances' ? [] : balances,
    positions: all || detail === 'positions' ? [] : positions,
    orders: all || detail === 'orders' ? [] : detail === 'halfOfOrders' ? orders.filter((_, index) => index % 2 === 1) : orders,
  };
  return new TextEncoder().encode(stringify({ ...rest, ...left }));
}
