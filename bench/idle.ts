// Measures the cost of observing: a bot that polls twenty markets and places nothing, compared with bare requests for the same data.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Millis, sleep, systemClock } from '../src/base/clock.ts';
import { rngFrom } from '../src/base/rng.ts';
import { rulesFrom } from '../src/bot/risk/rules.ts';
import { assemble } from '../src/bot/run/core/assemble.ts';
import { startRun } from '../src/bot/run/core/run.ts';
import { NO_HISTORY } from '../src/bot/run/state/history.ts';
import { defineStrategy } from '../src/bot/strategy/contract.ts';
import { deciderOf } from '../src/bot/strategy/decide.ts';
import { type Connection, openConnection } from './connection.ts';
import { type Bench, median, times } from './measure.ts';

const MARKETS = 20;
const ROUNDS = 5;
const ROUND: Millis = 2_000;
/** Pause before each round: all polls begin at once and then drift apart. */
const SETTLING: Millis = 1_000;
/** Rounds that do not count, in which the code is still being compiled. */
const WARM_UP = 5;
/** Interval of the timer whose delay is recorded; it is subtracted from the result. */
const RESOLUTION: Millis = 10;
const AIM = { share: 0.15, lag: 10 };

export const idle: Bench = async () => {
  const connection = await openConnection({ markets: MARKETS });
  try {
    const [ours, plain]: [Cost[], Cost[]] = [[], []];
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const costs = [await costOf(() => onlooker(connection)), await costOf(() => bareRequests(connection))] as const;
      if (round < 0) continue;
      ours.push(costs[0]);
      plain.push(costs[1]);
    }
    const share = { ours: median(ours.map((cost) => cost.share)), plain: median(plain.map((cost) => cost.share)) };
    const lag = { ours: median(ours.map((cost) => cost.lag)), plain: median(plain.map((cost) => cost.lag)) };
    return [
      {
        name: `idle: ${MARKETS} markets looked at, share of a core`,
        figure: percent(share.ours),
        baseline: `fetch and JSON.parse ${percent(share.plain)}`,
        ratio: times(share.plain / share.ours),
        aim: `at most ${percent(AIM.share)}`,
        met: share.ours <= AIM.share,
      },
      {
        name: `idle: ${MARKETS} markets looked at, event loop lag`,
        figure: `p99 ${lag.ours.toFixed(1)} ms`,
        baseline: `fetch and JSON.parse p99 ${lag.plain.toFixed(1)} ms`,
        ratio: times(lag.plain / lag.ours),
        aim: `under ${AIM.lag} ms`,
        met: lag.ours < AIM.lag,
      },
    ];
  } finally {
    await connection.close();
  }
};

interface Cost {
  /** Fraction of one core. */
  readonly share: number;
  /** 99 % of delays are at most so many milliseconds. */
  readonly lag: Millis;
}

/** Measures this process for one round, between `start` and the call of the function that `start` returns. */
async function costOf(start: () => () => unknown): Promise<Cost> {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
  const stop = start();
  await sleep(systemClock, SETTLING);
  const before = process.cpuUsage();
  const began = performance.now();
  delays.enable();
  await sleep(systemClock, ROUND);
  delays.disable();
  const { user, system } = process.cpuUsage(before);
  const share = (user + system) / 1_000 / (performance.now() - began);
  await stop();
  return { share, lag: delays.percentile(99) / 1e6 - RESOLUTION };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Reads every market in every turn, as a strategy would, and returns no intents. */
const STRATEGY = defineStrategy({
  name: 'onlooker',
  defaults: {},
  create: () => (view) => {
    view.markets.some(({ mid, position }) => mid === position);
    return [];
  },
});

function onlooker({ venue, config }: Connection): () => Promise<unknown> {
  const { markets } = venue.feed;
  const decide = deciderOf(STRATEGY, {}, { rng: rngFrom('bench'), markets });
  const parts = assemble({ markets, history: NO_HISTORY, startedAt: systemClock.now(), decide, rules: rulesFrom(config.limits) });
  const run = startRun({ clock: systemClock, venue, ...parts });
  return () => {
    run.stop('measured');
    return run.done;
  };
}

/** Sends the same requests at the same intervals and only parses the answers. */
function bareRequests({ url, venue, config: { polling } }: Connection): () => void {
  const timers = [
    ...venue.feed.markets.flatMap(({ id }) => [
      every(polling.orderBookMs, `${url}/market/${id}/orderbook`),
      every(polling.tradesMs, `${url}/trades?marketId=${id}&pageSize=50`),
    ]),
    every(polling.liveMs, `${url}/markets/live`),
    every(polling.timeMs, `${url}/timestamp`),
    every(polling.accountMs, `${url}/account/${venue.gateway.account}`),
    every(polling.fillsMs, `${url}/trades?makerId=${venue.gateway.account}&pageSize=50`),
    every(polling.fillsMs, `${url}/trades?takerId=${venue.gateway.account}&pageSize=50`),
  ];
  return () => timers.forEach((timer) => clearInterval(timer));
}

/** Ignores failures: the exchange ends before the last requests. */
const every = (interval: Millis, url: string): NodeJS.Timeout =>
  setInterval(
    () =>
      void fetch(url).then(
        (response) => response.json(),
        () => undefined,
      ),
    interval,
  );
