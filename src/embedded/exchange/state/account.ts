// An account: its balances, positions, orders and history.
import { DAY, type Millis } from '../../../base/clock.ts';
import { Ring } from '../../../base/collections/recent.ts';
import { TransientMap } from '../../../base/collections/transient-map.ts';
import type { RestingOrder } from '../../../bot/domain/account.ts';
import type { Side } from '../../../bot/domain/book.ts';
import type { AccountId, OrderId } from '../../../bot/domain/ids.ts';
import { type Lots, lots, type Micros, micros } from '../../../bot/domain/numbers.ts';
import { SlidingWindow } from '../history/sliding-window.ts';
import { type FundingPayment, type FundsMove, PnlHistory } from '../history/statement.ts';
import { tierOf } from './fees.ts';
import type { MarketState } from './market-state.ts';
import { type LiveOrder, OrderHistory } from './orders.ts';
import type { PerpPosition } from './position.ts';

/** What an account has in one market. */
export interface Holding {
  readonly marketState: MarketState;
  /** Always flat in a spot market, where bought tokens are a balance. */
  position: PerpPosition;
  /** The market's funding index when funding was last moved into the balance. */
  fundingIndex: number;
  /** Total size of resting orders. */
  readonly open: Record<Side, Lots>;
  /** The last action that changed any of this. */
  action: number;
}

export interface ExchangeAccount {
  readonly id: AccountId;
  /** By token id: Micros for the quote token, negative if it is owed; lots of its spot market for a base token. */
  readonly balances: number[];
  /** The user's wallet outside the exchange, by token id, in the units of `balances`. All accounts of a user share it. */
  readonly wallet: number[];
  readonly fundsMoves: Ring<FundsMove>;
  readonly fundingPayments: Ring<FundingPayment>;
  /** Empty if `isOtherTrader`, as `history` is. */
  readonly pnl: PnlHistory;
  /** By market id. */
  readonly holdings: Map<number, Holding>;
  /** The resting orders. */
  readonly orders: TransientMap<OrderId, LiveOrder>;
  /** The list of them last shown to the account's user. */
  shownOrders: readonly RestingOrder[];
  /** Empty if `isOtherTrader`: those accounts are never queried, and their history would use most of the memory. */
  readonly history: OrderHistory;
  /** Traded quote money, as maker and as taker. */
  readonly volume: SlidingWindow<{ quote: number }>;
  /** True for an account without a user: of another trader, or of the exchange itself. Its margins are never checked, so it is never liquidated. */
  readonly isOtherTrader: boolean;
}

/** The newest funds moves, and the newest funding payments, that are kept of an account. */
const KEPT = 1_000;

/** Returns balances of 0 for this number of tokens. */
export const noTokens = (count: number): number[] => Array.from({ length: count }, () => 0);

export const newAccount = ({ id, isOtherTrader, wallet }: Pick<ExchangeAccount, 'id' | 'isOtherTrader' | 'wallet'>): ExchangeAccount => ({
  id,
  balances: noTokens(wallet.length),
  wallet,
  fundsMoves: new Ring(KEPT),
  fundingPayments: new Ring(KEPT),
  pnl: new PnlHistory(),
  holdings: new Map(),
  orders: new TransientMap(),
  shownOrders: [],
  history: new OrderHistory(),
  volume: new SlidingWindow({ span: 30 * DAY, width: DAY, empty: () => ({ quote: 0 }) }),
  isOtherTrader,
});

/** Returns what the account has in a market; creates an empty holding if there is none. */
export function holdingIn(account: ExchangeAccount, marketState: MarketState): Holding {
  const known = account.holdings.get(marketState.market.id);
  if (known !== undefined) return known;
  const holding: Holding = {
    marketState,
    position: { size: lots(0), cost: micros(0) },
    fundingIndex: marketState.funding.index,
    open: { bid: lots(0), ask: lots(0) },
    action: 0,
  };
  account.holdings.set(marketState.market.id, holding);
  return holding;
}

/** Funding earned (positive) or owed, not yet in the balance. */
export const unsettledFunding = ({ marketState, position, fundingIndex }: Holding): Micros =>
  marketState.funding.earned(position.size, fundingIndex);

/** Returns the fee tier of the volume of the last thirty days. */
export const feeTierOf = (account: ExchangeAccount, now: Millis): number => tierOf(account.volume.sumSince(now - 30 * DAY, quoteOf));

const quoteOf = ({ quote }: { readonly quote: number }): number => quote;
