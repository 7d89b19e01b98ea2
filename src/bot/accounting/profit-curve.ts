// The curve of equity and profit of a run, with a bounded number of points.
import type { Millis } from '../../base/clock.ts';

/** Money in millionths of the quote token. */
export interface ProfitPoint {
  readonly at: Millis;
  readonly equity: number;
  readonly pnl: number;
}

const FIRST_SPAN: Millis = 1_000;
const MAX_POINTS = 2_000;

/** What a later process continues from. */
export interface ProfitCurveCarry {
  readonly points: readonly ProfitPoint[];
  readonly span: Millis;
}

export class ProfitCurve {
  #points: ProfitPoint[] = [];
  #span: Millis = FIRST_SPAN;
  #peak = -Infinity;
  #drawdown = 0;
  readonly #maxPoints: number;

  constructor(maxPoints = MAX_POINTS) {
    this.#maxPoints = maxPoints;
  }

  /** Call it before the first point. The drawdown counts from these points too. */
  resume({ points, span }: ProfitCurveCarry): void {
    for (const point of points) this.#measure(point);
    this.#points = [...points];
    this.#span = span;
  }

  get span(): Millis {
    return this.#span;
  }

  /** Oldest first; the span between two points grows with the length of the run. */
  get points(): readonly ProfitPoint[] {
    return this.#points;
  }

  /** The maximum drawdown of the profit, in millionths, at least 0; computed from all added points, also those that were thinned out. */
  get drawdown(): number {
    return this.#drawdown;
  }

  /** True if a second has passed since the last point. */
  isDue(at: Millis): boolean {
    const last = this.#points.at(-1);
    return last === undefined || at >= last.at + FIRST_SPAN;
  }

  /**
   * Adds a point. If the last two points are less than the span apart, it replaces the last one. If there are too many points, every other one is removed and
   * the span doubles.
   */
  add(point: ProfitPoint): void {
    this.#measure(point);
    const [before, last] = [this.#points.at(-2), this.#points.at(-1)];
    if (before !== undefined && last !== undefined && last.at - before.at < this.#span) this.#points.pop();
    this.#points.push(point);
    if (this.#points.length <= this.#maxPoints) return;
    this.#points = this.#points.filter((_, index) => index % 2 === 0);
    this.#span *= 2;
  }

  #measure({ pnl }: ProfitPoint): void {
    this.#peak = Math.max(this.#peak, pnl);
    this.#drawdown = Math.max(this.#drawdown, this.#peak - pnl);
  }
}
