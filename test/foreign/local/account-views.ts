// Account, positions, balances, fills and transfers in the JSON form of the local API.
import type { Account, Order } from '../accounts.ts';
import type { Json } from '../json.ts';
import { LISTINGS, type Listing, notional, priceOf, sizeOf, TOKENS } from '../market.ts';
import { FEES, type Trade } from '../trading.ts';
import { timeText } from '../views.ts';
import type { Differences } from './differences.ts';
import type { FundingPayment } from './funding.ts';
import { nameOf, tradeSide } from './market-names.ts';
import type { ProcessState } from './process-state.ts';
import type { Transfer } from './wallet.ts';

export function accountInfo(state: ProcessState): Json {
  const { engine, account, settings, wallet } = state;
  const { differences } = settings;
  const { omf, mf, imf, mmf, pon, pn } = engine.marginsOf(account);
  const fees = differences.constantFees ? { maker: 0, taker: 0.001 } : { maker: FEES.maker / 1e6, taker: FEES.taker / 1e6 };
  return {
    backstopProvider: false,
    collateral: usd(account.balance),
    freeCollateral: usd(wallet.free),
    initialMarginRequirement: ratio(imf, pon, 0),
    maintenanceMarginRequirement: ratio(mmf, pn, 0),
    liquidating: !differences.constantFees && mf < mmf,
    makerFee: fees.maker,
    takerFee: fees.taker,
    marginFraction: ratio(mf, pn, 1),
    openMarginFraction: ratio(omf, pon, 1),
    totalAccountValue: usd(mf),
    totalPositionSize: usd(pn),
    username: String(account.id),
    ...(differences.noLeverage ? {} : { leverage: 1 / Math.min(...LISTINGS.map((listing) => listing.imf)) }),
    positions: positions(state, (requirement) => (differences.textRequirement ? requirement.toString() : requirement)),
  };
}

/** Returns every market with a position or an open order; `spell` formats a margin requirement. */
export function positions({ engine, account }: ProcessState, spell: (requirement: number) => Json = (requirement) => requirement): Json {
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
        unrealizedPnl: usd(account.tradingPnl(listing, engine.indexOf(listing))),
        collateralUsed: usd(notional(listing, engine.indexOf(listing), sum(orders)) * listing.imf),
      },
    ];
  });
}

/** Returns the balances. Only USDC is above zero. The free amounts are text, as the document allows. */
export function balances({ account, settings, wallet }: ProcessState): Json {
  return TOKENS.map(({ symbol }) => {
    const [total, free] = symbol === 'USDC' ? [usd(account.balance), usd(wallet.free)] : [0, 0];
    const owed = Math.max(0, -total);
    return {
      coin: symbol,
      free: free.toString(),
      spotBorrow: settings.differences.negativeBorrow ? 0 - owed : owed,
      total,
      usdValue: total,
      availableWithoutBorrow: Math.max(0, Math.min(free, total)).toString(),
    };
  });
}

/** Returns the fills of an account in a trade: two if the account traded with itself. */
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

export const transferInfo = ({ type, size, time }: Transfer, differences: Differences): Json => ({
  coin: 'USDC',
  size: usd(size),
  type,
  status: differences.transferProcessed ? 'processed' : 'confirmed',
  time: timeText(time),
});

const openOrdersIn = (account: Account, listing: Listing): Order[] =>
  [...account.orders.values()].filter((order) => order.listing === listing);
const sum = (orders: readonly Order[]): number => orders.reduce((total, order) => total + order.remaining, 0);
const usd = (micros: number): number => micros / 1e6;

/** Returns part / whole. With a whole of zero the real process shows 1 for existing margin and 0 for required margin. */
const ratio = (part: number, whole: number, ofNothing: 0 | 1): number => (whole === 0 ? ofNothing : part / whole);
