// One step of exchange time: the others trade, prices move, funding is paid at the full hour, and every account is looked at.
import type { Millis } from '../base/clock.ts';
import type { FlowPort, MarketFlow } from './flow-port.ts';
import { type House, nextAction } from './house.ts';
import { supervise } from './liquidation.ts';
import { mid, type Pit } from './pit.ts';

export const STEP: Millis = 100;
const HOUR: Millis = 3_600_000;

/** The other traders of one pit, and their way in. */
export interface Crowd {
  readonly flow: MarketFlow;
  readonly port: FlowPort;
}

/** The full hour after `now`: when funding is paid next. */
export const nextHour = (now: Millis): Millis => now - (now % HOUR) + HOUR;

/** Does what is due at `house.now`, a multiple of `STEP`. */
export function step(house: House, crowds: ReadonlyMap<Pit, Crowd>): void {
  for (const pit of house.pits) {
    const crowd = crowds.get(pit);
    if (crowd !== undefined && !pit.frozen) act(house, pit, crowd);
    pit.prices.look(mid(pit), STEP);
    pit.funding.sample(pit.prices);
  }
  if (house.now % HOUR === 0) payFunding(house);
  for (const account of house.accounts) if (!account.house && account.holdings.size > 0) supervise(house, account);
}

function act(house: House, pit: Pit, { flow, port }: Crowd): void {
  flow.step(port);
  const { index, indexConf: conf } = flow;
  if (pit.pinned === undefined && pit.prices.hear({ index, conf })) nextAction(house);
}

/**
 * Of all markets, as one action; in a spot market, where nobody holds a position, it moves nothing. What each account owes moves with the market's
 * funding index at once, and into its balance when its position next changes.
 */
function payFunding(house: House): void {
  nextAction(house);
  for (const { funding, prices } of house.pits) funding.pay(prices.index);
}
