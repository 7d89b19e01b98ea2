// Compares accounts, orders and live info, so that unchanged data is not processed again.
import type { Account, Balance, Margins, Position, RestingOrder } from '../domain/account.ts';
import type { LiveInfo } from '../domain/event.ts';

/**
 * True if the accounts are equal except for their update number, which actions of other traders also change, and for `spotApart` and `feeRange`, which no
 * order changes.
 */
export const sameAccount = (one: Account, other: Account): boolean =>
  one.id === other.id &&
  one.feeRate === other.feeRate &&
  one.fees?.maker === other.fees?.maker &&
  one.fees?.taker === other.fees?.taker &&
  one.requests?.used === other.requests?.used &&
  one.requests?.allowed === other.requests?.allowed &&
  sameMargins(one.margins, other.margins) &&
  sameOrders(one.orders, other.orders) &&
  sameList(one.positions, other.positions, samePosition) &&
  sameList(one.balances, other.balances, sameBalance);

/** True if the accounts hold the same size in each market. */
export const samePositionSizes = ({ positions: some }: Account, { positions: others }: Account): boolean =>
  sameList(some, others, (one, other) => one.market === other.market && one.size === other.size);

export const sameOrders = (some: readonly RestingOrder[], others: readonly RestingOrder[]): boolean => sameList(some, others, sameOrder);

export const sameInfo = (one: LiveInfo, other: LiveInfo): boolean =>
  one.market === other.market &&
  one.index === other.index &&
  one.indexConf === other.indexConf &&
  one.mark === other.mark &&
  one.frozen === other.frozen &&
  one.fundingRate === other.fundingRate &&
  one.nextFunding === other.nextFunding &&
  one.fundingPaid === other.fundingPaid &&
  one.openInterest === other.openInterest;

function sameList<T>(some: readonly T[], others: readonly T[], same: (one: T, other: T) => boolean): boolean {
  if (some === others) return true;
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at++) {
    const one = some[at]!;
    const other = others[at]!;
    if (one !== other && !same(one, other)) return false;
  }
  return true;
}

const sameMargins = (one: Margins, other: Margins): boolean =>
  one.omf === other.omf &&
  one.mf === other.mf &&
  one.imf === other.imf &&
  one.cmf === other.cmf &&
  one.mmf === other.mmf &&
  one.pon === other.pon &&
  one.pn === other.pn &&
  one.bankruptcy === other.bankruptcy;

export const sameOrder = (one: RestingOrder, other: RestingOrder): boolean =>
  one.orderId === other.orderId &&
  one.market === other.market &&
  one.side === other.side &&
  one.price === other.price &&
  one.size === other.size &&
  one.originalSize === other.originalSize &&
  one.clientOrderId === other.clientOrderId;

const samePosition = (one: Position, other: Position): boolean =>
  one.market === other.market &&
  one.size === other.size &&
  one.entry === other.entry &&
  one.tradingPnl === other.tradingPnl &&
  one.fundingPaymentPnl === other.fundingPaymentPnl &&
  one.fundingIndex === other.fundingIndex &&
  one.actionId === other.actionId;

const sameBalance = (one: Balance, other: Balance): boolean =>
  one.tokenId === other.tokenId && one.token === other.token && one.amount === other.amount;
