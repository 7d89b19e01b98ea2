// Plays a dozen runs of the simulation, each with faults that belong together. Exits with 1 at the first violation, with 0 if there is none.
import type { Fault, FaultKind } from '../../src/simulation/plan/faults.ts';
import { optionsOf } from '../../src/simulation/plan/options.ts';
import { planOf } from '../../src/simulation/plan/plan.ts';
import { play } from '../../src/simulation/play.ts';
import { loadStrategy } from '../../src/strategy/loading/loader.ts';
import { marketsNamedIn } from '../../src/strategy/markets.ts';
import { resolveParams } from '../../src/strategy/params.ts';

/** The kinds of faults of each run. They are listed, not drawn, so that few runs have all of them. */
const RUNS: readonly (readonly FaultKind[])[] = [
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
const SPAN = 240_000;
const AN_HOUR = 120;
const CLOSE_ONLY: Fault = { id: 'latch', kind: 'latch', from: SPAN / 2, until: SPAN / 2, detail: 'close-only' };
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

const { strategy } = await loadStrategy('grid');
const params = resolveParams(strategy, {}, () => undefined);
const subject = { strategy, params, markets: marketsNamedIn(params, 'grid') };
for (const [run, kinds] of RUNS.entries()) {
  const drawn = optionsOf({ seed: `mutant/${run}`, profile: 'swarm', strategy: 'grid' });
  const options = {
    ...drawn,
    faultyMs: SPAN,
    rules: { ...drawn.rules, sessionSeconds: 120 },
    crowd: BUSY,
    polling: POLLING,
    faults: { kinds, anHour: AN_HOUR },
  };
  const plan = planOf(options).filter(({ kind }) => kind !== 'latch');
  const { violation } = await play({ ...subject, options, plan: kinds.includes('latch') ? [...plan, CLOSE_ONLY] : plan });
  if (violation === undefined) continue;
  console.log(kinds.join(), violation.invariant, violation.message);
  process.exit(1);
}
process.exit(0);
