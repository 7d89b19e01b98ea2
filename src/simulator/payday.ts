// The payment of funding, written down for every market and for every account that it moved.
import { micros } from '../domain/numbers.ts';
import { unsettledFunding } from './account.ts';
import { type House, nextAction } from './house.ts';
import type { Pit } from './pit.ts';

/** A market that pays now, and its rate as a fraction of the price that its terms name. */
export interface Due {
  readonly pit: Pit;
  readonly rate: number;
}

/** What is due at this step, of all markets as one action. */
export function payDue(house: House): void {
  let dues: Due[] | undefined;
  for (const pit of house.pits) {
    const rate = pit.terms.takeDue(house.now);
    if (rate !== undefined) (dues ??= []).push({ pit, rate });
  }
  if (dues !== undefined) payFunding(house, dues);
}

/**
 * As one action; in a spot market, where nobody holds a position, it moves nothing. What each account owes moves with the market's funding index at
 * once, and into its balance when its position next changes; its payments add up to exactly that.
 */
export function payFunding(house: House, dues: readonly Due[]): void {
  nextAction(house);
  const rates = new Map(dues.map(({ pit, rate }) => [pit, rate]));
  const held = house.accounts
    .filter((account) => !account.house)
    .flatMap((account) => [...account.holdings.values()].map((holding) => ({ account, holding })))
    .filter(({ holding: { pit, position } }) => position.size !== 0 && rates.has(pit))
    .map((stake) => ({ ...stake, before: unsettledFunding(stake.holding) }));
  for (const due of dues) payMarket(house, due);
  for (const { account, holding, before } of held) {
    const { id } = holding.pit.market;
    const payment = micros(before - unsettledFunding(holding));
    account.fundingPayments.push({ time: house.now, market: id, rate: rates.get(holding.pit)!, payment });
  }
}

function payMarket(house: House, { pit, rate }: Due): void {
  const { funding, prices, market, terms, openInterest } = pit;
  const before = funding.index;
  funding.pay({ rate, price: prices[terms.paidOn] });
  if (market.spec.kind === 'spot') return;
  const collected = micros(-funding.earned(openInterest, before));
  pit.fundingHours.push({ time: house.now, market: market.id, index: funding.shown(funding.index), collected });
}
