// A machine that sleeps while the exchange continues: nothing is sent based on earlier data.
import { beforeEach, describe, expect, test } from 'vitest';
import { MachineClock, VirtualClock } from '../../../src/base/clock.ts';
import type { Intent } from '../../../src/bot/domain/intent.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { Engine } from '../../../src/bot/engine/engine.ts';
import { limitsSchema, rulesFrom } from '../../../src/bot/risk/rules.ts';
import { type Ending, type Run, startRun } from '../../../src/bot/run/core/run.ts';
import { stopAfter } from '../../../src/bot/run/core/trading.ts';
import { World } from '../../../src/bot/world/world.ts';
import { SleepingMachine } from '../../sleeping-machine.ts';
import { BTC, START } from '../world-builder.ts';
import { FakeVenue } from './fake-venue.ts';

const QUOTE: Intent = {
  kind: 'quote',
  market: 0,
  bids: [{ price: ticks(599_000), size: lots(100) }],
  asks: [],
  slack: ticks(0),
  fillMode: 'POST_ONLY',
};

let outside: VirtualClock;
let machine: SleepingMachine;
let venue: FakeVenue;
let turns: Turn[];
let run: Run;
let wants: readonly Intent[];

beforeEach(async () => {
  outside = new VirtualClock(START);
  machine = new SleepingMachine(outside);
  const clock = new MachineClock(machine);
  venue = new FakeVenue(clock);
  turns = [];
  wants = [];
  const world = new World([BTC]);
  const rules = rulesFrom(limitsSchema.parse({}));
  const engine = new Engine({ world, decide: (_, open) => (open.has(0) ? wants : []), rules, nextClientOrderId: () => '1' });
  run = startRun({ clock, venue, world, engine });
  run.turns.subscribe((turn) => turns.push(turn));
  await pass(1);
  seen();
  await pass(1);
  expect(turns.at(-1)?.findings).toEqual([]);
});

const pass = (span: number): Promise<void> => outside.drive(outside.now() + span);
const sent = (): number => venue.submitted.length;
const jumps = (): number[] => turns.flatMap(({ events }) => events.flatMap((event) => (event.kind === 'clockJumped' ? [event.by] : [])));

function seen(): void {
  venue.fresh();
  venue.account({ updateId: 1 });
}

describe('after the machine has slept', () => {
  // 2.5 s is below every limit of age.
  test.each([2_500, 20_000, 75_000])('of %i ms, nothing is placed before all data is new, and then it is', async (span) => {
    wants = [QUOTE];
    machine.sleep(span);
    await pass(span + 1_100);
    expect([sent(), jumps()]).toEqual([0, [span]]);
    expect(turns.flatMap(({ findings }) => findings.map(({ reason }) => reason))).toContain(
      `the order book was requested before the clock jumped by ${(span / 1_000).toFixed(1)} s`,
    );
    seen();
    await pass(1);
    expect(venue.submitted).toMatchObject([[{ kind: 'place', price: 599_000 }]]);
  });

  test('nothing is placed on earlier data, although its turn comes only now', async () => {
    wants = [QUOTE];
    seen();
    machine.sleep(20_000);
    await pass(20_001);
    expect([sent(), jumps()]).toEqual([0, [20_000]]);
  });

  test('an answer to an earlier request is as old as that request', async () => {
    const asked = outside.now();
    wants = [QUOTE];
    machine.sleep(20_000);
    await pass(20_001);
    seen();
    venue.report({
      kind: 'bookSeen',
      asked,
      book: {
        market: 0,
        updateId: '2',
        bids: [{ price: ticks(599_999), size: lots(1) }],
        asks: [{ price: ticks(600_001), size: lots(1) }],
      },
    });
    await pass(1);
    expect(sent()).toBe(0);
  });
});

describe('a wall clock that is set', () => {
  test.each([3_600_000, -3_600_000])('by %i ms stops trading until all data is new, and not for longer', async (by) => {
    machine.setWallClock(by);
    await pass(1_100);
    seen();
    wants = [QUOTE];
    await pass(1);
    expect(sent()).toBe(1);
    expect(jumps()).toEqual(by > 0 ? [by] : []);
  });
});

test('a process that was stopped between an event and its turn decides with the present time', async () => {
  wants = [QUOTE];
  seen();
  machine.stop(20_000);
  await pass(20_001);
  expect([sent(), jumps()]).toEqual([0, []]);
});

test('a run that is closing waits its full time for its orders after the machine has slept', async () => {
  wants = [QUOTE];
  seen();
  await pass(1);
  expect(sent()).toBe(1);
  let ending: Ending | undefined;
  void run.done.then((how) => (ending = how));
  run.stop('the test');
  await pass(1_000);
  machine.sleep(3_600_000);
  await pass(3_600_000 + 80_000);
  expect(ending).toBeUndefined();
  await pass(20_000);
  expect(ending).toMatchObject({ kind: 'unsettled' });
});

test('a wall clock that is set forward does not end a run with a time limit, and the machine is awake for no longer than the limit', async () => {
  const clock = new MachineClock(machine);
  stopAfter(run, { clock, spanMs: 10_000 });
  await pass(4_000);
  machine.setWallClock(3_600_000);
  clock.now(); // notices it, as in a run, which reads the time in every turn
  await pass(5_999);
  expect(run.world.stopping).toBeUndefined();
  await pass(1_002);
  expect(run.world.stopping).toBe('the time of 10 s is over');
});
