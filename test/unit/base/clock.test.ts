// A virtual clock, which moves only when it is set, and the clocks of the system and of a machine that sleeps.

import * as fc from 'fast-check';
import { type SinonFakeTimers, useFakeTimers } from 'sinon';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MACHINE, MachineClock, sleep, VirtualClock } from '../../../src/base/clock.ts';
import { SleepingMachine } from '../../sleeping-machine.ts';

/** A timer that sets timers when it runs. */
interface SetTimer {
  readonly after: number;
  readonly sets: readonly SetTimer[];
}

interface Listed {
  readonly when: number;
  readonly order: number;
}

/** Lists of timers, which set others from `sets`. */
const setting = (sets: fc.Arbitrary<SetTimer[]>): fc.Arbitrary<SetTimer[]> =>
  fc.array(fc.record({ after: fc.nat({ max: 3 }), sets }), { maxLength: 5 });

/** The places of the timers by time, then by registration. */
const inOrder = (listed: readonly Listed[]): readonly number[] =>
  listed.toSorted((a, b) => a.when - b.when || a.order - b.order).map(({ order }) => order);

describe('a virtual clock', () => {
  let clock: VirtualClock;
  let log: string[];
  beforeEach(() => {
    clock = new VirtualClock(1_000);
    log = [];
  });
  const note = (text: string) => () => void log.push(`${clock.now()} ${text}`);

  test('runs timers by time, then in the order of registration, and ends at the end time', () => {
    clock.at(1_200, note('late'));
    clock.at(1_100, note('first'));
    clock.at(1_100, note('second'));
    clock.at(1_301, note('not yet'));
    clock.advanceTo(1_300);
    expect(log).toEqual(['1100 first', '1100 second', '1200 late']);
    expect(clock.now()).toBe(1_300);
  });

  test('runs an overdue timer in the next step, not within the call that sets it', () => {
    clock.at(1_000, note('now'));
    clock.at(0, note('long ago'));
    expect(log).toEqual([]);
    clock.advanceTo(1_000);
    expect(log).toEqual(['1000 now', '1000 long ago']);
  });

  test('lets a timer set timers, also overdue ones', () => {
    clock.at(1_100, () => {
      note('outer')();
      clock.at(1_100, note('inner'));
      clock.at(1_150, note('later'));
    });
    clock.advanceTo(1_200);
    expect(log).toEqual(['1100 outer', '1100 inner', '1150 later']);
  });

  test('runs what is due now after the earlier timers of the same time, whatever timers set', () => {
    fc.assert(
      fc.property(setting(setting(setting(fc.constant([])))), (timers) => {
        const played = new VirtualClock(0);
        const ran: number[] = [];
        const listed: Listed[] = [];
        const set = (owner: readonly SetTimer[]): void => {
          for (const { after, sets } of owner) {
            const when = played.now() + after;
            const place = listed.push({ when, order: listed.length }) - 1;
            played.at(when, () => {
              ran.push(place);
              set(sets);
            });
          }
        };
        set(timers);
        played.advanceTo(100);
        expect(ran).toEqual(inOrder(listed));
      }),
    );
  });

  test('does not run a cancelled timer; cancelling twice or too late has no effect', () => {
    const cancel = clock.at(1_100, note('cancelled'));
    const tooLate = clock.at(1_050, note('ran'));
    cancel();
    cancel();
    clock.advanceTo(1_200);
    tooLate();
    expect(log).toEqual(['1050 ran']);
  });

  test('never goes back', async () => {
    expect(() => clock.advanceTo(999)).toThrow('time ran backwards');
    await expect(clock.drive(999)).rejects.toThrow('time ran backwards');
    clock.at(1_100, () => clock.advanceTo(2_000));
    expect(() => clock.advanceTo(1_200)).toThrow('time ran backwards');
  });

  test('settles promises between timers: each timer sees what the last one started as settled', async () => {
    const walk = async (): Promise<void> => {
      for (const step of ['one', 'two', 'three']) {
        await sleep(clock, 100);
        note(step)();
      }
    };
    void walk();
    clock.at(1_250, note('between'));
    await clock.drive(1_400);
    expect(log).toEqual(['1100 one', '1200 two', '1250 between', '1300 three']);
    expect(clock.now()).toBe(1_400);
  });

  test('stops early when its condition holds, and does not move after that', async () => {
    clock.at(1_100, note('ran'));
    clock.at(1_200, note('too far'));
    await clock.drive(9_000, () => log.length > 0);
    expect(log).toEqual(['1100 ran']);
    expect(clock.now()).toBe(1_100);
  });
});

describe('the system clock', () => {
  let fake: SinonFakeTimers;
  /** Not `systemClock`: other test files of this worker use it, and it would keep the jumps of the time here. */
  let clock: MachineClock;
  beforeEach(() => {
    fake = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    clock = new MachineClock(MACHINE);
  });
  afterEach(() => fake.restore());

  test('counts whole milliseconds since the epoch', () => {
    const before = clock.now();
    expect(Number.isSafeInteger(before)).toBe(true);
    fake.tick(250);
    expect(clock.now() - before).toBe(250);
  });

  test('fires once at its time, and not if cancelled', () => {
    const fired: number[] = [];
    const start = clock.now();
    clock.at(start + 100, () => fired.push(clock.now() - start));
    clock.at(start + 50, () => fired.push(-1))();
    fake.tick(99);
    expect(fired).toEqual([]);
    fake.tick(1_000);
    expect(fired).toEqual([100]);
  });

  test("waits for a month, although the platform's timers are shorter", () => {
    const month = 30 * 24 * 3_600_000;
    const fired: number[] = [];
    const start = clock.now();
    clock.at(start + month, () => fired.push(clock.now() - start));
    fake.tick(month - 1);
    expect(fired).toEqual([]);
    fake.tick(1);
    expect(fired).toEqual([month]);
  });

  test('runs an overdue timer at the end of this round of the event loop, unless it is cancelled', async () => {
    const ran: string[] = [];
    clock.at(clock.now(), () => ran.push('due'));
    clock.at(0, () => ran.push('long ago'));
    clock.at(clock.now(), () => ran.push('cancelled'))();
    await Promise.resolve();
    expect(ran).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ran).toEqual(['due', 'long ago']);
  });

  test('cancels a long wait at any time', () => {
    const month = 30 * 24 * 3_600_000;
    let fired = false;
    const cancel = clock.at(clock.now() + month, () => {
      fired = true;
    });
    fake.tick(month - 1);
    cancel();
    fake.tick(month);
    expect(fired).toBe(false);
  });
});

describe('the clock of a machine', () => {
  const START = 1_700_000_000_000;
  let world: VirtualClock;
  let machine: SleepingMachine;
  let clock: MachineClock;
  beforeEach(() => {
    world = new VirtualClock(START);
    machine = new SleepingMachine(world);
    clock = new MachineClock(machine);
  });
  const asleep = (span: number) => {
    machine.sleep(span);
    world.advanceTo(world.now() + span);
  };

  test('advances by the time that the machine slept, so an age is never less than by the wall clock', () => {
    world.advanceTo(START + 1_000);
    expect([clock.now(), clock.skipped()]).toEqual([START + 1_000, 0]);
    asleep(20_000);
    expect([clock.now(), clock.skipped()]).toEqual([START + 21_000, 20_000]);
    asleep(75_000);
    expect([clock.skipped(), clock.now()]).toEqual([95_000, START + 96_000]);
  });

  test('takes up to 2 s between its two clocks as adjustment of the wall clock, and more as a leap', () => {
    asleep(2_000);
    expect([clock.now(), clock.skipped()]).toEqual([START, 0]);
    asleep(2_001);
    expect([clock.now(), clock.skipped()]).toEqual([START + 2_001, 2_001]);
  });

  test('does not go back with the wall clock, and counts later sleeps', () => {
    machine.setWallClock(-3_600_000);
    world.advanceTo(START + 10);
    expect([clock.now(), clock.skipped()]).toEqual([START + 10, 0]);
    asleep(60_000);
    expect([clock.now(), clock.skipped()]).toEqual([START + 60_010, 60_000]);
  });

  test('counts a sleep during which the wall clock was set back by the length of the sleep, or by more', () => {
    machine.setWallClock(-7_500_000);
    asleep(71_000);
    expect([clock.now(), clock.skipped()]).toEqual([START + 71_000, 71_000]);
    machine.setWallClock(-20_000);
    asleep(20_000);
    world.advanceTo(world.now() + 100);
    expect([clock.now(), clock.skipped()]).toEqual([START + 91_100, 91_000]);
  });

  test('counts a sleep once, by the clock that gained more', () => {
    machine.setWallClock(5_000);
    asleep(20_000);
    expect([clock.now(), clock.skipped()]).toEqual([START + 25_000, 25_000]);
    world.advanceTo(world.now() + 1_000);
    expect([clock.now(), clock.skipped()]).toEqual([START + 26_000, 25_000]);
  });

  test('reads the uptime, which is slow to read, at most ten times a second', () => {
    let readings = 0;
    const counted = new MachineClock({
      monotonic: () => machine.monotonic(),
      wall: () => machine.wall(),
      uptime: () => {
        readings++;
        return machine.uptime();
      },
      wait: (span, run) => machine.wait(span, run),
      soon: (run) => machine.soon(run),
    });
    for (let passed = 0; passed < 1_000; passed++) {
      world.advanceTo(world.now() + 1);
      counted.now();
    }
    expect(readings).toBe(11);
  });

  test('waits as long as it should, although the wall clock is set forward meanwhile', async () => {
    let isOver = false;
    void sleep(clock, 2_000).then(() => (isOver = true));
    machine.setWallClock(60_000);
    clock.now();
    await world.drive(START + 1_999);
    expect(isOver).toBe(false);
    await world.drive(START + 2_001);
    expect(isOver).toBe(true);
  });

  test('leaps once when the wall clock is set forward, and continues from there', () => {
    machine.setWallClock(3_600_000);
    expect([clock.now(), clock.skipped()]).toEqual([START + 3_600_000, 3_600_000]);
    world.advanceTo(START + 5_000);
    expect([clock.now(), clock.skipped()]).toEqual([START + 3_605_000, 3_600_000]);
  });

  test('runs timers that fell due during a sleep when it notices the sleep', () => {
    const ran: string[] = [];
    clock.at(START + 30_000, () => ran.push('due meanwhile'));
    clock.at(START + 60_000, () => ran.push('cancelled'))();
    clock.at(START + 100_000, () => ran.push('later'));
    world.advanceTo(START + 1_000);
    asleep(75_000);
    world.advanceTo(START + 76_001);
    expect(ran).toEqual([]);
    clock.now();
    world.advanceTo(START + 76_002);
    expect(ran).toEqual(['due meanwhile']);
    world.advanceTo(START + 99_999);
    expect(ran).toEqual(['due meanwhile']);
    world.advanceTo(START + 100_001);
    expect(ran).toEqual(['due meanwhile', 'later']);
  });

  test('does not take a stop of the process between its two readings for a leap', () => {
    let readings = 0;
    const stopped = new MachineClock({
      monotonic: () => machine.monotonic(),
      wall: () => {
        if (++readings === 2) world.advanceTo(world.now() + 60_000);
        return machine.wall();
      },
      uptime: () => machine.uptime(),
      wait: (span, run) => machine.wait(span, run),
      soon: (run) => machine.soon(run),
    });
    expect([stopped.now(), stopped.skipped(), readings]).toEqual([START + 60_000, 0, 4]);
  });
});
