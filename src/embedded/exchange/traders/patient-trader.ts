// The patient trader: rests small orders inside, at and behind the touch, and cancels them after a while.
import type { Millis } from '../../../base/clock.ts';
import { opposite, type Side, signOf } from '../../../bot/domain/book.ts';
import { type Ticks, ticks } from '../../../bot/domain/numbers.ts';
import { happens, pareto } from './draws.ts';
import type { Fair } from './fair-price.ts';
import type { FlowPort } from './flow-port.ts';
import { type Attach, type Attachment, drawSide, positionShare, type Trader } from './trader.ts';

/** Mean life of an order. */
const LIFE_MS = 5_000;
const NOTIONAL = { least: 300, tail: 1.4, most: 20_000 };
/** Basis points behind the touch, on average, of the orders that do not join it. */
const BEHIND = 1.5;
const LIMIT = 150_000;

interface RestingOrder {
  readonly orderId: string;
  readonly until: Millis;
}

export const patientTrader: Attach = (attachment) => new PatientTrader(attachment);

class PatientTrader implements Trader {
  readonly #attachment: Attachment;
  #resting: readonly RestingOrder[] = [];

  constructor(attachment: Attachment) {
    this.#attachment = attachment;
  }

  act(port: FlowPort, { activity }: Fair): void {
    if (this.#resting.some(({ until }) => until <= port.now)) this.#cancelExpired(port);
    if (happens(this.#attachment.rng, this.#attachment.regime.patientOrders * activity)) this.#rest(port);
  }

  #cancelExpired(port: FlowPort): void {
    const { trader } = this.#attachment;
    for (const { orderId, until } of this.#resting) if (until <= port.now) port.cancel({ trader, orderId });
    this.#resting = this.#resting.filter(({ until }) => until > port.now);
  }

  #rest(port: FlowPort): void {
    const { trader, rng, sizes } = this.#attachment;
    const side = drawSide(rng, positionShare(port, this.#attachment, LIMIT));
    const price = this.#choose(port, side);
    if (price === undefined) return;
    const orderId = port.place({ trader, side, fillMode: 'POST_ONLY', price, size: sizes.lots(pareto(rng, NOTIONAL)) });
    if (orderId === undefined) return;
    this.#resting = [...this.#resting, { orderId, until: port.now + rng.exponential(LIFE_MS) }];
  }

  /** A third inside the touch if the spread allows it, a third at it, the rest behind. */
  #choose(port: FlowPort, side: Side): Ticks | undefined {
    const [touch, other] = [port.best(side), port.best(opposite(side))];
    if (touch === undefined || other === undefined) return undefined;
    const choice = this.#attachment.rng.below(3);
    if (choice === 0 && Math.abs(other - touch) > 1) return ticks(touch + signOf(side));
    const back = choice === 2 ? Math.ceil((this.#attachment.rng.exponential(BEHIND) * touch) / 1e4) : 0;
    return ticks(Math.max(1, touch - signOf(side) * back));
  }
}
