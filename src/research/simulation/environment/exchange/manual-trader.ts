// A person, or another bot, that trades on the bot's account: places resting orders, takes, and cancels orders of the bot.
import type { Clock, Millis } from '../../../../base/clock.ts';
import type { Rng } from '../../../../base/rng.ts';
import { type Side, signOf } from '../../../../bot/domain/book.ts';
import type { AccountId, OrderId } from '../../../../bot/domain/ids.ts';
import { type Lots, lots, ticks } from '../../../../bot/domain/numbers.ts';
import type { PlaceRequest } from '../../../../embedded/exchange/commands.ts';
import type { Exchange } from '../../../../embedded/exchange/exchange.ts';
import type { InjectedFault } from '../../plan/faults.ts';
import type { Truth } from '../../record/truth.ts';

/** Lots: sizes that no strategy uses. */
const SMALLEST = 3;
const SIZES = 28;

/** Lots: sizes of another bot, whose orders are as large as ours. */
const RIVAL_SIZES = 200;

type Wanted = Pick<PlaceRequest, 'market' | 'side' | 'fillMode' | 'price' | 'size'>;

interface ManualTraderOptions {
  /** The clock of the simulation: the exchange's own time can leap. */
  readonly clock: Pick<Clock, 'now'>;
  readonly exchange: () => Exchange;
  readonly account: AccountId;
  readonly truth: Truth;
  /** Called before an order is placed. */
  readonly beforeOrder: (order: PlaceRequest) => void;
}

export class ManualTrader {
  readonly #options: ManualTraderOptions;
  readonly #resting = new Map<string, OrderId>();
  /** Nothing is traded by hand until then. */
  #heldUntil: Millis = 0;
  /** Orders that the person cancelled before the bot took over or cancelled what is listed. An account that lags may still list them. */
  readonly withdrawn = new Set<OrderId>();
  /** True while the bot takes over what it finds on the account: orders that the person placed then would become its own. */
  isTakenOver: () => boolean = () => false;
  /** True once the bot has ended: what happens later is not its own. */
  isOff = false;

  constructor(options: ManualTraderOptions) {
    this.#options = options;
  }

  /** Returns what was done, if anything. */
  act({ id, detail }: Pick<InjectedFault, 'id' | 'detail'>, rng: Rng, wanted?: Lots): 'placed' | 'traded' | 'cancelled' | undefined {
    if (this.#isHeld) return undefined;
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
    const size = wanted ?? lots(SMALLEST + 2 * rng.below(SIZES / 2));
    return this.#place(id, { market: 0, side, fillMode: takes ? 'IMMEDIATE_OR_CANCEL' : 'LIMIT', price, size });
  }

  #place(id: string, { market, side, fillMode, price, size }: Wanted): 'placed' | 'traded' | undefined {
    const { truth, account, beforeOrder } = this.#options;
    const order = { account, market, side, fillMode, price, size };
    beforeOrder(order);
    const outcome = this.#options.exchange().place(order);
    if (outcome.kind === 'refused') return undefined;
    truth.byHand.add(outcome.actionId);
    if (outcome.posted !== undefined) {
      truth.others.set(outcome.posted.orderId, outcome.actionId);
      this.#resting.set(id, outcome.posted.orderId);
      return 'placed';
    }
    return outcome.fills.length > 0 ? 'traded' : undefined;
  }

  /** Another bot on the same account acts once: it cancels its earlier quotes, and quotes again beside the bot, or trades, or cancels. */
  compete({ id, detail }: InjectedFault, rng: Rng): 'placed' | 'traded' | 'cancelled' | undefined {
    if (this.#isHeld) return undefined;
    if (detail === 'takes' || detail === 'cancels') return this.act({ id, detail }, rng);
    this.cancelOrderOf({ id });
    const resting = this.#options.truth.resting();
    const model = detail === 'mimics' ? resting[rng.below(Math.max(1, resting.length))] : undefined;
    const size = lots(SMALLEST + rng.below(RIVAL_SIZES));
    return model === undefined ? this.act({ id, detail: 'rests' }, rng, size) : this.#place(id, { ...model, fillMode: 'LIMIT' });
  }

  off(): void {
    this.isOff = true;
    this.cancelAll();
  }

  get #isHeld(): boolean {
    return this.isOff || this.isTakenOver() || this.#options.clock.now() < this.#heldUntil;
  }

  /** Cancels all resting orders and does nothing for a while. */
  holdFor(span: Millis): void {
    this.cancelAll();
    const { truth } = this.#options;
    for (const orderId of truth.others.keys()) if (!truth.rests(orderId)) this.withdrawn.add(orderId);
    this.#heldUntil = this.#options.clock.now() + span;
  }

  /** Cancels all resting orders. */
  cancelAll(): void {
    for (const id of this.#resting.keys()) this.cancelOrderOf({ id });
  }

  /** True if an order of the person has rested. */
  get hasTraded(): boolean {
    return this.#resting.size > 0;
  }

  /** Cancels the order that this fault has placed. */
  cancelOrderOf({ id }: Pick<InjectedFault, 'id'>): void {
    const orderId = this.#resting.get(id);
    if (orderId !== undefined) this.#options.exchange().cancel({ account: this.#options.account, orderId });
  }
}
