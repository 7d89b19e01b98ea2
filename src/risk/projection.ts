// What an account's margins would become: an order resting, filled at its price, or everything filled and the market gone against us.
import type { Account, Position } from '../domain/account.ts';
import { requirement } from '../domain/margin.ts';
import type { Market } from '../domain/market.ts';
import { type Lots, lots, type Micros, micros, type Ticks } from '../domain/numbers.ts';
import { type Side, signOf } from '../domain/side.ts';
import { type Exposure, withOrder, worstPosition } from '../world/exposure.ts';
import type { Candidate, Circumstances } from './guard.ts';
import { type PriceBand, priceBand } from './prices.ts';

/** Numerators in millionths of the quote token, as in `Margins`; compare `value` with `needed`. */
export interface Projection {
  readonly value: number;
  readonly needed: number;
}

export interface Projections {
  /** omf against imf, the order resting. */
  readonly resting: Projection;
  /** mf against mmf, and omf against cmf, the order filled at its own price at once. */
  readonly filled: Projection;
  readonly filledOpen: Projection;
  /** mf against mmf, every order of the worse side of every market filled, and the prices then moved against us. */
  readonly allFilled: Projection;
  /** How far the price may move after the fill before liquidation, as a fraction. */
  readonly distance: number;
}

export interface Assumptions {
  /** A fraction of the notional, charged on every fill. */
  readonly feeRate: number;
  /** A fraction that prices move against us once everything has filled. */
  readonly adverseMove: number;
}

/**
 * The base is what the exchange reports of the account; only differences to it are modelled, with the formulas of `domain/margin.ts`, every price
 * and size taken at its worst. Undefined while the account, or the index price of a market in which something is or could be held, is not known.
 */
export function project(candidate: Candidate, { world, exposure }: Circumstances, assumed: Assumptions): Projections | undefined {
  const account = world.account?.value;
  const band = priceBand(candidate.market, world);
  if (account === undefined || band === undefined) return undefined;
  const { margins } = account;
  const { market, side, size } = candidate;
  const before = exposure(market.id);
  const after = withOrder(before, { side, size });

  let [imf, cmf, allLoss, allNeeded] = [margins.imf as number, margins.cmf as number, 0, 0];
  for (const other of world.markets.values()) {
    if (other.spec.kind !== 'perp') continue;
    const prices = priceBand(other, world);
    const at = other.id === market.id ? after : exposure(other.id);
    if (prices === undefined && worstPosition(at) > 0) return undefined;
    if (prices === undefined) continue;
    const added = addedWorst(other, { account, at, price: prices.high });
    imf += requirement(added, other.imfPpm);
    cmf += requirement(added, other.cmfPpm);
    const worst = other.notional(prices.high, worstPosition(at));
    allLoss += worst * (assumed.adverseMove + assumed.feeRate);
    allNeeded += requirement(micros(Math.ceil(worst * (1 + assumed.adverseMove))), other.mmfPpm);
  }
  const fill = fillAtOnce(candidate, { account, before, band, feeRate: assumed.feeRate });
  return {
    resting: { value: margins.omf, needed: imf },
    filled: { value: fill.mf, needed: fill.mmf },
    filledOpen: { value: fill.omf, needed: cmf },
    allFilled: { value: margins.mf + fill.mark - allLoss, needed: allNeeded },
    distance: fill.distance,
  };
}

/** What the worst position with its orders adds to the notional that the account's own figures already count. */
function addedWorst(market: Market, { account, at, price }: { account: Account; at: Exposure; price: Ticks }): Micros {
  const held = positionIn(account, market)?.size ?? 0;
  const listed = { bid: 0, ask: 0 };
  for (const order of account.orders) if (order.market === market.id) listed[order.side] += order.size;
  const counted = Math.max(Math.abs(held + listed.bid), Math.abs(held - listed.ask));
  return market.notional(price, lots(Math.max(0, worstPosition(at) - counted)));
}

interface Filled {
  readonly mf: number;
  readonly omf: number;
  readonly mmf: number;
  /** What the fill price gives away against the worse market price; never positive. */
  readonly mark: number;
  readonly distance: number;
}

function fillAtOnce(
  { market, side, price, size }: Candidate,
  { account, before, band, feeRate }: { account: Account; before: Exposure; band: PriceBand; feeRate: number },
): Filled {
  const { margins } = account;
  const paid = market.notional(price, size);
  const fee = paid * feeRate;
  const worth = market.notional(side === 'bid' ? band.low : band.high, size);
  const mark = Math.min(0, signOf(side) * (worth - paid));
  const position = positionIn(account, market);
  const held = worstAfter(before, { side, size });
  const added = market.notional(band.high, lots(Math.max(0, Math.abs(held) - Math.abs(position?.size ?? 0))));
  const mf = margins.mf + mark - fee;
  const mmf = margins.mmf + requirement(added, market.mmfPpm);
  const omf = Math.min(mf, margins.omf + mark + realisedLoss(position, { side, size }) - fee);
  return { mf, omf, mmf, mark, distance: (mf - mmf) / shedPerMove(market, { held, price: band.high }) };
}

/** The share of an open position's loss that closing it takes from the collateral; gains elsewhere made up for it in mf, and do not in omf. */
function realisedLoss(position: Position | undefined, { side, size }: { side: Side; size: Lots }): number {
  if (position === undefined || Math.sign(position.size) !== -signOf(side)) return 0;
  return Math.min(0, position.tradingPnl) * Math.min(1, size / Math.abs(position.size));
}

/** How much nearer mf and mmf come to each other when the price moves against the position by the whole of itself; a short's requirement grows with it. */
function shedPerMove(market: Market, { held, price }: { held: number; price: Ticks }): number {
  const notional = market.notional(price, lots(Math.abs(held)));
  return notional - Math.sign(held) * requirement(notional, market.mmfPpm);
}

const positionIn = ({ positions }: Account, { id }: Market): Position | undefined => positions.find(({ market }) => market === id);

/** The larger of the positions that a fill could leave, whatever is true now. */
function worstAfter({ low, high }: Exposure, { side, size }: { side: Side; size: Lots }): number {
  const [a, b] = [low + signOf(side) * size, high + signOf(side) * size];
  return Math.abs(a) > Math.abs(b) ? a : b;
}
