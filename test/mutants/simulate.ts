// Plays a dozen runs of the simulation on the exchange that is given, or on all, each with faults that belong together, and some of the profile liar.
// Exits with 1 at the first violation, with 0 if there is none.

import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { marketsNamedIn } from '../../src/bot/strategy/markets.ts';
import { resolveParams } from '../../src/bot/strategy/params.ts';
import type { DrawnKind, InjectedFault, Plan } from '../../src/research/simulation/plan/faults.ts';
import { PLAYED_EXCHANGES } from '../../src/research/simulation/plan/faults-by-exchange.ts';
import { type Options, optionsOf } from '../../src/research/simulation/plan/options.ts';
import { planOf } from '../../src/research/simulation/plan/plan.ts';
import { play } from '../../src/research/simulation/play.ts';

/** The kinds of faults of each run. They are listed, not drawn, so that few runs have all of them. */
const HOSTED: readonly (readonly DrawnKind[])[] = [
  ['dropReply', 'delayReply', 'dropRequest', 'delayRequest'],
  ['retryProxy', 'status', 'delayReply'],
  ['duplicate', 'delayRequest', 'restart', 'reject'],
  ['crash', 'crashOnCall', 'crashAfterPost', 'crashOnReply', 'crashBeforePost', 'crashInRecovery'],
  ['dropReply', 'dropRequest', 'pause', 'stall'],
  ['diskFull', 'diskBroken', 'syncFails', 'crash'],
  ['evict', 'shorten', 'restart', 'delayRequest'],
  ['leap', 'backward', 'stall', 'dropReply'],
  ['lag', 'stale', 'dropReply', 'crash'],
  ['hand', 'fees', 'relist', 'shock', 'crash'],
  ['rollback', 'queue', 'dropReply', 'freeze'],
  ['truncate', 'corrupt', 'status', 'partition', 'refuse'],
  ['second', 'clockStep', 'crash', 'latch', 'partition'],
];
const HYPERLIQUID: readonly (readonly DrawnKind[])[] = [
  ['dropReply', 'delayReply', 'dropRequest', 'delayRequest'],
  ['retryProxy', 'status', 'duplicate', 'limited'],
  ['crash', 'crashAfterPost', 'crashOnReply', 'crashInRecovery', 'delayRequest'],
  ['lag', 'dropReply', 'crash', 'queue'],
  ['shifted', 'delayReply', 'corrupt'],
  ['shifted', 'duplicate'],
  ['fees', 'hand', 'reject', 'leap', 'latch'],
];
/** Seeds of the profile `liar` that have lies about orders, positions, balances, margins, fills, the time, the numbers of accounts and the published schema. */
const LIAR_SEEDS = ['2', '3', '4', '7', '34', 'sn6', 'sn13'];
const SPAN = 240_000;
const AN_HOUR = 120;
const CLOSE_ONLY: InjectedFault = { id: 'latch', kind: 'latch', from: SPAN / 2, until: SPAN / 2, detail: 'close-only' };
const during = (kind: DrawnKind, more: Partial<InjectedFault>): InjectedFault => ({
  id: kind,
  kind,
  from: 20_000,
  until: SPAN,
  chance: 1,
  ...more,
});
/** Faults that the plan of a run has besides those that are drawn. */
const ALWAYS: Readonly<Record<string, readonly InjectedFault[]>> = {
  'shifted,duplicate': [60, 120, 180].map((second) =>
    during('shifted', { id: `shifted/${second}`, path: 'action', from: second * 1_000, until: second * 1_000 + 8_000 }),
  ),
};
const FLATTEN: InjectedFault = { ...CLOSE_ONLY, detail: 'flatten' };
/** Traders that trade often. */
const BUSY = { every: 10, volatility: 3, takes: 0.35 };
const EVERY = 700;
const POLLING = {
  orderBookMs: EVERY,
  accountMs: EVERY,
  fillsMs: EVERY,
  tradesMs: 2 * EVERY,
  liveMs: EVERY,
  timeMs: EVERY,
  requestsPerSecond: 50,
};

const RUNS = { hosted: HOSTED, hyperliquid: HYPERLIQUID };

const { strategy } = await loadStrategy('grid');
const params = resolveParams(strategy, {}, () => undefined);
const subject = { strategy, params, markets: marketsNamedIn(params, 'grid') };
const only = process.argv[2];
const runs = PLAYED_EXCHANGES.filter((exchange) => only === undefined || exchange === only).flatMap((exchange) =>
  RUNS[exchange].map((kinds, run) => ({ exchange, kinds, run })),
);
for (const { exchange, kinds, run } of runs) {
  const drawn = optionsOf({ seed: `mutant/${run}`, profile: 'swarm', strategy: 'grid', exchange });
  const options = {
    ...drawn,
    faultyMs: SPAN,
    rules: { ...drawn.rules, sessionSeconds: 120 },
    crowd: BUSY,
    polling: exchange === 'hosted' ? POLLING : drawn.polling,
    faults: { kinds, anHour: AN_HOUR },
  };
  const plan = [...planOf(options).filter(({ kind }) => kind !== 'latch'), ...(ALWAYS[kinds.join()] ?? [])];
  await playOrExit(
    `${exchange} ${kinds.join()}`,
    options,
    kinds.includes('latch') ? [...plan, exchange === 'hosted' ? CLOSE_ONLY : FLATTEN] : plan,
  );
}
for (const seed of only === 'hyperliquid' ? [] : LIAR_SEEDS) {
  const options = optionsOf({ seed, profile: 'liar', strategy: 'grid' });
  await playOrExit(`liar ${seed}`, options, planOf(options));
}
process.exit(0);

async function playOrExit(name: string, options: Options, plan: Plan): Promise<void> {
  const { violation } = await play({ ...subject, options, plan });
  if (violation === undefined) return;
  console.log(name, violation.invariant, violation.message);
  process.exit(1);
}
