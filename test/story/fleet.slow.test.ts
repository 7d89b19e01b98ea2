// A fleet of five strategies on one virtual clock, one of which throws: the others behave as they do alone, and limits apply to all.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import type { Mode } from '../../src/bot/domain/mode.ts';
import { MICROS_PER_UNIT } from '../../src/bot/domain/numbers.ts';
import type { Trading } from '../../src/bot/run/core/trading.ts';
import type { Params, Strategy } from '../../src/bot/strategy/contract.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { figuresOf } from '../../src/program/commands/fleet/member.ts';
import type { FleetLimitSettings } from '../../src/program/fleet/file.ts';
import { LimitEnforcer } from '../../src/program/fleet/limit-enforcer.ts';
import { type Breach, NOTHING_KEPT } from '../../src/program/fleet/limits.ts';
import { SharedLimit } from '../../src/program/fleet/shared-limit.ts';
import type { RunWatch } from '../../src/program/monitoring/watch.ts';
import { driven } from '../driven.ts';
import { runOn, START, type VirtualRun, virtualRun } from '../replay/virtual-run.ts';
import { watchOf } from '../unit/monitoring/test-page.ts';

/** Length of the run. FLEET_SECONDS=600 sets ten minutes. */
const SECONDS = Number(process.env['FLEET_SECONDS'] ?? '20');

/** The grid with an error after half of the time. */
async function throwingGrid(): Promise<Strategy<Params>> {
  const { strategy } = await loadStrategy('grid');
  return {
    ...strategy,
    name: 'mistaken',
    create(params, tools) {
      const decide = strategy.create(params, tools);
      return (view) => {
        if (view.now > START + (SECONDS * 1_000) / 2) throw new Error('a mistake of the author');
        return decide(view);
      };
    },
  };
}

interface Played {
  readonly runs: readonly VirtualRun[];
  readonly breaches: readonly Breach[];
  readonly raised: ReadonlyMap<string, Mode>;
  /** In quote tokens, at the mark price. */
  readonly mostGross: number;
}

const nameOf = (at: number): string => `run-${at}`;

/** Runs all strategies on one clock from the same moment, with enforced limits. `isShared`: the limit of positions holds before orders leave, too. */
async function fleet(strategies: readonly Strategy<Params>[], limits: FleetLimitSettings, isShared = true): Promise<Played> {
  const clock = new VirtualClock(START);
  const watches = new Map<string, { readonly watch: RunWatch; readonly trading: Trading }>();
  const breaches: Breach[] = [];
  const raised = new Map<string, Mode>();
  const maxNotional = isShared ? limits['gross-notional']?.maxNotional : undefined;
  const shared = maxNotional === undefined ? undefined : new SharedLimit(maxNotional);
  const allowances = strategies.map((_, at) => shared?.add(nameOf(at)));
  let mostGross = 0;
  const enforcer = new LimitEnforcer({
    file: { name: 'five', limits },
    runs: strategies.map((_, at) => ({
      run: nameOf(at),
      figures: () => {
        const known = watches.get(nameOf(at));
        return known && figuresOf(known.watch);
      },
      killSwitchMode: () => raised.get(nameOf(at)) ?? 'active',
      raise: (mode, reason) => {
        raised.set(nameOf(at), mode);
        watches.get(nameOf(at))?.trading.run.stop(reason);
      },
    })),
    state: { kept: NOTHING_KEPT, keep: () => undefined },
    clock,
    onBreach: (breach) => breaches.push(breach),
    warn: (text) => {
      throw new Error(text);
    },
  });
  const playing = strategies.map((strategy, at) =>
    runOn(clock, {
      strategy,
      seed: nameOf(at),
      seconds: SECONDS,
      allowance: allowances[at],
      begun: (trading) => {
        const watch = watchOf([...trading.run.world.markets.values()], { run: nameOf(at) });
        watches.set(nameOf(at), { watch, trading });
        trading.run.turns.subscribe((turn) => {
          watch.add(turn);
          const gross = [...watches.values()].reduce((sum, known) => sum + (figuresOf(known.watch)?.gross ?? 0), 0);
          mostGross = Math.max(mostGross, gross / MICROS_PER_UNIT);
        });
      },
    }),
  );
  enforcer.begin();
  const runs = await driven(clock, Promise.all(playing));
  enforcer.close();
  return { runs, breaches, raised, mostGross };
}

const OTHERS = ['grid', 'lean-maker', 'twap', 'grid'] as const;

const loaded = (names: readonly string[]): Promise<Strategy<Params>[]> =>
  Promise.all(names.map(async (name) => (await loadStrategy(name)).strategy));

describe('a fleet of five, one of which throws', () => {
  test('the others have the same fingerprints as alone', async () => {
    const { runs, breaches } = await fleet([...(await loaded(OTHERS)), await throwingGrid()], {
      'daily-loss': { maxLoss: 1e9, mode: 'close-only' },
    });
    const thrower = runs.at(-1);
    expect(thrower?.ending).toMatchObject({ kind: 'failed', settled: true });
    expect(breaches).toEqual([]);
    for (const [at, strategy] of OTHERS.entries()) {
      const alone = await virtualRun({ strategy, seed: `run-${at}`, seconds: SECONDS });
      expect(alone.summary.orders.placed).toBeGreaterThan(0);
      expect(runs[at]?.ending).toEqual({ kind: 'settled' });
      expect(runs[at]?.summary.fingerprint).toBe(alone.summary.fingerprint);
      expect(runs[at]?.summary.pnl).toBe(alone.summary.pnl);
    }
  });

  test('a limit on the whole fleet acts on each run', async () => {
    const limits: FleetLimitSettings = { 'gross-notional': { maxNotional: 600, mode: 'cancel-all' } };
    const { runs, breaches, raised } = await fleet(await loaded(['grid', 'lean-maker']), limits, false);
    expect(breaches).toMatchObject([{ limit: 'gross-notional', mode: 'cancel-all' }]);
    expect([...raised.values()]).toEqual(['cancel-all', 'cancel-all']);
    for (const { summary, ending } of runs) {
      expect(ending).toEqual({ kind: 'settled' });
      expect(summary.seconds).toBeLessThan(SECONDS);
    }
  });
});

describe('two runs that open at once, with a limit for both', () => {
  const MAX = 3_000;
  /** Each buys for 2 400 and then quotes around the market for as much again. */
  const eager: Strategy<Params> = {
    name: 'eager',
    defaults: {},
    create: () => (view) => {
      const { bestBid, bestAsk, position, target, quote } = view.market('BTCUSDC');
      if (bestBid === undefined || bestAsk === undefined) return [];
      if (position < 0.005) return [target({ position: 0.04, maxSlippageBps: 20 })];
      return [quote({ bids: [{ price: bestBid, size: 0.04 }], asks: [{ price: bestAsk, size: 0.04 }] })];
    },
  };

  test('all together never hold more than the limit, nor could they by what rests', async () => {
    const { breaches, runs, mostGross } = await fleet([eager, eager], { 'gross-notional': { maxNotional: MAX, mode: 'close-only' } });
    expect(breaches).toEqual([]);
    expect(mostGross).toBeGreaterThan(0.8 * MAX);
    expect(mostGross).toBeLessThanOrEqual(MAX);
    for (const { summary } of runs) expect(summary.fills).toBeGreaterThan(0);
    expect(runs.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'finding')).toContainEqual(
      expect.objectContaining({ guard: 'allowance', reason: expect.stringContaining('all runs of the fleet together') }),
    );
  });
});
