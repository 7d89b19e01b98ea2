// Strategies with one fault each, which the check of strategies must find.
import { readFileSync } from 'node:fs';
import { defineStrategy, webhook } from 'tickwright';
import { walkOf } from '../../../src/research/testing/check/checks/random-walk.ts';
import { SCRIPT_START } from '../../../src/research/testing/market-script.ts';

const defaults = { market: 'BTCUSDC' };

/** Is random: two runs differ. */
export const dice = defineStrategy({
  name: 'dice',
  defaults,
  create:
    ({ market }) =>
    (view) => [view.market(market).target({ position: Math.random() < 0.5 ? 0.01 : -0.01 })],
});

/** Stops after 300 turns, but loses its count at a restart. */
export const counter = defineStrategy({
  name: 'counter',
  defaults,
  create({ market }) {
    let turns = 0;
    return (view) => [view.market(market).target({ position: turns++ < 300 ? 0.01 : 0 })];
  },
});

/** The same counter, which keeps its count in the memory of the strategy. */
export const rememberedCounter = defineStrategy({
  name: 'remembered-counter',
  defaults,
  create:
    ({ market }, { memory }) =>
    (view) => {
      const turns = Number(memory.get() ?? 0);
      memory.set(turns + 1);
      return [view.market(market).target({ position: turns < 300 ? 0.01 : 0 })];
    },
});

/** Divides by zero at the lower end of a range. */
export const divider = defineStrategy({
  name: 'divider',
  defaults: { ...defaults, share: 0.5 },
  ranges: { share: [0, 1] },
  create:
    ({ market, share }) =>
    (view) => [view.market(market).target({ position: (0.01 * share) / share })],
});

/** Moves its order in every turn. */
export const restless = defineStrategy({
  name: 'restless',
  defaults,
  create({ market }) {
    let turns = 0;
    return (view) => {
      const { mid, quote } = view.market(market);
      if (mid === undefined) return [];
      return [quote({ bids: [{ price: mid * (turns++ % 2 === 0 ? 0.999 : 0.998), size: 0.01 }] })];
    };
  },
});

/** Reads tomorrow's prices from a file of [time, price]. */
export const oracle = defineStrategy({
  name: 'oracle',
  defaults: { ...defaults, file: 'prices.json' },
  create({ market, file }) {
    const prices = new Map(JSON.parse(readFileSync(file, 'utf8')) as [number, number][]);
    return (view) => {
      const { mid, target } = view.market(market);
      const soon = prices.get(Math.ceil(view.now / 10_000) * 10_000);
      return mid === undefined || soon === undefined ? [] : [target({ position: soon > mid ? 0.1 : -0.1 })];
    };
  },
});

/** Knows the random walks of the seed `check` in advance. */
export const clairvoyant = defineStrategy({
  name: 'clairvoyant',
  defaults,
  create({ market }) {
    const walks = Array.from({ length: 12 }, (_, index) => walkOf(`check/${index}`, 'BTCUSDC'));
    let first: number | undefined;
    return (view) => {
      const { mid, target } = view.market(market);
      if (mid === undefined) return [];
      first ??= mid;
      const [second, factor] = [Math.floor((view.now - SCRIPT_START) / 1_000), mid / first];
      const walk = walks.find((factors) => [second - 1, second].some((at) => Math.abs((factors[at] ?? 0) - factor) < 3e-6));
      const next = walk?.[second + 1];
      return next === undefined || second === 0 ? [] : [target({ position: next > factor ? 0.1 : -0.1 })];
    };
  },
});

export const idle = defineStrategy({ name: 'idle', defaults, create: () => () => [] });

/** Assumes that a market which had a price still has one. */
export const trusting = defineStrategy({
  name: 'trusting',
  defaults,
  create({ market }) {
    let begun = false;
    return (view) => {
      const { mid, bestAsk, quote } = view.market(market);
      begun ||= mid !== undefined;
      if (!begun) return [];
      if (bestAsk === undefined) throw new Error('the book has no asks');
      return [quote({ asks: [{ price: bestAsk + 10, size: 0.01 }], slackBps: 1 })];
    };
  },
});

/** Assumes that a signal is an object with a position. */
export const believer = defineStrategy({
  name: 'believer',
  defaults,
  inputs: () => ({ side: webhook() }),
  create:
    ({ market }) =>
    (view) => {
      const side = view.input('side')?.value as { position: string } | undefined;
      return side === undefined ? [] : [view.market(market).target({ position: side.position.startsWith('long') ? 0.01 : 0 })];
    },
});

/** The same strategy, which validates the signal. */
export const doubter = defineStrategy({
  ...believer,
  name: 'doubter',
  create:
    ({ market }) =>
    (view) => {
      const { position } = (view.input('side')?.value ?? {}) as { position?: unknown };
      return position === 'long' ? [view.market(market).target({ position: 0.01 })] : [];
    },
});

/** Assumes that no price falls by 10 % within ten hours. */
export const calmHours = defineStrategy({
  name: 'calm-hours',
  defaults: { ...defaults, resolution: '1h' },
  history: ({ resolution }) => ({ candles: { [resolution]: 50 } }),
  every: ({ resolution }) => resolution,
  create:
    ({ market, resolution }) =>
    (view) => {
      const { candles, target } = view.market(market);
      const closes = candles(resolution).map(({ close }) => close);
      if (closes.at(-1)! < 0.9 * closes.at(-11)!) throw new Error('a fall of a tenth');
      return [target({ position: 0.01 })];
    },
});

/** Takes five milliseconds of the processor for some of its turns. */
export const slow = defineStrategy({
  name: 'slow',
  defaults,
  create() {
    let turns = 0;
    return () => {
      if (turns++ % 40 !== 0) return [];
      const before = process.cpuUsage();
      const used = (): number => Object.values(process.cpuUsage(before)).reduce((sum, micros) => sum + micros, 0);
      while (used() < 5_000) continue;
      return [];
    };
  },
});

/** Waits like a strategy whose process the machine does not run for a while. */
export const suspended = defineStrategy({
  name: 'suspended',
  defaults,
  create() {
    let turns = 0;
    const nobody = new Int32Array(new SharedArrayBuffer(4));
    return () => {
      if (turns++ % 40 === 0) Atomics.wait(nobody, 0, 0, 5);
      return [];
    };
  },
});
