// What an account's margins would become: an order resting, filled at its price, or everything filled and the market gone against us.
import type { Account } from '../domain/account.ts';
import { requirement } from '../domain/margin.ts';
import type { Market } from '../domain/market.ts';
import { type Lots, lots, micros, mulPpm } from '../domain/numbers.ts';
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
 * and size taken at its worst. Undefined while account or index price are not known.
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
    const prices = priceBand(other, world);
    if (other.spec.kind !== 'perp' || prices === undefined) continue;
    const at = other.id === market.id ? after : exposure(other.id);
    const added = addedWorst(other, { account, at, high: prices });
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
function addedWorst(market: Market, { account, at, high }: { account: Account; at: Exposure; high: PriceBand }) {
  const held = account.positions.find((position) => position.market === market.id)?.size ?? 0;
  const listed = { bid: 0, ask: 0 };
  for (const order of account.orders) if (order.market === market.id) listed[order.side] += order.size;
  const counted = Math.max(Math.abs(held + listed.bid), Math.abs(held - listed.ask));
  return market.notional(high.high, lots(Math.max(0, worstPosition(at) - counted)));
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
  const held = worstAfter(before, { side, size });
  const known = Math.abs(account.positions.find((position) => position.market === market.id)?.size ?? 0);
  const added = market.notional(band.high, lots(Math.max(0, Math.abs(held) - known)));
  const mf = margins.mf + mark - fee;
  const mmf = margins.mmf + requirement(added, market.mmfPpm);
  const notional = market.notional(band.high, lots(Math.abs(held)));
  const kept = notional - mulPpm(notional, market.mmfPpm, 'up');
  return { mf, omf: Math.min(mf, margins.omf + mark - fee), mmf, mark, distance: kept <= 0 ? Number.POSITIVE_INFINITY : (mf - mmf) / kept };
}

/** The larger of the positions that a fill could leave, whatever is true now. */
function worstAfter({ low, high }: Exposure, { side, size }: { side: Side; size: Lots }): number {
  const [a, b] = [low + signOf(side) * size, high + signOf(side) * size];
  return Math.abs(a) > Math.abs(b) ? a : b;
}
