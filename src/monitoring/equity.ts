// The curve of equity and profit of a run: a bounded number of points, however long the run is.
import type { Millis } from '../base/clock.ts';

/** Money in millionths of the quote token. */
export interface EquityPoint {
  readonly at: Millis;
  readonly equity: number;
  readonly pnl: number;
}

const FIRST_SPAN: Millis = 1_000;
const MOST_POINTS = 2_000;

export class EquityCurve {
  #points: EquityPoint[] = [];
  #span: Millis = FIRST_SPAN;
  #peak = -Infinity;
  #drawdown = 0;

  /** Oldest first; the span between two of them grows with the length of the run. */
  get points(): readonly EquityPoint[] {
    return this.#points;
  }

  /** The largest fall of the profit from a peak so far, in millionths; zero or positive. Counts all points that were added. */
  get drawdown(): number {
    return this.#drawdown;
  }

  /** True if a second has passed since the last point. */
  isDue(at: Millis): boolean {
    const last = this.#points.at(-1);
    return last === undefined || at >= last.at + FIRST_SPAN;
  }

  /** The newest point is replaced by the next one while it is nearer to the one before it than the span. */
  add(point: EquityPoint): void {
    this.#peak = Math.max(this.#peak, point.pnl);
    this.#drawdown = Math.max(this.#drawdown, this.#peak - point.pnl);
    const [before, last] = [this.#points.at(-2), this.#points.at(-1)];
    if (before !== undefined && last !== undefined && last.at - before.at < this.#span) this.#points.pop();
    this.#points.push(point);
    if (this.#points.length <= MOST_POINTS) return;
    this.#points = this.#points.filter((_, index) => index % 2 === 0);
    this.#span *= 2;
  }
}
