// The full hour: funding of all markets is paid, and written down for every market and for every account that it moved.
import { micros } from '../domain/numbers.ts';
import { unsettledFunding } from './account.ts';
import { type House, nextAction } from './house.ts';

/**
 * Of all markets, as one action; in a spot market, where nobody holds a position, it moves nothing. What each account owes moves with the market's
 * funding index at once, and into its balance when its position next changes; its payments add up to exactly that.
 */
export function payFunding(house: House): void {
  nextAction(house);
  const held = house.accounts
    .filter((account) => !account.house)
    .flatMap((account) => [...account.holdings.values()].map((holding) => ({ account, holding })))
    .filter(({ holding }) => holding.position.size !== 0)
    .map((stake) => ({ ...stake, before: unsettledFunding(stake.holding) }));
  const rates = house.pits.map((pit) => {
    const { funding, prices, market, openInterest } = pit;
    const [rate, before] = [funding.projectedRate ?? 0, funding.index];
    funding.pay(prices.index);
    const collected = micros(-funding.earned(openInterest, before));
    if (market.spec.kind === 'perp')
      pit.fundingHours.push({ time: house.now, market: market.id, index: funding.shown(funding.index), collected });
    return rate;
  });
  for (const { account, holding, before } of held) {
    const { id } = holding.pit.market;
    const payment = micros(before - unsettledFunding(holding));
    account.fundingPayments.push({ time: house.now, market: id, rate: rates[id]!, payment });
  }
}
