// A market maker: quotes both sides of its delayed view of the fair price, replaces misplaced quotes, and skews them against its inventory.

import { crosses, opposite, SIDES, type Side, signOf } from '../../../bot/domain/book.ts';
import { type Ticks, ticks } from '../../../bot/domain/numbers.ts';
import { decay, meanReverting } from './draws.ts';
import type { Fair } from './fair-price.ts';
import type { FlowPort } from './flow-port.ts';
import type { MakerStyle, Series } from './maker-styles.ts';
import { type Attach, type Attachment, passiveTick, positionShare, type Trader } from './trader.ts';

interface Rung {
  readonly level: number;
  readonly distance: number;
  readonly notional: number;
  /** The id of the placed order; undefined if none is known to rest. Fills are not reported to the maker. */
  orderId: string | undefined;
  price: number;
}

/** The desired placement of its quotes: `centre` in ticks; `widening` in basis points is added to every distance. */
interface Placement {
  readonly centre: number;
  readonly widening: number;
  /** Share of correct quotes that are renewed. */
  readonly renewal: number;
}

/** Above the volatility `calmUpTo`, in basis points per square-root second, each further one adds `perVolatility` basis points to every distance. */
const WIDENING = { calmUpTo: 4, perVolatility: 0.2 };
/** Tolerance of a quote's distance, as shares of it: too near costs money, too far only trades less. */
const SLACK = { near: 0.25, far: 0.7 };
/** Default share of correct quotes that are renewed at each check anyway: real books flicker, and a fill that was not noticed is replaced. */
const RENEWAL = 0.008;
const SIZE_DEVIATION = 0.5;
/** Minimum share of its usual size that a maker quotes at any position, so that no side is ever empty. */
const MIN_SHARE = 0.05;

export const marketMaker =
  (style: MakerStyle): Attach =>
  (attachment) =>
    new Maker(style, attachment);

class Maker implements Trader {
  readonly #style: MakerStyle;
  readonly #attachment: Attachment;
  readonly #viewDecay: number;
  readonly #ladder: Readonly<Record<Side, readonly Rung[]>>;
  /** The current factors of the sizes. */
  readonly #sizeVariation: Readonly<Record<Side, () => number>> | undefined;
  #view: number | undefined;
  /** The view that its quotes were placed at. */
  #quotedView = 0;

  constructor(style: MakerStyle, attachment: Attachment) {
    this.#style = style;
    this.#attachment = attachment;
    this.#viewDecay = style.lagSeconds === 0 ? 0 : decay(style.lagSeconds);
    this.#ladder = { bid: rungsOf(style), ask: rungsOf(style) };
    const { sizeVariation } = style;
    if (sizeVariation !== undefined)
      this.#sizeVariation = {
        bid: meanReverting(attachment.rng.fork('swell/bid'), sizeVariation),
        ask: meanReverting(attachment.rng.fork('swell/ask'), sizeVariation),
      };
  }

  act(port: FlowPort, fair: Fair): void {
    const { distances, limit, attention, hold = 0, renewal = RENEWAL } = this.#style;
    const isFirst = this.#view === undefined;
    this.#view = fair.ticks + this.#viewDecay * ((this.#view ?? fair.ticks) - fair.ticks);
    if (!isFirst && this.#attachment.rng.next() >= attention) return;
    if (Math.abs(this.#view / this.#quotedView - 1) * 1e4 >= hold) this.#quotedView = this.#view;
    const share = positionShare(port, this.#attachment, limit);
    const placement: Placement = {
      centre: this.#quotedView * (1 - (share * (distances.first + 1)) / 1e4),
      widening: WIDENING.perVolatility * Math.max(0, fair.volatility - WIDENING.calmUpTo),
      renewal: renewal * fair.activity,
    };
    for (const side of SIDES) this.#cancelMisplaced(port, side, placement);
    for (const side of SIDES)
      this.#refill(port, side, { placement, sizeFactor: Math.max(MIN_SHARE, 1 - Math.max(0, signOf(side) * share)) });
  }

  /** Cancels misplaced quotes; called for both sides before either is refilled, because a stale ask would block the new bid. */
  #cancelMisplaced(port: FlowPort, side: Side, placement: Placement): void {
    const { trader, rng } = this.#attachment;
    const touch = port.best(side);
    for (const rung of this.#ladder[side]) {
      if (rung.orderId === undefined) continue;
      // A bid above the best bid is no longer there.
      const filled = touch === undefined || signOf(side) * (rung.price - touch) > 0;
      if (!filled && isInPlace(rung, side, placement) && rng.next() >= placement.renewal) continue;
      port.cancel({ trader, orderId: rung.orderId });
      rung.orderId = undefined;
    }
  }

  #refill(port: FlowPort, side: Side, { placement, sizeFactor }: { placement: Placement; sizeFactor: number }): void {
    const { trader, rng, sizes } = this.#attachment;
    const { sizeDeviation = SIZE_DEVIATION } = this.#style;
    const sizeVariation = this.#sizeVariation === undefined ? 1 : Math.exp(this.#sizeVariation[side]());
    for (const rung of this.#ladder[side]) {
      if (rung.orderId !== undefined) continue;
      const away = ticksFromCentre(rung, placement) * (0.85 + 0.3 * rng.next());
      const price = withoutCrossing(port, side, passiveTick(side, placement.centre - signOf(side) * away));
      const size = sizes.lots(rung.notional * sizeFactor * sizeVariation * Math.exp(sizeDeviation * rng.normal()));
      rung.price = price;
      rung.orderId = port.place({ trader, side, fillMode: 'POST_ONLY', price, size });
    }
  }
}

const rungsOf = ({ levels, distances, notionals, orders = 1 }: MakerStyle): readonly Rung[] =>
  Array.from({ length: levels * orders }, (_, index) => {
    const level = Math.floor(index / orders);
    return { level, distance: nth(distances, level), notional: nth(notionals, level), orderId: undefined, price: 0 };
  });

const nth = ({ first, factor }: Series, level: number): number => first * factor ** level;

/** Ticks from the centre; at least one for each level before it, if ticks are coarse. */
const ticksFromCentre = ({ level, distance }: Rung, { centre, widening }: Placement): number =>
  Math.max(level, ((distance + widening) * centre) / 1e4);

function isInPlace(rung: Rung, side: Side, placement: Placement): boolean {
  const away = ticksFromCentre(rung, placement);
  const actual = signOf(side) * (placement.centre - rung.price);
  return actual >= away * (1 - SLACK.near) && actual <= away * (1 + SLACK.far) + 1;
}

/** Returns the price, or the best price that does not cross the other side. */
function withoutCrossing(port: FlowPort, side: Side, price: Ticks): Ticks {
  const other = port.best(opposite(side));
  return other !== undefined && crosses(side, price, other) ? ticks(Math.max(1, other - signOf(side))) : price;
}
