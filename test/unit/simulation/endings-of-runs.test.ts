// Which ends of a run the simulation accepts: an order without an answer may be left only where no proof could be asked for.
import { expect, test } from 'vitest';
import { KillSwitch } from '../../../src/journal/kill-switch.ts';
import { SimDisk } from '../../../src/simulation/environment/disk/sim-disk.ts';
import { mayEnd } from '../../../src/simulation/environment/processes/supervisor.ts';
import { endings } from '../../../src/simulation/invariants/endings.ts';
import type { Process, Scene } from '../../../src/simulation/invariants/record/scene.ts';
import { FaultBox } from '../../../src/simulation/plan/fault-box.ts';
import type { Fault } from '../../../src/simulation/plan/faults.ts';

const ENDED_AT = 100_000;

interface Cut {
  readonly path?: NonNullable<Fault['path']>;
  readonly cutAt?: number;
  readonly healedAt?: number;
}

/** True if a run may end unsettled after the mode cancel-all, with that line cut from `cutAt` on. */
function mayEndUnsettled({ path = 'account', cutAt = ENDED_AT, healedAt = ENDED_AT + 1 }: Cut): boolean {
  const disk = new SimDisk();
  new KillSwitch(disk).raise('cancel-all', { at: '2026-01-05T12:00:00.000Z', by: 'person', reason: 'the test' });
  const plan = [{ id: 'partition/0', kind: 'partition', from: cutAt, until: healedAt, path }] as const;
  const now = () => ENDED_AT;
  const faults = new FaultBox({ plan, seed: 's', now, onStruck: () => undefined });
  const venue = { engineTime: () => Date.parse('2026-01-05T12:01:40Z') };
  const scene = { disk, faults, now, venue, record: { orders: new Map() } } as unknown as Scene;
  return mayEnd({ kind: 'unsettled', reason: 'no proof in time' }, scene);
}

test('a run may end without a proof where accounts or trades could not be asked for while one takes', () => {
  expect(mayEndUnsettled({ path: 'account', cutAt: ENDED_AT - 20_000 })).toBe(true);
  expect(mayEndUnsettled({ path: 'trades', cutAt: ENDED_AT - 60_000 })).toBe(true);
  expect(mayEndUnsettled({ path: 'all', cutAt: ENDED_AT - 20_000 })).toBe(true);
});

test('a run may not end without a proof that it could have asked for', () => {
  expect(mayEndUnsettled({ cutAt: ENDED_AT - 19_000 })).toBe(false);
  expect(mayEndUnsettled({ cutAt: ENDED_AT - 60_000, healedAt: ENDED_AT - 1 })).toBe(false);
  expect(mayEndUnsettled({ path: 'book', cutAt: ENDED_AT - 60_000 })).toBe(false);
});

/** The complaints where a run begins to close at once and ends so after that time. */
function complaintsOfEnding(kind: 'settled' | 'unsettled', after: number): readonly string[] {
  const complaints: string[] = [];
  let now = 1_000;
  const check = endings({ fail: (invariant: string) => complaints.push(invariant) } as unknown as Scene);
  const world = { stopping: 'the test' };
  const process = {
    number: 1,
    life: { clock: { now: () => now }, monotonic: () => now },
    trading: { run: { world } },
  } as unknown as Process;
  check.turn?.({} as never, process);
  now += after;
  check.turn?.({} as never, process);
  check.ended?.(process, kind === 'settled' ? { kind } : { kind, reason: 'no proof in time' });
  return complaints;
}

test('a run that closes may not give up before its 90 s are over', () => {
  expect(complaintsOfEnding('unsettled', 89_999)).toEqual(['V13']);
  expect(complaintsOfEnding('unsettled', 90_000)).toEqual([]);
  expect(complaintsOfEnding('settled', 2_000)).toEqual([]);
});
