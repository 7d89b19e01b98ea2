// The account, its positions, balances, fills and transfers, as the local process shows them.
import type { Account, Order } from '../accounts.ts';
import { FEES, type Trade } from '../deals.ts';
import type { Json } from '../json.ts';
import { LISTINGS, type Listing, notional, priceOf, sizeOf, TOKENS } from '../market.ts';
import { timeText } from '../views.ts';
import type { FundingPayment } from './funding.ts';
import type { House } from './house.ts';
import { nameOf, tradeSide } from './names.ts';
import type { Rows } from './rows.ts';
import type { Transfer } from './wallet.ts';

export function accountInfo(house: House): Json {
  const { floor, account, settings, wallet } = house;
  const { rows } = settings;
  const { omf, mf, imf, mmf, pon, pn } = floor.marginsOf(account);
  const fees = rows.constantFees ? { maker: 0, taker: 0.001 } : { maker: FEES.maker / 1e6, taker: FEES.taker / 1e6 };
  return {
    backstopProvider: false,
    collateral: usd(account.balance),
    freeCollateral: usd(wallet.free),
    initialMarginRequirement: ratio(imf, pon, 0),
    maintenanceMarginRequirement: ratio(mmf, pn, 0),
    liquidating: !rows.constantFees && mf < mmf,
    makerFee: fees.maker,
    takerFee: fees.taker,
    marginFraction: ratio(mf, pn, 1),
    openMarginFraction: ratio(omf, pon, 1),
    totalAccountValue: usd(mf),
    totalPositionSize: usd(pn),
    username: String(account.id),
    ...(rows.noLeverage ? {} : { leverage: 1 / Math.min(...LISTINGS.map((listing) => listing.imf)) }),
    positions: positions(house, (requirement) => (rows.textRequirement ? requirement.toString() : requirement)),
  };
}

/** Of every market where something is held or ordered; `spell` writes a margin requirement. */
export function positions({ floor, account }: House, spell: (requirement: number) => Json = (requirement) => requirement): Json {
  return LISTINGS.flatMap((listing): Json[] => {
    const orders = openOrdersIn(account, listing);
    const size = account.sizeIn(listing);
    if (size === 0 && orders.length === 0) return [];
    const cost = usd(account.positions.get(listing)?.cost ?? 0);
    const ordered = (side: Order['side']): number => sum(orders.filter((order) => order.side === side));
    return [
      {
        future: nameOf(listing),
        cost,
        entryPrice: size === 0 ? 0 : cost / sizeOf(listing, size),
        initialMarginRequirement: spell(listing.imf),
        maintenanceMarginRequirement: listing.mmf,
        netSize: sizeOf(listing, size),
        size: sizeOf(listing, Math.abs(size)),
        side: tradeSide(size < 0 ? 'ask' : 'bid'),
        openSize: sizeOf(listing, sum(orders)),
        longOrderSize: sizeOf(listing, ordered('bid')),
        shortOrderSize: sizeOf(listing, ordered('ask')),
        unrealizedPnl: usd(account.tradingPnl(listing, floor.indexOf(listing))),
        collateralUsed: usd(notional(listing, floor.indexOf(listing), sum(orders)) * listing.imf),
      },
    ];
  });
}

/** Everything is in USDC; what is free is written as text, as the document allows. */
export function balances({ account, settings, wallet }: House): Json {
  return TOKENS.map(({ symbol }) => {
    const [total, free] = symbol === 'USDC' ? [usd(account.balance), usd(wallet.free)] : [0, 0];
    const owed = Math.max(0, -total);
    return {
      coin: symbol,
      free: free.toString(),
      spotBorrow: settings.rows.negativeBorrow ? 0 - owed : owed,
      total,
      usdValue: total,
      availableWithoutBorrow: Math.max(0, Math.min(free, total)).toString(),
    };
  });
}

/** What one trade was for an account; two fills where the account traded with itself. */
export function fillsIn(trade: Trade, account: Account): Json[] {
  const { listing, price, size, time, takerSide } = trade;
  const market = nameOf(listing);
  const takerBuys = takerSide === 'bid';
  const fill = (liquidity: 'taker' | 'maker'): Json => ({
    symbol: market,
    future: market,
    market,
    liquidity,
    price: priceOf(listing, price),
    size: sizeOf(listing, size),
    side: takerBuys === (liquidity === 'taker') ? 'buy' : 'sell',
    time: timeText(time),
  });
  return [...(trade.takerId === account.id ? [fill('taker')] : []), ...(trade.makerId === account.id ? [fill('maker')] : [])];
}

export const paymentInfo = ({ listing, rate, payment, at }: FundingPayment): Json => ({
  future: nameOf(listing),
  rate,
  payment: usd(payment),
  date: timeText(at),
});

export const transferInfo = ({ type, size, time }: Transfer, rows: Rows): Json => ({
  coin: 'USDC',
  size: usd(size),
  type,
  status: rows.transferProcessed ? 'processed' : 'confirmed',
  time: timeText(time),
});

const openOrdersIn = (account: Account, listing: Listing): Order[] =>
  [...account.orders.values()].filter((order) => order.listing === listing);
const sum = (orders: readonly Order[]): number => orders.reduce((total, order) => total + order.remaining, 0);
const usd = (micros: number): number => micros / 1e6;

/** A fraction of nothing is what the real process says it is: 1 for what there is, 0 for what is required. */
const ratio = (part: number, whole: number, ofNothing: 0 | 1): number => (whole === 0 ? ofNothing : part / whole);
