// A person who trades by hand under the bot's account: lets orders rest, takes, and cancels orders of the bot, without asking it.
import type { Rng } from '../base/rng.ts';
import type { AccountId, OrderId } from '../domain/ids.ts';
import { lots, ticks } from '../domain/numbers.ts';
import { type Side, signOf } from '../domain/side.ts';
import type { Exchange } from '../simulator/exchange.ts';
import type { Fault } from './faults.ts';
import type { Truth } from './truth.ts';

/** Lots: sizes that no strategy asks for. */
const SMALLEST = 3;
const SIZES = 28;

interface HandsOptions {
  readonly exchange: () => Exchange;
  readonly account: AccountId;
  readonly truth: Truth;
}

export class Hands {
  readonly #options: HandsOptions;
  readonly #resting = new Map<string, OrderId>();
  /** The bot has ended for good: nothing that happens after that is its own. */
  isOff = false;

  constructor(options: HandsOptions) {
    this.#options = options;
  }

  /** Returns what was done, where anything was. */
  act({ id, detail }: Fault, rng: Rng): 'placed' | 'moved' | 'cancelled' | undefined {
    if (this.isOff) return undefined;
    const { truth, account } = this.#options;
    const exchange = this.#options.exchange();
    if (detail === 'cancels') {
      const ours = truth.resting();
      const order = ours[rng.below(Math.max(1, ours.length))];
      if (order === undefined) return undefined;
      return exchange.cancel({ account, orderId: order.orderId }).kind === 'accepted' ? 'cancelled' : undefined;
    }
    const side: Side = rng.next() < 0.5 ? 'bid' : 'ask';
    const takes = detail === 'takes';
    const index = exchange.live(0)?.index ?? 0;
    const away = takes ? -20 : 3 + rng.below(20);
    const price = ticks(Math.max(1, Math.round(index * (1 - (signOf(side) * away) / 1e4))));
    const size = lots(SMALLEST + 2 * rng.below(SIZES / 2));
    const outcome = exchange.place({ account, market: 0, side, fillMode: takes ? 'IMMEDIATE_OR_CANCEL' : 'LIMIT', price, size });
    if (outcome.kind === 'refused') return undefined;
    truth.byHand.add(outcome.actionId);
    if (outcome.posted !== undefined) {
      truth.others.set(outcome.posted.orderId, outcome.actionId);
      this.#resting.set(id, outcome.posted.orderId);
      return 'placed';
    }
    return outcome.fills.length > 0 ? 'moved' : undefined;
  }

  off(): void {
    this.isOff = true;
    for (const id of this.#resting.keys()) this.leave({ id });
  }

  /** What rests by this fault is taken back. */
  leave({ id }: Pick<Fault, 'id'>): void {
    const orderId = this.#resting.get(id);
    if (orderId !== undefined) this.#options.exchange().cancel({ account: this.#options.account, orderId });
  }
}
