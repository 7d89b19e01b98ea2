// Where an account stands: its margins as they are, and as they would be.
import type { Margins } from '../domain/account.ts';
import { type MarginExposure, marginsOf } from '../domain/margin.ts';
import { lots, type Micros, micros, mulPpm } from '../domain/numbers.ts';
import { type Account, type Holding, unsettledFunding } from './account.ts';
import type { House } from './house.ts';
import { QUOTE } from './listing.ts';

export interface Projection {
  /** As balances of the account. */
  readonly balances: readonly number[];
  /** Stands for the account's own exposure in that market. */
  readonly exposure?: MarginExposure | undefined;
}

/** Margins by the model of the domain, every position and token at its index price. */
export const marginsNow = (house: House, account: Account): Margins => marginsIf(house, account, { balances: account.balances });

/** The same, with some of the account replaced. */
export function marginsIf(house: House, account: Account, { balances, exposure }: Projection): Margins {
  const exposures: MarginExposure[] = exposure === undefined ? [] : [exposure];
  for (const holding of account.holdings.values()) {
    const { market } = holding.pit;
    if (market.spec.kind === 'perp' && market !== exposure?.market) exposures.push(exposureOf(holding));
  }
  return marginsOf({ collateral: collateralOf(house, balances), exposures });
}

export function exposureOf(holding: Holding): MarginExposure {
  const { pit, position, open } = holding;
  const { index } = pit.prices;
  return {
    market: pit.market,
    price: index,
    position: position.size,
    bids: open.bid,
    asks: open.ask,
    tradingPnl: micros(pit.market.notional(index, position.size) - position.cost),
    fundingPaymentPnl: unsettledFunding(holding),
  };
}

function collateralOf(house: House, balances: readonly number[]): Micros {
  let collateral = balances[QUOTE]!;
  for (const token of house.pricedBy.keys()) collateral += tokenCollateral(house, token, balances[token]!);
  return micros(collateral);
}

/** What an amount of a base token counts as collateral: its value at the index price, times its weight. */
export function tokenCollateral(house: House, token: number, amount: number): Micros {
  const pit = house.pricedBy.get(token);
  if (pit === undefined || amount === 0) return micros(0);
  return micros(mulPpm(pit.market.notional(pit.prices.index, lots(amount)), house.tokens[token]!.weightBps * 100, 'down'));
}
