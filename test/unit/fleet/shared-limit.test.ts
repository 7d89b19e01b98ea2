// What each run of a fleet may hold beside the others. BTC at 60 000; the limit is 30 000.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { MICROS_PER_UNIT } from '../../../src/bot/domain/numbers.ts';
import { planFleet } from '../../../src/program/commands/fleet/plan.ts';
import { SharedLimit } from '../../../src/program/fleet/shared-limit.ts';
import { FakeHost } from '../cli/fake-host.ts';
import { guardVerdict } from '../risk/verdicts.ts';
import { calmWorld, type WorldBuilder } from '../world-builder.ts';

const calm = (): WorldBuilder => calmWorld({ bid: 59_999, ask: 60_001 });
const MAX = 30_000;
/** A hundredth of it is left for prices that move. */
const SPARE = 300;

test('a run may hold what the worst cases of the others leave', () => {
  const shared = new SharedLimit(MAX);
  const [first, second] = [shared.add('first'), shared.add('second')];
  const builder = calm();
  second.begin(builder.world);
  const allowed = first.begin(calm().world);
  const left = (): number => allowed().notional / MICROS_PER_UNIT;
  expect(left()).toBe(MAX - SPARE);
  builder.account({ position: 0.1 });
  expect(left()).toBe(24_000 - SPARE);
  builder.placed({ side: 'bid', price: 59_000, size: 0.1, id: '1' }).pending({ side: 'bid', price: 59_000, size: 0.1, id: '2' });
  expect(left()).toBe(12_000 - SPARE);
  builder.placed({ side: 'ask', price: 61_000, size: 0.2, id: '3' }); // the worse side alone
  expect(left()).toBe(12_000 - SPARE);
  builder.unknown('2', 9e9);
  expect(left()).toBe(12_000 - SPARE);
  builder.account({ position: 0.9 });
  expect(left()).toBe(0);
});

test('nothing may be opened while another run is not known yet; one that has ended counts with what it left', () => {
  const shared = new SharedLimit(MAX);
  const [first, second, third] = [shared.add('first'), shared.add('second'), shared.add('third')];
  third.begin(calm().account({ position: -0.1 }).world);
  const allowed = first.begin(calm().world);
  expect(allowed()).toEqual({ notional: 0, reason: 'the position of the run second of the fleet is not known yet' });
  second.ended();
  third.ended();
  expect(allowed().notional).toBe((24_000 - SPARE) * MICROS_PER_UNIT);
});

const allow = (builder: WorldBuilder, notional: number): WorldBuilder =>
  builder.apply((at) => ({ kind: 'command', at, command: 'allow', notional: notional * MICROS_PER_UNIT, reason: 'a test' }));
const verdict = (builder: WorldBuilder, side: 'bid' | 'ask', size: number): string =>
  guardVerdict('allowance', builder.world, { side, price: side === 'bid' ? 59_000 : 61_000, size });

test('the guard shrinks an order to the allowance, and passes what reduces', () => {
  expect(verdict(calm(), 'bid', 5)).toBe('pass');
  expect(verdict(allow(calm(), 6_000), 'bid', 0.1)).toBe('pass');
  expect(verdict(allow(calm(), 6_000), 'ask', 0.1001)).toBe('shrink to 0.1: a test: 6000.00 is left for this run');
  const holding = allow(calm().account({ position: 0.2 }), 6_000);
  expect(verdict(holding, 'bid', 0.0001)).toMatch(/^shrink to 0: /);
  expect(verdict(holding, 'ask', 0.2)).toBe('pass');
  expect(verdict(holding, 'ask', 0.4)).toMatch(/^shrink to 0: /);
});

test('the plan of a fleet with a limit of positions gives each run its part', async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const plansOf = async (limits: string) => {
    const path = join(folder, 'two.yaml');
    writeFileSync(path, `runs:\n  one: { strategy: grid }\n  two: { strategy: grid }\n${limits}`);
    return (await planFleet(path, { json: true }, { clock: systemClock, host: new FakeHost() })).runs.map(({ plan }) => plan);
  };
  const [one, two] = await plansOf('limits:\n  gross-notional: { maxNotional: 30000 }\n');
  const allowed = one?.allowance?.begin(calm().world);
  expect(allowed?.().reason).toContain('run two of the fleet');
  two?.allowance?.ended();
  expect(allowed?.().notional).toBe((MAX - SPARE) * MICROS_PER_UNIT);
  expect((await plansOf(''))[0]?.allowance).toBeUndefined();
});
