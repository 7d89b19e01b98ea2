// Computes the margins of an account, current or projected. The formulas are in `bot/domain/margin.ts`.
import { type MarginExposure, MarginSums, type MarginsWithCancel, requirement } from '../../../bot/domain/margin.ts';
import { lots, type Micros, micros, mulPpm } from '../../../bot/domain/numbers.ts';
import { type ExchangeAccount, type Holding, unsettledFunding } from '../state/account.ts';
import type { ExchangeState } from '../state/exchange-state.ts';
import { QUOTE } from '../state/listing.ts';

export interface ProjectedMargins {
  /** Indexed as the account's balances. */
  readonly balances: readonly number[];
  /** Replaces the account's own exposure in that market. */
  readonly exposure?: MarginExposure | undefined;
}

/** Margins by the model of the domain, every position and token at its index price. */
export const marginsNow = (state: ExchangeState, account: ExchangeAccount): MarginsWithCancel =>
  marginsIf(state, account, { balances: account.balances });

/** Returns the margins with parts of the account replaced. */
export function marginsIf(state: ExchangeState, account: ExchangeAccount, { balances, exposure }: ProjectedMargins): MarginsWithCancel {
  const sums = new MarginSums();
  if (exposure !== undefined) sums.add(exposure);
  for (const holding of account.holdings.values()) {
    const { market } = holding.marketState;
    if (market.spec.kind === 'perp' && market !== exposure?.market) sums.add(exposureOf(holding));
  }
  return sums.margins(collateralOf(state, balances));
}

/**
 * True if the account is worth at least its maintenance margin: `mf` ≥ `mmf` of `marginsNow`. Computed separately from it without creating objects,
 * because it is called in every step.
 */
export function isMaintained(state: ExchangeState, account: ExchangeAccount): boolean {
  let worth: number = collateralOf(state, account.balances);
  let required = 0;
  for (const holding of account.holdings.values()) {
    const { marketState, position } = holding;
    const { market } = marketState;
    if (market.spec.kind !== 'perp') continue;
    const { index } = marketState.prices;
    worth += market.notional(index, position.size) - position.cost;
    worth += unsettledFunding(holding);
    if (position.size !== 0) required += requirement(market.notional(index, lots(Math.abs(position.size))), market.mmfPpm);
  }
  return worth >= required;
}

/** Returns the position, orders and unrealised profit of an account in one market, at the index price. */
export function exposureOf(holding: Holding): MarginExposure {
  const { marketState, position, open } = holding;
  const { index } = marketState.prices;
  return {
    market: marketState.market,
    price: index,
    position: position.size,
    bids: open.bid,
    asks: open.ask,
    tradingPnl: micros(marketState.market.notional(index, position.size) - position.cost),
    fundingPaymentPnl: unsettledFunding(holding),
  };
}

export function collateralOf(state: ExchangeState, balances: readonly number[]): Micros {
  let collateral = balances[QUOTE]!;
  for (const token of state.pricedBy.keys()) collateral += tokenCollateral(state, token, balances[token]!);
  return micros(collateral);
}

/** Returns the collateral value of an amount of a base token: its value at the index price, times its weight. */
export function tokenCollateral(state: ExchangeState, token: number, amount: number): Micros {
  const marketState = state.pricedBy.get(token);
  if (marketState === undefined || amount === 0) return micros(0);
  return micros(mulPpm(marketState.market.notional(marketState.prices.index, lots(amount)), state.tokens[token]!.weightBps * 100, 'down'));
}
