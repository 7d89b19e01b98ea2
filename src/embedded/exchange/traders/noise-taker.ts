// The noise taker: large orders split into pieces, arriving in clusters, without information.
import type { Side } from '../../../bot/domain/book.ts';
import { decay, pareto, STEP_SECONDS } from './draws.ts';
import type { Fair } from './fair-price.ts';
import type { FlowPort } from './flow-port.ts';
import { type Attach, type Attachment, drawSide, positionShare, type Trader, takeAtMarket } from './trader.ts';

/** Time constant in seconds in which an arrival causes others. */
const EXCITED_SECONDS = 1;
/** Maximum slippage in basis points beyond the touch. */
const SLIPPAGE = 3;

export const noiseTaker: Attach = (attachment) => new NoiseTaker(attachment);

class NoiseTaker implements Trader {
  readonly #attachment: Attachment;
  readonly #kept = decay(EXCITED_SECONDS);
  /** Arrivals a second that earlier arrivals still cause. */
  #excitement = 0;
  #side: Side = 'bid';
  #pieces = 0;

  constructor(attachment: Attachment) {
    this.#attachment = attachment;
  }

  act(port: FlowPort, { activity }: Fair): void {
    const { rng, regime } = this.#attachment;
    const { perSecond, children } = regime.noise.arrivals;
    const meanWait = 1 / (perSecond * activity + this.#excitement);
    this.#excitement *= this.#kept;
    for (let at = rng.exponential(meanWait); at < STEP_SECONDS; at += rng.exponential(meanWait)) {
      this.#excitement += children / EXCITED_SECONDS;
      this.#take(port);
    }
  }

  #take(port: FlowPort): void {
    const { trader, rng, sizes, regime } = this.#attachment;
    if (this.#pieces < 1) {
      this.#side = drawSide(rng, positionShare(port, this.#attachment, regime.noise.limit));
      this.#pieces = pareto(rng, regime.noise.pieces);
    }
    this.#pieces -= 1;
    takeAtMarket(port, { trader, side: this.#side, size: sizes.lots(pareto(rng, regime.noise.notional)), slippage: SLIPPAGE });
  }
}
