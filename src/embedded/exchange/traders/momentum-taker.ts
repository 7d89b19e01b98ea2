// The momentum taker: follows a trend that it sees in the book, and closes when the trend weakens.

import { type Side, signOf } from '../../../bot/domain/book.ts';
import { lots } from '../../../bot/domain/numbers.ts';
import { decay, happens, pareto } from './draws.ts';
import type { FlowPort } from './flow-port.ts';
import { type Attach, type Attachment, positionShare, type Trader, takeAtMarket } from './trader.ts';

/** Two moving averages of the mid with time constants of 4 and 25 seconds; their distance, in basis points, is the signal. */
const FAST_KEPT = decay(4);
const SLOW_KEPT = decay(25);
const TAKES_PER_SECOND = 2;
const NOTIONAL = { least: 500, tail: 1.4, most: 50_000 };
/** Maximum slippage in basis points beyond the touch. */
const SLIPPAGE = 2;
/** The largest position, in quote units. */
const MAX_POSITION = 150_000;

export const momentumTaker: Attach = (attachment) => new MomentumTaker(attachment);

class MomentumTaker implements Trader {
  readonly #attachment: Attachment;
  #fast: number | undefined;
  #slow: number | undefined;

  constructor(attachment: Attachment) {
    this.#attachment = attachment;
  }

  act(port: FlowPort): void {
    const [bid, ask] = [port.best('bid'), port.best('ask')];
    if (bid === undefined || ask === undefined) return;
    const mid = (bid + ask) / 2;
    this.#fast = mid + FAST_KEPT * ((this.#fast ?? mid) - mid);
    this.#slow = mid + SLOW_KEPT * ((this.#slow ?? mid) - mid);
    if (happens(this.#attachment.rng, TAKES_PER_SECOND)) this.#decide(port, (this.#fast / this.#slow - 1) * 1e4);
  }

  /** Follows a strong signal up to its limit, and closes its position once the signal is weak or against it. */
  #decide(port: FlowPort, signal: number): void {
    const { trader, rng, sizes, regime } = this.#attachment;
    const { enterBeyond, leaveWithin } = regime.momentum;
    const held = port.position(trader);
    const along: Side = signal > 0 ? 'bid' : 'ask';
    const size = sizes.lots(pareto(rng, NOTIONAL));
    if (Math.abs(signal) > enterBeyond) {
      if (signOf(along) * positionShare(port, this.#attachment, MAX_POSITION) < 1)
        takeAtMarket(port, { trader, side: along, size, slippage: SLIPPAGE });
      return;
    }
    const isKept = signOf(along) * held > 0 && Math.abs(signal) > leaveWithin;
    if (held === 0 || isKept) return;
    const rest = lots(Math.min(size, Math.abs(held)));
    takeAtMarket(port, { trader, side: held > 0 ? 'ask' : 'bid', size: rest, slippage: SLIPPAGE });
  }
}
