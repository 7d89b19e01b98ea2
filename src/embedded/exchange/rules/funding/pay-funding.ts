// Pays funding when it is due, and records the payments per market and per account.
import { micros } from '../../../../bot/domain/numbers.ts';
import { unsettledFunding } from '../../state/account.ts';
import { type ExchangeState, nextAction } from '../../state/exchange-state.ts';
import type { MarketState } from '../../state/market-state.ts';

/** A market that pays now, and its rate as a fraction of the price on which it pays. */
export interface DuePayment {
  readonly marketState: MarketState;
  readonly rate: number;
}

/** Makes the payments that are due at this step, for all markets as one action. */
export function payDueFunding(state: ExchangeState): void {
  let dues: DuePayment[] | undefined;
  for (const marketState of state.marketStates) {
    const rate = marketState.terms.takeDue(state.now);
    if (rate !== undefined) (dues ??= []).push({ marketState, rate });
  }
  if (dues !== undefined) payFunding(state, dues);
}

/**
 * Pays as one action. A spot market has no positions, so nothing is paid there. The market's funding index moves at once, and with it what each account
 * owes. That amount enters the account's balance when its position next changes. The recorded payments of an account add up to exactly that amount.
 */
export function payFunding(state: ExchangeState, dues: readonly DuePayment[]): void {
  nextAction(state);
  const rates = new Map(dues.map(({ marketState, rate }) => [marketState, rate]));
  const paying = state.accounts
    .filter((account) => !account.isOtherTrader)
    .flatMap((account) => [...account.holdings.values()].map((holding) => ({ account, holding })))
    .filter(({ holding: { marketState, position } }) => position.size !== 0 && rates.has(marketState))
    .map((part) => ({ ...part, before: unsettledFunding(part.holding) }));
  for (const due of dues) payMarket(state, due);
  for (const { account, holding, before } of paying) {
    const { id } = holding.marketState.market;
    const payment = micros(before - unsettledFunding(holding));
    account.fundingPayments.push({ time: state.now, market: id, rate: rates.get(holding.marketState)!, payment });
  }
}

function payMarket(state: ExchangeState, { marketState, rate }: DuePayment): void {
  const { funding, prices, market, terms, openInterest } = marketState;
  const before = funding.index;
  funding.pay({ rate, price: prices[terms.paidOn] });
  if (market.spec.kind === 'spot') return;
  const collected = micros(-funding.earned(openInterest, before));
  marketState.fundingHours.push({
    time: state.now,
    market: market.id,
    index: funding.shown(funding.index),
    collected,
    rate,
    indexPrice: prices.index,
    mark: prices.mark,
    action: state.actions,
  });
}
