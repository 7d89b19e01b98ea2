// Projects an account's margins: with an order resting, with the order filled at its price, and with everything filled after an adverse move.
import type { Margins, Position } from '../domain/account.ts';
import { type Side, signOf } from '../domain/book.ts';
import { requirement } from '../domain/margin.ts';
import type { Market } from '../domain/market.ts';
import { type Lots, lots, type Micros, micros, type Ticks } from '../domain/numbers.ts';
import { type Exposure, worstPosition, worstWith } from '../world/exposure.ts';
import type { World } from '../world/world.ts';
import type { Candidate, Circumstances } from './guard.ts';
import { type PriceBand, priceBand } from './prices.ts';
import { untradedMarkets } from './worst-notional.ts';

const NOTHING = micros(0);

/** A margin and its requirement, in millionths of the quote token: enough while `value` is above `needed`. */
export interface Projection {
  readonly value: number;
  readonly needed: number;
}

export interface Projections {
  /** omf against imf, with the order resting. */
  readonly resting: Projection;
  /** mf against mmf, and omf against cmf if there is one, with the order filled at its own price at once. */
  readonly filled: Projection;
  readonly filledOpen: Projection | undefined;
  /** mf against mmf, with every order of the worse side of every market filled and prices then moved against us. */
  readonly allFilled: Projection;
  /** How far the price may move after the fill before liquidation, as a fraction. */
  readonly distance: number;
}

export interface ProjectionAssumptions {
  /** A fraction of the notional, charged on every fill. */
  readonly feeRate: number;
  /** The fraction by which prices move against us once everything has filled. */
  readonly adverseMove: number;
}

/**
 * Starts from the exchange's own figures and adds modelled differences, by the formulas of `bot/domain/margin.ts`, with every price and size at its
 * worst. Undefined while the account is unknown, or the index price of a market with a position or an order.
 */
export function project(candidate: Candidate, circumstances: Circumstances, assumed: ProjectionAssumptions): Projections | undefined {
  const margins = circumstances.world.account?.value.margins;
  const band = priceBand(candidate.market, circumstances.world);
  const worst = atWorst(candidate, circumstances, assumed);
  if (margins === undefined || band === undefined || worst === undefined) return undefined;
  const fill = fillAtOnce(candidate, circumstances, { margins, band, feeRate: assumed.feeRate });
  return {
    resting: { value: margins.omf, needed: worst.imf },
    filled: { value: fill.mf, needed: fill.mmf },
    filledOpen: worst.cmf === undefined ? undefined : { value: fill.omf, needed: worst.cmf },
    allFilled: { value: margins.mf + fill.markLoss - worst.loss, needed: worst.mmf },
    distance: fill.distance,
  };
}

/** Returns only the projection `resting`, the one that applies to a resting order. */
export function projectResting(candidate: Candidate, circumstances: Circumstances): Projection | undefined {
  const { world } = circumstances;
  const margins = world.account?.value.margins;
  if (margins === undefined || priceBand(candidate.market, world) === undefined) return undefined;
  let imf: number = margins.imf;
  for (const other of world.perps) {
    const worst = worstIn(other, candidate, circumstances);
    const price = priceBand(other, world)?.high;
    if (price === undefined && worst > 0) return undefined;
    if (price !== undefined) imf += requirement(uncounted(worst, price, other, world), other.imfPpm);
  }
  return { value: margins.omf, needed: imf };
}

/** Returns the worst position in a market with the order resting. */
function worstIn(other: Market, candidate: Candidate, circumstances: Circumstances): Lots {
  const before = circumstances.exposure(other.id);
  return other.id === candidate.market.id ? worstWith(before, candidate) : worstPosition(before);
}

/** Returns the notional of the part of the worst position that the account's figures do not include. */
function uncounted(worst: Lots, price: Ticks, other: Market, world: World): Micros {
  const more = worst - world.countedInMargins(other.id);
  return more > 0 ? other.notional(price, lots(more)) : NOTHING;
}

interface Worst {
  /** With the order resting, or filled. */
  readonly imf: number;
  readonly cmf: number | undefined;
  /** With all orders of the worse side of every market filled, and prices then moved against us. */
  readonly loss: number;
  readonly mmf: number;
}

function atWorst(candidate: Candidate, circumstances: Circumstances, { feeRate, adverseMove }: ProjectionAssumptions): Worst | undefined {
  const { world } = circumstances;
  const margins = world.account?.value.margins;
  if (margins === undefined || priceBand(candidate.market, world) === undefined) return undefined;
  let imf: number = margins.imf;
  let cmf: number | undefined = margins.cmf;
  const others = untradedMarkets(world);
  let loss = others.notional * (adverseMove + feeRate);
  let mmf = others.cmf * (1 + adverseMove);
  for (const other of world.perps) {
    const worst = worstIn(other, candidate, circumstances);
    const price = priceBand(other, world)?.high;
    if (price === undefined && worst > 0) return undefined;
    if (price === undefined) continue;
    const added = uncounted(worst, price, other, world);
    imf += requirement(added, other.imfPpm);
    if (cmf !== undefined) cmf += requirement(added, other.cmfPpm ?? other.imfPpm);
    const notional = other.notional(price, worst);
    loss += notional * (adverseMove + feeRate);
    mmf += requirement(micros(Math.ceil(notional * (1 + adverseMove))), other.mmfPpm);
  }
  return { imf, cmf, loss, mmf };
}

interface Filled {
  readonly mf: number;
  readonly omf: number;
  readonly mmf: number;
  /** The loss of the fill price against the worse market price; 0 or negative. */
  readonly markLoss: number;
  readonly distance: number;
}

function fillAtOnce(
  { market, side, price, size }: Candidate,
  circumstances: Circumstances,
  { margins, band, feeRate }: { margins: Margins; band: PriceBand; feeRate: number },
): Filled {
  const paid = market.notional(price, size);
  const fee = paid * feeRate;
  const worth = market.notional(side === 'bid' ? band.low : band.high, size);
  const markLoss = Math.min(0, signOf(side) * (worth - paid));
  const position = circumstances.world.position(market.id);
  const held = worstAfter(circumstances.exposure(market.id), { side, size });
  const added = market.notional(band.high, lots(Math.max(0, Math.abs(held) - Math.abs(position?.size ?? 0))));
  const mf = margins.mf + markLoss - fee;
  const mmf = margins.mmf + requirement(added, market.mmfPpm);
  const omf = Math.min(mf, margins.omf + markLoss + realisedLoss(position, { side, size }) - fee);
  return { mf, omf, mmf, markLoss, distance: (mf - mmf) / lossPerMove(market, { held, price: band.high }) };
}

/** Returns the loss that closing a part of the position realises; 0 or negative. Gains elsewhere offset that loss in mf, but not in omf. */
function realisedLoss(position: Position | undefined, { side, size }: { side: Side; size: Lots }): number {
  if (position === undefined || Math.sign(position.size) !== -signOf(side)) return 0;
  return Math.min(0, position.tradingPnl) * Math.min(1, size / Math.abs(position.size));
}

/** Returns by how much mf − mmf shrinks if the price moves by 100 % against the position. The requirement of a short grows with the price. */
function lossPerMove(market: Market, { held, price }: { held: number; price: Ticks }): number {
  const notional = market.notional(price, lots(Math.abs(held)));
  return notional - Math.sign(held) * requirement(notional, market.mmfPpm);
}

/** Returns the larger of the two positions that the fill leads to from the ends of the exposure's range. */
function worstAfter({ low, high }: Exposure, { side, size }: { side: Side; size: Lots }): number {
  const a = low + signOf(side) * size;
  const b = high + signOf(side) * size;
  return Math.abs(a) > Math.abs(b) ? a : b;
}
