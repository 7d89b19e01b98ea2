// A grid: resting orders at fixed levels. Each fill is answered by an order one level back, so it keeps buying low and selling one level higher.
//
// The levels are a ladder that never moves: it follows from the parameters, not from when the run began. Between two neighbouring levels is a cell;
// it is filled by buying at its lower level and emptied by selling at its upper one. All cells above the boundary are filled and all below are empty,
// so the boundary is the level that was filled last: nothing rests there, bids lie below it and asks above it. Every fill moves the boundary by one
// cell, and a partial fill by a part of one: the part of the cell that was bought is offered above, the rest is still bid for below.
//
// So the whole state is one pair of boundary and position (`Anchor`), from which the account's position moves the boundary: no count could be lost.
// After a restart the boundary lies between our own highest bid and lowest ask, or at the market if none rest. A level that the exchange refused, or
// that would trade at once, is quoted again when the market allows. When the market runs away from the boundary, as it does when the position is at
// its limit or orders could not be sent, the boundary is set to the market again; the levels stay where they are, so orders at levels of both states
// keep their place.
import { defineStrategy, type MarketView, type OrderView, type PriceLevel, UserError } from 'tickwright';

const defaults = {
  market: 'BTCUSDC',
  spacing: 'geometric',
  spacingBps: 4,
  levels: 5,
  size: 0,
  notional: 500,
  lower: 0,
  upper: 0,
  recentreBps: 20,
  maxPositionNotional: 5_000,
};
type GridParams = typeof defaults;

export default defineStrategy({
  name: 'grid',
  defaults,
  ranges: { spacing: ['geometric', 'arithmetic'], levels: [1, 100] },
  create(params) {
    check(params);
    let ladder: Ladder | undefined;
    let anchor: Anchor | undefined;
    return (view) => {
      const market = view.market(params.market);
      if (market.mid === undefined) return [];
      ladder ??= ladderFor(params, { tick: market.tick, price: market.mid });
      const inputs: TurnInputs = { params, ladder, market, mid: market.mid };
      if (anchor === undefined || isIdle(anchor, market)) anchor = anchorBetween(listed(market), inputs);
      else if (hasRunAway(anchor, inputs)) anchor = anchorBetween([], inputs);
      return [market.quote({ bids: wanted('bid', anchor, inputs), asks: wanted('ask', anchor, inputs) })];
    };
  },
});

/** Level numbers are whole; `levelOf` returns the fractional number of a price between two levels. */
interface Ladder {
  price(level: number): number;
  levelOf(price: number): number;
}

/** At position `position` the boundary is at `level`; each `cell` bought (base units, worth `notional`) lowers it by one. */
interface Anchor {
  readonly level: number;
  readonly position: number;
  readonly cell: number;
  readonly notional: number;
}

/** The inputs of one turn. */
interface TurnInputs {
  readonly params: GridParams;
  readonly ladder: Ladder;
  readonly market: MarketView;
  readonly mid: number;
}

/** A filled share of a cell nearer than this to 0 or 1 counts as 0 or 1. */
const SHARE_SLACK = 0.1;

/**
 * Steps are at least two ticks, so that levels differ. Arithmetic steps are a fraction of the range's lower end, or of the price rounded to one
 * digit.
 */
function ladderFor({ spacing, spacingBps, lower }: GridParams, { tick, price }: { tick: number; price: number }): Ladder {
  const foot = lower > 0 ? lower : Number(price.toPrecision(1));
  const step = Math.max(spacingBps / 1e4, (2 * tick) / foot);
  const onTick = (exact: number): number => Math.round(exact / tick) * tick;
  if (spacing === 'arithmetic') {
    return { price: (level) => onTick(lower + level * foot * step), levelOf: (at) => (at - lower) / (foot * step) };
  }
  const [from, ratio] = [lower > 0 ? lower : 1, Math.log1p(step)];
  return { price: (level) => onTick(from * Math.exp(level * ratio)), levelOf: (at) => Math.log(at / from) / ratio };
}

/** Orders filled while nobody looked are missing in the account by whose position the anchor is set. */
const listed = ({ orders }: MarketView): readonly OrderView[] => orders.filter(({ missing }) => !missing);

/**
 * An anchor between the resting orders, as near to the market as they allow. If both ends of one cell rest, the rest of its bid sets the fraction. So does
 * a part of a cell of which one end rests alone, because the other would trade at once.
 */
function anchorBetween(orders: readonly OrderView[], { params, ladder, market, mid }: TurnInputs): Anchor {
  const centre = params.upper > 0 ? Math.min(params.upper, Math.max(params.lower, mid)) : mid;
  const cell = Math.max(1, Math.round((params.size || params.notional / centre) / market.lot)) * market.lot;
  const ends = (side: 'bid' | 'ask') => orders.filter((order) => order.side === side && order.remaining > 0);
  const [bid] = ends('bid').sort((a, b) => b.price - a.price);
  const [ask] = ends('ask').sort((a, b) => a.price - b.price);
  const above = bid && Math.round(ladder.levelOf(bid.price)) + 1;
  const below = ask && Math.round(ladder.levelOf(ask.price)) - 1;
  const atMarket = Math.round(ladder.levelOf(centre));
  const whole = Math.max(above ?? below ?? atMarket, Math.min(below ?? above ?? atMarket, atMarket));
  const bidShare = restOf(bid, cell);
  const askShare = restOf(ask, cell);
  const anchored = { position: market.position, cell, notional: cell * centre };
  if (above !== undefined && (below === above - 1 || bidShare < 1 - SHARE_SLACK)) return { ...anchored, level: above - 1 + bidShare };
  if (below !== undefined && askShare < 1 - SHARE_SLACK) return { ...anchored, level: below + 1 - askShare };
  return { ...anchored, level: whole };
}

/** How much of a cell an order has left: 0 to 1. */
const restOf = (order: OrderView | undefined, cell: number): number => Math.min(1, (order?.remaining ?? cell) / cell);

/** True if nothing rests and nothing was traded since: there is no boundary to keep. */
const isIdle = ({ position }: Anchor, market: MarketView): boolean => market.position === position && market.orders.length === 0;

function hasRunAway(anchor: Anchor, { params, ladder, market, mid }: TurnInputs): boolean {
  const most = Math.max(2, Math.min(params.levels, params.recentreBps / params.spacingBps)); // beyond its levels a side would be empty
  return params.upper === 0 && Math.abs(ladder.levelOf(mid) - boundary(anchor, market)) > most;
}

function boundary({ level, position, cell }: Anchor, market: MarketView): number {
  const exact = level - (market.position - position) / cell;
  return Math.abs(exact - Math.round(exact)) < SHARE_SLACK ? Math.round(exact) : exact;
}

/** One side's orders, nearest first: what is left in the boundary's own cell, then whole cells, as far as the position limit allows. */
function wanted(side: 'bid' | 'ask', anchor: Anchor, { params, ladder, market }: TurnInputs): readonly PriceLevel[] {
  const outward = side === 'bid' ? -1 : 1;
  const at = boundary(anchor, market);
  const nearest = side === 'bid' ? Math.floor(at) : Math.ceil(at);
  let left = params.maxPositionNotional / anchor.notional + (outward * market.position) / anchor.cell;
  const orders: PriceLevel[] = [];
  for (let away = 0; away <= params.levels; away++) {
    const price = ladder.price(nearest + outward * away);
    const share = away === 0 ? Math.abs(at - nearest) : 1;
    if (share === 0) continue; // the boundary itself
    left -= share;
    if (left < -SHARE_SLACK || (params.upper > 0 && (price < params.lower || price > params.upper))) break;
    if (!isPassive(side, price, market) && standingAt(side, price, market) === undefined) continue;
    const standing = share < 1 ? standingAt(side, price, market) : undefined;
    orders.push({ price, size: standing?.size ?? share * anchor.cell });
  }
  return orders;
}

const standingAt = (side: 'bid' | 'ask', price: number, { orders, tick }: MarketView): OrderView | undefined =>
  orders.find((order) => order.side === side && Math.abs(order.price - price) < tick * 0.99); // an order price may be rounded by less than a step

const isPassive = (side: 'bid' | 'ask', price: number, { bestBid = 0, bestAsk = Infinity }: MarketView): boolean =>
  side === 'bid' ? price < bestAsk : price > bestBid;

function check({ lower, upper, notional, maxPositionNotional }: GridParams): void {
  if ((lower !== 0 || upper !== 0) && !(lower > 0 && lower < upper)) {
    throw invalid(`lower ${lower} and upper ${upper} are not a range; give both, or neither to follow the price`);
  }
  if (maxPositionNotional < notional)
    throw invalid(`maxPositionNotional ${maxPositionNotional} is less than one order of notional ${notional}`);
}

const invalid = (message: string): UserError => new UserError({ code: 'params', message });
