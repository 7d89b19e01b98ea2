// The limits over all runs of a fleet: sums, days, restarts, and what a resume changes.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import type { Mode } from '../../../src/bot/domain/mode.ts';
import { openFleetState } from '../../../src/program/fleet/fleet-state.ts';
import { type EnforcedRun, LimitEnforcer } from '../../../src/program/fleet/limit-enforcer.ts';
import { FleetLimits, type KeptFleet, NOTHING_KEPT, type RunFigures } from '../../../src/program/fleet/limits.ts';

const DAY = 86_400_000;
const figures = (runs: Readonly<Record<string, readonly [pnl: number, gross: number]>>): Map<string, RunFigures> =>
  new Map(Object.entries(runs).map(([name, [pnl, gross]]) => [name, { pnl: pnl * 1e6, gross: gross * 1e6 }]));

const ALL = {
  'gross-notional': { maxNotional: 1_000, mode: 'close-only' },
  'daily-loss': { maxLoss: 50, mode: 'close-only' },
  drawdown: { maxLoss: 80, mode: 'flatten' },
} as const;
const limitsOf = (kept: KeptFleet = NOTHING_KEPT, runs = ['a', 'b']): FleetLimits => new FleetLimits(ALL, { kept, runs });

describe('limits', () => {
  test('the positions of all runs are added, long and short', () => {
    const limits = limitsOf();
    expect(limits.check(figures({ a: [0, 600], b: [0, 400] }), DAY)).toEqual([]);
    expect(limits.check(figures({ a: [0, 600], b: [0, 401] }), DAY)).toMatchObject([{ limit: 'gross-notional', mode: 'close-only' }]);
    expect(limits.check(figures({ a: [0, 900], b: [0, 401] }), DAY)).toEqual([]); // it has already acted
    expect(limits.mode).toBe('close-only');
  });

  test('profits of one run offset losses of another; the daily loss restarts with the day', () => {
    const limits = limitsOf();
    limits.check(figures({ a: [0, 0], b: [0, 0] }), DAY);
    expect(limits.check(figures({ a: [-60, 0], b: [20, 0] }), DAY)).toEqual([]);
    expect(limits.check(figures({ a: [-60, 0], b: [20, 0] }), 2 * DAY)).toEqual([]);
    expect(limits.check(figures({ a: [-80, 0], b: [20, 0] }), 2 * DAY)).toEqual([]);
    expect(limits.sums).toMatchObject({ pnl: -60e6, today: -20e6, drawdown: 60e6 });
    expect(limits.check(figures({ a: [-110, 0], b: [20, 0] }), 2 * DAY)).toMatchObject([{ limit: 'daily-loss' }, { limit: 'drawdown' }]);
    expect(limits.mode).toBe('flatten');
  });

  test('an earlier loss of a run that joins does not count for the fleet', () => {
    const limits = limitsOf();
    expect(limits.check(figures({ a: [-500, 0] }), DAY)).toEqual([]);
    expect(limits.check(figures({ a: [-500, 0], b: [-300, 0] }), DAY)).toEqual([]);
    expect(limits.sums.pnl).toBe(0);
  });

  test('a restart continues the counts, also of a run that has left the fleet', () => {
    const first = limitsOf();
    first.check(figures({ a: [0, 0], b: [0, 0] }), DAY);
    first.check(figures({ a: [100, 0], b: [-10, 0] }), DAY);
    const second = limitsOf(first.kept, ['b']);
    expect(second.check(figures({ b: [-20, 0] }), DAY)).toEqual([]);
    expect(second.sums).toMatchObject({ pnl: -20e6, today: -20e6, drawdown: 10e6 });
    expect(second.check(figures({ b: [-60, 0] }), DAY)).toMatchObject([{ limit: 'daily-loss' }]);
  });
});

class FakeRun implements EnforcedRun {
  readonly run: string;
  known: RunFigures | undefined;
  mode: Mode = 'active';
  failing = false;

  constructor(run: string) {
    this.run = run;
  }

  figures(): RunFigures | undefined {
    return this.known;
  }

  killSwitchMode(): Mode {
    return this.mode;
  }

  raise(mode: Mode): void {
    if (this.failing) throw new Error('the disk is full');
    this.mode = mode;
  }
}

function enforcing(runs: readonly FakeRun[], directory = mkdtempSync(join(tmpdir(), 'fleet-'))) {
  const clock = new VirtualClock(DAY);
  const state = openFleetState(directory);
  const warnings: string[] = [];
  const enforcer = new LimitEnforcer({
    file: { name: 'two', limits: ALL },
    runs,
    state,
    clock,
    onBreach: () => undefined,
    warn: (text) => warnings.push(text),
  });
  return { clock, state, enforcer, warnings, directory };
}

const twoRuns = (): FakeRun[] => [new FakeRun('a'), new FakeRun('b')];

describe('the enforcer of the limits', () => {
  test('sets the mode of all runs, also of one whose kill switch could not be set at first', () => {
    const [a, b] = [new FakeRun('a'), new FakeRun('b')];
    const { clock, enforcer, warnings } = enforcing([a, b]);
    a.known = { pnl: 0, gross: 2_000e6 };
    b.failing = true;
    enforcer.begin();
    expect([a.mode, b.mode]).toEqual(['close-only', 'active']);
    expect(warnings).toHaveLength(1);
    b.failing = false;
    clock.advanceTo(clock.now() + 1_000);
    expect(b.mode).toBe('close-only');
    enforcer.close();
  });

  test('keeps the mode after a restart until all runs are resumed; losses count from there', () => {
    const runs = twoRuns();
    const first = enforcing(runs);
    for (const run of runs) run.known = { pnl: 0, gross: 0 };
    first.enforcer.check();
    for (const run of runs) run.known = { pnl: -30e6, gross: 0 };
    first.enforcer.check();
    expect(runs.map(({ mode }) => mode)).toEqual(['close-only', 'close-only']);
    first.enforcer.close();
    first.state.close();

    const [a, b] = runs as [FakeRun, FakeRun];
    a.mode = 'active'; // one of two is resumed
    const second = enforcing(runs, first.directory);
    second.enforcer.check();
    expect(a.mode).toBe('close-only');
    second.enforcer.close();
    second.state.close();

    [a.mode, b.mode] = ['active', 'active'];
    const third = enforcing(runs, first.directory);
    third.enforcer.check();
    expect([a.mode, b.mode]).toEqual(['active', 'active']);
    a.known = { pnl: -79e6, gross: 0 };
    third.enforcer.check();
    expect(a.mode).toBe('active');
    a.known = { pnl: -80e6, gross: 0 };
    third.enforcer.check();
    expect(a.mode).toBe('close-only');
    third.enforcer.close();
    third.state.close();
  });

  test('a fleet runs in one process only', () => {
    const { directory, state } = enforcing(twoRuns());
    expect(() => openFleetState(directory)).toThrow('another process runs this fleet');
    state.close();
  });
});
