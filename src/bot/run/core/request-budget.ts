// The warning of a start that more requests are wanted than the configuration allows.
import { spanText } from '../../../base/text/duration.ts';
import { type Polling, requestLoad, withinBudget } from '../../exchange/kit/streams/polling.ts';
import { bookAgeLimit } from '../../risk/gates/data-age.ts';

export interface BudgetedRun {
  /** Intervals and limit of the configuration. */
  readonly polling: Polling;
  /** Number of markets. */
  readonly markets: number;
  /** The limits of the configuration, as parsed. */
  readonly limits: Readonly<Record<string, unknown>>;
}

/** Returns the arithmetic of a run whose polls do not fit `requestsPerSecond`, and what follows from it; undefined if they fit. Throws as `requestLoad`. */
export function requestWarning({ polling, markets, limits }: BudgetedRun): string | undefined {
  const { own, markets: ofMarkets, stretch } = requestLoad(polling, markets);
  if (stretch <= 1) return undefined;
  const { orderBookMs, tradesMs, liveMs, requestsPerSecond } = polling;
  const sum = `${markets} × (1 book / ${spanText(orderBookMs)} + 1 list of trades / ${spanText(tradesMs)}) + 1 live info / ${spanText(liveMs)}`;
  const needed = `${sum} = ${tenths(ofMarkets)}, and ${tenths(own)} for the account, its trades and the time`;
  const slower = withinBudget(polling, markets).orderBookMs;
  const most = bookAgeLimit(limits);
  const held = slower > most ? `, which is more than limits.data-age.bookMs allows (${spanText(most)}): nothing will be traded` : '';
  return [
    `${markets === 1 ? '1 market needs' : `${markets} markets need`} ${tenths(own + ofMarkets)} requests a second (${needed}), and polling.requestsPerSecond allows ${requestsPerSecond}.`,
    `A book comes every ${spanText(slower)} instead of ${spanText(orderBookMs)}${held}.`,
    'Trade fewer markets, poll less often (polling.orderBookMs, polling.tradesMs), or raise polling.requestsPerSecond if the exchange allows it.',
  ].join(' ');
}

const tenths = (value: number): number => Number(value.toFixed(1));
