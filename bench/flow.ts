// Measures how fast exchange time can pass: the whole embedded exchange with its traders, and no client.
import type { Millis } from '../src/base/clock.ts';
import { Exchange } from '../src/embedded/exchange/exchange.ts';
import { type Bench, contest, times } from './measure.ts';

const HOUR: Millis = 3_600_000;
/** Exchange time of one round. The rounds together cover full hours, so hourly work is included. */
const ROUND: Millis = HOUR / 12;

export const flow: Bench = async () => {
  const exchange = new Exchange({ seed: 'bench', start: 1_760_000_000_000 });
  const actions = Number(exchange.lastActionId());
  const began = exchange.now();
  const { hours } = await contest({ hours: () => () => exchange.advanceTo(exchange.now() + ROUND) }, { rounds: 9, calls: 1 });
  const seconds = (hours.p50 / 1e6) * (HOUR / ROUND);
  const perSecond = ((Number(exchange.lastActionId()) - actions) * HOUR) / (exchange.now() - began) / seconds;
  return [
    {
      name: `flow: an hour of ${exchange.markets.length} markets`,
      figure: `${seconds.toFixed(1)} s (${(perSecond / 1e3).toFixed(0)}k actions/s)`,
      baseline: 'the hour itself',
      ratio: times(HOUR / 1_000 / seconds),
      aim: '',
      met: undefined,
    },
  ];
};
