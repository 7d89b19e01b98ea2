// The warning of a start that the polls need more requests than are allowed.
import { spanText } from '../../../base/text/duration.ts';
import { type PlannedPoll, type PollPlan, pollsOf, unitsOfMarkets, unitsPerSecond } from '../../exchange/kit/streams/polling.ts';
import { bookAgeLimit } from '../../risk/gates/data-age.ts';

/**
 * Returns the arithmetic of polls that do not fit the limit, and what follows from it; undefined if they fit. `limits`: those of the configuration, as
 * parsed.
 */
export function requestWarning(plan: PollPlan, limits: Readonly<Record<string, unknown>>): string | undefined {
  const { markets, isLimitOfExchange } = plan;
  const { orderBookMs, requestsPerSecond } = plan.intervals;
  const [own, ofMarkets] = [unitsPerSecond(pollsOf(plan, 'account')), unitsOfMarkets(plan)];
  if (own + ofMarkets <= requestsPerSecond) return undefined;
  const sum = `${markets} × (${wordsOf(pollsOf(plan, 'market'))}) + ${wordsOf(pollsOf(plan, 'markets'))}`;
  const needed = `${sum} = ${tenths(ofMarkets)}, and ${tenths(own)} for the account, its trades and the time`;
  const bookMs = plan.polls.find(({ kind }) => kind === 'orderBook')!.wantedMs;
  const most = bookAgeLimit(limits);
  const held = orderBookMs > most ? `, which is more than limits.data-age.bookMs allows (${spanText(most)}): nothing will be traded` : '';
  const raise = isLimitOfExchange ? '' : ', or raise polling.requestsPerSecond if the exchange allows it';
  return [
    `${markets === 1 ? '1 market needs' : `${markets} markets need`} ${tenths(own + ofMarkets)} requests a second (${needed}), and ${isLimitOfExchange ? 'the exchange' : 'polling.requestsPerSecond'} allows ${requestsPerSecond}.`,
    `A book comes every ${spanText(orderBookMs)} instead of ${spanText(bookMs)}${held}.`,
    `Trade fewer markets${isLimitOfExchange ? ' or' : ','} poll less often (polling.orderBookMs, polling.tradesMs)${raise}.`,
  ].join(' ');
}

/** Returns `1 book / 250 ms`, or `20 for 1 book / 2 s` if a request counts as several. */
const wordsOf = (polls: readonly PlannedPoll[]): string =>
  polls.map(({ what, weight, wantedMs }) => `${weight === 1 ? '' : `${weight} for `}1 ${what} / ${spanText(wantedMs)}`).join(' + ');

const tenths = (value: number): number => Number(value.toFixed(1));
