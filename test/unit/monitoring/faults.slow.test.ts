// The page is built from turns alone, and shows in every turn what the run itself reports, also under faults.
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Trading } from '../../../src/bot/run/core/trading.ts';
import type { Entry } from '../../../src/bot/run/state/entries.ts';
import { countsOf } from '../../../src/bot/run/state/history.ts';
import { statusOf } from '../../../src/program/monitoring/page/status.ts';
import { RunWatch } from '../../../src/program/monitoring/watch.ts';
import { optionsOf } from '../../../src/research/simulation/plan/options.ts';
import { planOf } from '../../../src/research/simulation/plan/plan.ts';
import { play } from '../../../src/research/simulation/play.ts';
import { builtIn } from '../simulation/subjects.ts';

/** Values of one moment that both the run and the page have. */
interface CommonValues {
  readonly mode: string;
  readonly stopping: string | undefined;
  readonly equity: string | undefined;
  readonly pnl: string;
  readonly positions: unknown;
  readonly margins: unknown;
  readonly unhealthy: readonly string[];
  readonly held: readonly string[];
  readonly unknown: number;
}

function valuesOfRun({ run: { world }, ...trading }: Trading): CommonValues {
  const { equity, pnl, positions, margins } = trading.status();
  const orders = world.orders();
  return {
    mode: world.mode,
    stopping: world.stopping,
    equity,
    pnl,
    positions,
    margins,
    unhealthy: [...world.unhealthy()]
      .map(({ reason, market }) => (market === undefined ? reason : `${world.market(market).symbol}: ${reason}`))
      .sort(),
    held: trading
      .now()
      .findings.filter(({ verdict }) => verdict !== 'close')
      .map(({ guard, market, side, verdict }) => [guard, market, side, verdict].join())
      .sort()
      .filter((key, rank, all) => key !== all[rank - 1]),
    unknown: orders.filter(({ status }) => status === 'unknown').length,
  };
}

function valuesOfPage(watch: RunWatch): CommonValues {
  const status = statusOf(watch, {});
  return {
    mode: status.mode,
    stopping: status.stopping,
    equity: status.equity,
    pnl: status.pnl,
    positions: status.positions,
    margins: status.margins,
    unhealthy: status.unhealthy.toSorted(),
    held: [...new Set(watch.findings.map(({ guard, market, side, verdict }) => [guard, market, side, verdict].join()))].sort(),
    unknown: status.unknown,
  };
}

/** The page shows every order that is or may be at the exchange, and one that has ended until the run knows how it ended. */
const ordersOf = ({ run: { world } }: Trading): readonly string[] => world.orders().map(({ clientOrderId }) => clientOrderId);
const ordersIn = (watch: RunWatch): ReadonlySet<string> => new Set([...watch.orders.all()].map(({ clientOrderId }) => clientOrderId));

test.each([
  { seed: 'one', profile: 'smoke' },
  { seed: 'three', profile: 'swarm' },
  { seed: 'six', profile: 'swarm' },
  { seed: 'four', profile: 'swarm' },
] as const)('$profile, seed $seed', async ({ seed, profile }) => {
  const subject = await builtIn('grid');
  const options = optionsOf({ seed, profile, strategy: 'grid' });
  const seen = { turns: 0, unknown: 0 };
  const missing: string[] = [];
  const differences: { at: number; shown: CommonValues; expected: CommonValues }[] = [];
  const follow = ({ trading, earlier }: { trading: Trading; earlier: readonly Entry[] }): void => {
    const { world } = trading.run;
    const markets = [...world.markets.values()];
    const facts = { run: 'r', strategy: 'grid', exchange: 'hosted', seed, live: true, startedAt: world.now, params: {}, limits: {} };
    const watch = new RunWatch({ ...facts, markets, counts: countsOf(earlier), totals: world.accounting.totals, orders: world.orders() });
    trading.run.turns.subscribe((turn) => {
      watch.add(turn);
      const expected = valuesOfRun(trading);
      const shown = valuesOfPage(watch);
      missing.push(...ordersOf(trading).filter((order) => !ordersIn(watch).has(order)));
      if (!isDeepStrictEqual(shown, expected)) differences.push({ at: turn.at, shown, expected });
      seen.turns += 1;
      seen.unknown += expected.unknown;
    });
  };
  const { violation } = await play({ ...subject, options, plan: planOf(options), follow });
  expect(violation).toBeUndefined();
  expect(missing).toEqual([]);
  const [first] = differences;
  expect(first?.shown).toEqual(first?.expected);
  expect(seen.turns).toBeGreaterThan(500);
  expect(seen.unknown).toBeGreaterThan(0);
});
