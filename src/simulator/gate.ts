// What an order must pass before it is executed: the account as it would be after it.
import type { Margins } from '../domain/account.ts';
import { mayOpen, worstSize } from '../domain/margin.ts';
import { type Lots, lots, type Micros, micros, type Ticks } from '../domain/numbers.ts';
import { canRest, type FillMode } from '../domain/order.ts';
import { type Side, signOf } from '../domain/side.ts';
import { type Account, type Holding, holdingIn } from './account.ts';
import type { Refusal } from './commands.ts';
import { feeOn } from './fees.ts';
import { feePpm, type House } from './house.ts';
import { QUOTE } from './listing.ts';
import { remaining } from './orders.ts';
import type { Pit } from './pit.ts';
import { type PerpPosition, traded } from './position.ts';
import { exposureOf, marginsIf, marginsNow } from './standing.ts';

/** An order whose fills are planned in its pit's book. */
export interface Planned {
  readonly side: Side;
  readonly fillMode: FillMode;
  readonly price?: Ticks | undefined;
  readonly size: Lots;
}

/** Why the account may not have this order; undefined when it may. */
export function gate(house: House, account: Account, pit: Pit, order: Planned): Refusal | undefined {
  if (account.house) return undefined;
  return pit.market.spec.kind === 'spot' ? spotGate(house, account, pit, order) : perpGate(house, account, pit, order);
}

/**
 * An order that could increase the position must leave omf above imf, counted as if what rests of it were open already. One that can only reduce it
 * may always rest; what it trades at once must leave omf above cmf, or at least no nearer to it than before.
 */
function perpGate(house: House, account: Account, pit: Pit, order: Planned): Refusal | undefined {
  const holding = holdingIn(account, pit);
  let { position } = holding;
  let money = 0;
  for (const { size, cost, fee } of plannedFills(house, account, pit, order.side)) {
    const leg = traded(position, { size, cost });
    position = leg.position;
    money += leg.realised - fee;
  }
  const rest = canRest(order.fillMode) ? order.size - pit.book.fills.total : 0;
  const bids = lots(holding.open.bid + (order.side === 'bid' ? rest : 0));
  const asks = lots(holding.open.ask + (order.side === 'ask' ? rest : 0));
  if (worstSize(position.size, bids, asks) > pit.sizeLimit) return 'POSITION_SIZE_LIMIT';
  const now = exposureOf(holding);
  const tradingPnl = micros(pit.market.notional(now.price, position.size) - position.cost);
  const after = marginsIf(house, account, {
    balances: account.balances.with(QUOTE, account.balances[QUOTE]! + money),
    exposure: { ...now, position: position.size, bids, asks, tradingPnl },
  });
  if (mayOpen(after)) return undefined;
  if (!onlyReduces(holding, order)) return 'INSUFFICIENT_FUNDS';
  if (pit.book.fills.count === 0 || spare(after) > 0 || spare(after) >= spare(marginsNow(house, account))) return undefined;
  return 'RISK_TRADE_OMF_LESS_THAN_OR_EQUAL_CMF';
}

/** What separates an account from having its orders cancelled. */
const spare = ({ omf, cmf }: Margins): number => omf - cmf;

/** Even if it and all that rests on its side were filled, the position would only be smaller. */
function onlyReduces({ position, open }: Holding, { side, size }: Planned): boolean {
  return Math.sign(position.size) === -signOf(side) && size + open[side] <= Math.abs(position.size);
}

/**
 * A spot order must be covered by what the account has and has not promised to another, fees included, and leave it as able to open as it must be.
 * A perpetual's loss may take the cover of a resting bid away later: its fill then leaves a debt, which the margins count in full.
 */
function spotGate(house: House, account: Account, pit: Pit, order: Planned): Refusal | undefined {
  const { baseTokenId } = pit.market.spec;
  const balances = [...account.balances];
  for (const { size, cost, fee } of plannedFills(house, account, pit, order.side)) {
    balances[baseTokenId]! += size;
    balances[QUOTE]! -= cost + fee;
  }
  if (order.side === 'ask' && account.balances[baseTokenId]! < order.size + holdingIn(account, pit).open.ask) return 'INSUFFICIENT_FUNDS';
  if (order.side === 'bid' && balances[QUOTE]! < promised(house, account) + restCost(house, account, pit, order))
    return 'INSUFFICIENT_FUNDS';
  const after = marginsIf(house, account, { balances });
  return mayOpen(after) || after.omf >= marginsNow(house, account).omf ? undefined : 'INSUFFICIENT_FUNDS';
}

interface PlannedFill extends PerpPosition {
  readonly fee: Micros;
}

const NO_FILLS: readonly PlannedFill[] = [];

/** What the account would buy, or sell where size and cost are negative, and the fee of each fill. */
function plannedFills(house: House, account: Account, { book: { fills }, market }: Pit, side: Side): readonly PlannedFill[] {
  if (fills.count === 0) return NO_FILLS;
  const sign = signOf(side);
  const ppm = feePpm(house, account, 'taker');
  return Array.from({ length: fills.count }, (_, index) => {
    const size = fills.size(index);
    const notional = market.notional(fills.price(index), size);
    return { size: lots(sign * size), cost: micros(sign * notional), fee: feeOn(notional, ppm) };
  });
}

/** Quote money that the account's resting spot bids would cost, with the fee they would pay now. */
export function promised(house: House, account: Account): number {
  let total = 0;
  for (const order of account.orders.values()) {
    const pit = house.pits[order.market]!;
    if (pit.market.spec.kind === 'spot' && order.side === 'bid')
      total += makerCost(house, account, pit, { price: order.price!, size: remaining(order) });
  }
  return total;
}

function restCost(house: House, account: Account, pit: Pit, { fillMode, price, size }: Planned): number {
  if (!canRest(fillMode) || price === undefined) return 0;
  return makerCost(house, account, pit, { price, size: lots(size - pit.book.fills.total) });
}

function makerCost(house: House, account: Account, { market }: Pit, { price, size }: { price: Ticks; size: Lots }): number {
  const notional = market.notional(price, size);
  return notional + feeOn(notional, feePpm(house, account, 'maker'));
}
