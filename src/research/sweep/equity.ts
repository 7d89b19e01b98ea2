// The equity of a backtest at the steps of the calendar (UTC): the returns for the statistics, and the largest drawdown.
import { stepEnds } from '../../base/calendar-steps.ts';
import { type Millis, SECOND } from '../../base/clock.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import type { Span } from '../../embedded/recording/tapes.ts';

const STEPS: readonly Millis[] = [24 * 3_600, 4 * 3_600, 3_600, 900, 300, 60, 30, 10, 5, 1].map((seconds) => seconds * SECOND);
/** Number of returns that suffices for the statistics; more cost time. */
const ENOUGH_RETURNS = 240;

/** Returns the longest step of which the span has at least 240; a second if there is none. */
export const stepFor = ({ from, to }: Span): Millis => STEPS.find((step) => to - from >= ENOUGH_RETURNS * step) ?? SECOND;

/** Watches the turns of a run. Money is in millionths of the quote token. */
export class EquityCurve {
  readonly #deposit: number;
  readonly #stepEnds: readonly Millis[];
  /** Equity at the end of each step. */
  readonly #ends: Float64Array;
  #filled = 0;
  #equity: number;
  #peak: number;
  #drawdown = 0;

  /** `deposit`: the equity at the start. */
  constructor(deposit: number, span: Span, stepMs: Millis) {
    this.#deposit = deposit;
    this.#stepEnds = stepEnds(span, stepMs);
    this.#ends = new Float64Array(this.#stepEnds.length);
    this.#equity = deposit;
    this.#peak = deposit;
  }

  see({ at, events }: Turn): void {
    for (const event of events) {
      if (event.kind !== 'accountSeen') continue;
      this.#fillTo(at);
      this.#equity = event.account.margins.mf;
      this.#peak = Math.max(this.#peak, this.#equity);
      this.#drawdown = Math.max(this.#drawdown, this.#peak - this.#equity);
    }
  }

  /** The largest fall of the equity from its highest value so far. */
  get drawdown(): number {
    return this.#drawdown;
  }

  /** The change of the equity in each step as a fraction of the deposit. */
  returns(): Float64Array {
    this.#fillTo(Infinity);
    return this.#ends.map((end, index) => (end - (this.#ends[index - 1] ?? this.#deposit)) / this.#deposit);
  }

  /** Steps that end before `at` end with the equity so far. */
  #fillTo(at: Millis): void {
    while (this.#filled < this.#ends.length && this.#stepEnds[this.#filled]! < at) this.#ends[this.#filled++] = this.#equity;
  }
}
