// A run that loses more than a limit goes to close-only by itself, stays there over restarts, and counts from zero after a person resumes it.
import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import type { Intent } from '../../../../src/bot/domain/intent.ts';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import { KillSwitch } from '../../../../src/bot/journal/kill-switch.ts';
import { limitsSchema } from '../../../../src/bot/risk/rules.ts';
import { startTrading, type Trading } from '../../../../src/bot/run/core/trading.ts';
import { openState } from '../../../../src/bot/run/state/state.ts';
import { SimDisk } from '../../../../src/research/simulation/environment/disk/sim-disk.ts';
import { START } from '../../world-builder.ts';
import { SmallExchange } from '../fake-venue.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Five minutes before midnight, UTC. */
const LATE = Math.floor(START / DAY) * DAY + DAY - 300_000;

let clock: VirtualClock;
let smallExchange: SmallExchange;
let disk: SimDisk;
let started: number;
beforeEach(() => {
  clock = new VirtualClock(LATE);
  smallExchange = new SmallExchange(clock);
  disk = new SimDisk();
  started = 0;
});

const level = (price: number) => [{ price: ticks(price), size: lots(1_000) }];
/** A bid of 0.1 BTC at 0.1 % below the price, which follows the price. */
const bids = (): readonly Intent[] => [
  { kind: 'quote', market: 0, bids: level(Math.floor(smallExchange.price * 0.999)), asks: [], slack: ticks(0), fillMode: 'POST_ONLY' },
];
const NOTHING = (): readonly Intent[] => [];

interface Process {
  readonly trading: Trading;
  readonly end: () => void;
}

/** The next process of the run, on the same disk. It has only the loss stops in `limits`. */
function start(limits: Readonly<Record<string, unknown>>, decide = bids): Process {
  const none = { 'daily-loss': { maxLoss: 1e9, maxFraction: 1 }, drawdown: { maxFraction: 1, flattenFraction: 1 } };
  const processes = { self: { pid: ++started, started: '', boot: '' }, alive: () => false };
  const state = openState(disk, { clock, started: String(started), processes });
  const trading = startTrading({
    clock,
    venue: smallExchange.venue(),
    state,
    decide,
    limits: limitsSchema.parse({ ...none, ...limits }),
    params: {},
    seed: 'seed',
    name: { run: 'r', strategy: 's', exchange: 'fake' },
  });
  const end = (): void => {
    smallExchange.disconnect();
    state.close();
  };
  return { trading, end };
}

const pass = (span: number): Promise<void> => clock.drive(clock.now() + span);
const modeOf = ({ trading }: Process): string => trading.run.world.mode;
const latched = (): string => {
  const { mode, cause } = new KillSwitch(disk).get();
  return mode === 'active' ? 'active' : `${mode} by ${cause?.by}: ${cause?.reason}`;
};

/** Buys 0.1 at 59 940, and lets the price fall to `price`. */
async function bought(process: Process, price: number): Promise<void> {
  await pass(5_000);
  smallExchange.fill('bid');
  await pass(3_000);
  expect(modeOf(process)).toBe('active');
  smallExchange.price = price * 10;
  await pass(3_000);
}

describe('a loss of the day', () => {
  const limits = { 'daily-loss': { maxLoss: 90 } };

  test('beyond the limit leads to close-only: resting orders are withdrawn, nothing is opened, and the reason has the amount', async () => {
    const process = start(limits);
    await bought(process, 59_100);
    expect([modeOf(process), latched()]).toEqual(['active', 'active']); // a loss of 84
    smallExchange.price = 590_300;
    await pass(3_000);
    expect(modeOf(process)).toBe('close-only');
    expect(latched()).toMatch(/^close-only by daily-loss: 91\.00 lost since 00:00 UTC, 0\.09\d* % of the account; the limit is 90 or 5 %$/);
    expect(smallExchange.resting).toEqual([]);
    expect(process.trading.summary()).toMatchObject({
      mode: 'close-only',
      modeReason: expect.stringContaining('91.00 lost since') as string,
    });
    const placed = smallExchange.placed.length;
    await pass(10_000);
    expect(smallExchange.placed.length).toBe(placed);
  });

  test('is also measured as a share of the account', async () => {
    const process = start({ 'daily-loss': { maxLoss: 1e9, maxFraction: 0.0009 } });
    await bought(process, 59_000);
    expect(latched()).toContain('close-only by daily-loss');
  });

  test('leads to flatten if that is configured', async () => {
    const process = start({ 'daily-loss': { maxLoss: 90, mode: 'flatten' } });
    await bought(process, 59_000);
    expect(modeOf(process)).toBe('flatten');
    expect(smallExchange.placed.at(-1)).toMatchObject({ side: 'ask', fillMode: 'IMMEDIATE_OR_CANCEL', size: 1_000 });
  });

  test('survives a restart: the next process is stopped, and one that is killed before the limit continues to count', async () => {
    const first = start(limits);
    await bought(first, 59_300); // a loss of 64
    first.end();
    const second = start(limits);
    await pass(5_000);
    expect(modeOf(second)).toBe('active');
    smallExchange.price = 590_000;
    await pass(3_000);
    expect(modeOf(second)).toBe('close-only');
    second.end();
    const third = start(limits);
    await pass(5_000);
    expect(modeOf(third)).toBe('close-only');
  });

  test('is not counted twice by a restart', async () => {
    const first = start(limits);
    await bought(first, 59_300);
    first.end();
    for (let restart = 0; restart < 3; restart++) {
      const next = start(limits, NOTHING);
      await pass(65_000);
      expect(modeOf(next)).toBe('active');
      next.end();
    }
  });

  test('includes losses while no process ran', async () => {
    const first = start(limits);
    await bought(first, 59_900);
    first.end();
    smallExchange.price = 590_000;
    const second = start(limits, NOTHING);
    await pass(5_000);
    expect(latched()).toContain('close-only by daily-loss: 94.00 lost');
    second.end();
  });

  test('restarts when a person has resumed, and at midnight UTC', async () => {
    const first = start(limits);
    await bought(first, 59_000);
    first.end();
    new KillSwitch(disk).release();
    const second = start(limits, NOTHING);
    await pass(10_000);
    expect(modeOf(second)).toBe('active');
    smallExchange.price = 582_000; // 80 more
    await pass(3_000);
    expect(modeOf(second)).toBe('active');
    await pass(300_000);
    smallExchange.price = 574_000; // 80 more, on another day
    await pass(3_000);
    expect(modeOf(second)).toBe('active');
    smallExchange.price = 572_000;
    await pass(3_000);
    expect(modeOf(second)).toBe('close-only');
    second.end();
  });
});

describe('a drawdown', () => {
  const limits = { drawdown: { maxFraction: 0.001, flattenFraction: 0.002 } };

  test('is counted from the highest profit, over days and restarts; at the second limit everything is sold', async () => {
    const first = start(limits);
    await bought(first, 60_500);
    first.end();
    const second = start(limits, NOTHING);
    await pass(300_000);
    smallExchange.price = 596_000;
    await pass(3_000);
    expect(modeOf(second)).toBe('active'); // 90 below the peak
    smallExchange.price = 594_000;
    await pass(3_000);
    expect(latched()).toMatch(/^close-only by drawdown: 110\.00 lost since the highest profit, /);
    smallExchange.price = 584_000;
    await pass(3_000);
    expect(latched()).toMatch(/^flatten by drawdown: 210\.00 lost since the highest profit, .*; the limit is 0\.2 %$/);
    expect(smallExchange.placed.at(-1)).toMatchObject({ side: 'ask', fillMode: 'IMMEDIATE_OR_CANCEL' });
    second.end();
  });
});

describe('two stops that one loss has exceeded', () => {
  const limits = { 'daily-loss': { maxLoss: 90 }, drawdown: { maxFraction: 0.0009, flattenFraction: 1 } };
  async function resumed(): Promise<Process> {
    const first = start(limits);
    await bought(first, 59_000); // a loss of 94: both are exceeded, and one of them has acted
    expect(latched()).toContain('close-only by daily-loss');
    first.end();
    new KillSwitch(disk).release();
    return start(limits, NOTHING);
  }

  test('both restart when a person has resumed', async () => {
    const second = await resumed();
    await pass(10_000);
    expect(latched()).toBe('active');
    smallExchange.price = 582_000; // 80 more
    await pass(3_000);
    expect(latched()).toBe('active');
    smallExchange.price = 580_900; // 91
    await pass(3_000);
    expect(latched()).toContain('close-only by ');
    second.end();
  });

  test('both restart if the next process is killed before it has a price, or right after', async () => {
    const second = await resumed();
    second.end();
    const third = start(limits, NOTHING);
    await pass(10_000);
    third.end();
    const fourth = start(limits, NOTHING);
    await pass(10_000);
    expect(latched()).toBe('active');
    smallExchange.price = 580_900; // 91 more, within the first minute: no process ignores it
    await pass(3_000);
    expect(latched()).toContain('close-only by ');
    fourth.end();
  });

  test('one whose limit is not exceeded continues to count', async () => {
    const wider = { ...limits, drawdown: { maxFraction: 0.0015, flattenFraction: 1 } };
    const first = start(wider);
    await bought(first, 59_000);
    expect(latched()).toContain('close-only by daily-loss');
    first.end();
    new KillSwitch(disk).release();
    const second = start(wider, NOTHING);
    await pass(10_000);
    smallExchange.price = 582_000; // 174 below the peak, 80 more than when the person resumed
    await pass(3_000);
    expect(latched()).toContain('close-only by drawdown');
    second.end();
  });

  test('a loss on which no stop had acted is reported after a resume for another cause', async () => {
    const first = start(limits);
    await bought(first, 59_500);
    new KillSwitch(disk).raise('close-only', { reason: 'a person wants it', at: '2026-01-05T12:00:00Z', by: 'kill' });
    smallExchange.price = 590_000;
    await pass(3_000);
    expect(latched()).toContain('close-only by kill');
    first.end();
    new KillSwitch(disk).release();
    const second = start(limits, NOTHING);
    await pass(10_000);
    expect(latched()).toContain('close-only by daily-loss: 94.00 lost');
    second.end();
  });
});

describe('losing hours', () => {
  test('in a row lead to close-only, including restarts between them', async () => {
    const limits = { 'losing-hours': { maxHours: 3, leastFraction: 0.0001 } };
    let process = start(limits);
    await bought(process, 59_900);
    for (let hour = 0; hour < 3; hour++) {
      expect(modeOf(process)).toBe('active');
      smallExchange.price -= 2_000; // 20 of 100 000
      await pass(65_000);
      process.end();
      await pass(HOUR);
      process = start(limits, NOTHING);
      await pass(5_000);
    }
    expect(latched()).toBe('close-only by losing-hours: 3 hours in a row lost more than 0.01 % of the account each; the limit is 3');
  });
});
