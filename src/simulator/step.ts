// One step of exchange time: waiting cancels are done, the others trade, prices move, the full hour is paid, and every account is looked at.
import type { Millis } from '../base/clock.ts';
import type { FlowPort, MarketFlow } from './flow-port.ts';
import { type House, nextAction } from './house.ts';
import { supervise } from './liquidation.ts';
import { payFunding } from './payday.ts';
import { mid, type Pit } from './pit.ts';
import { cancelLeaving } from './placing.ts';

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
  cancelLeaving(house);
  for (const pit of house.pits) {
    const crowd = crowds.get(pit);
    if (crowd !== undefined && !pit.frozen) act(house, pit, crowd);
    pit.prices.look(mid(pit), STEP);
    pit.candles.see(pit.prices.mark, house.now);
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
