// Intents that a limit cuts, line by line: the rest is placed once, and again only if a larger part is allowed.
import { expect, test } from 'vitest';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { DEFAULTS } from '../replay/virtual-run.ts';
import { memoryTape, randomRows, Script } from './backtest/memory-tape.ts';
import { played } from './backtest/played.ts';
import { Stage } from './stage.ts';

/** A position of 2.5 at a price of 100. */
const LIMITS = { position: { maxNotional: 250 } };
const CALM = `
  time 1000
  info 100
  account
  book 99.5@10 | 100.5@10
`;
/** The third order is cut in half; a fourth has no room. */
const PLACED = `
  quote bid 99.0@1, bid 98.0@1, bid 97.0@1, bid 96.0@1
  tick      => bid 99.0@1.0 as 1, bid 98.0@1.0 as 2, bid 97.0@0.5 as 3
  opened 1
  opened 2
  opened 3
  account 1 2 3
  tick
`;

const play = (script: string): Stage => new Stage(LIMITS).play(CALM).play(PLACED).play(script);

test('a cut order stays as long as it would be cut the same way', () => {
  const stage = play(`
    book 99.4@10 | 100.4@10
    info 100
    later 1
    account 1 2 3
    tick
  `);
  const findings = stage.turns.flatMap((turn) => turn.findings);
  expect(findings.filter(({ guard }) => guard === 'position').map(({ verdict }) => verdict)).toEqual(['shrink', 'refuse', 'shrink']); // when it was cut, and once while it rests
});

test('a cut order stays within the slack of a moving price and after a partial fill', () => {
  play(`
    quote bid 99.0@1, bid 98.0@1, bid 97.1@1, slack 1
    tick
    position 0.2
    filled 3 0.2
    account 1 2 3
    tick
  `);
});

test('a cut order is replaced by a larger one if both fit the limit', () => {
  play(`
    quote bid 97.0@1
    tick      => cancel 1, cancel 2
    cancelled 1
    cancelled 2
    account 3 => cancel 3, bid 97.0@1.0 as 4
    opened 4
    cancelled 3
    account 4
    tick
  `);
});

test('a cut order is cancelled before a larger one that fits only without it', () => {
  play(`
    quote bid 98.0@1, bid 97.0@2
    tick      => cancel 1
    cancelled 1
    account 2 3 => cancel 3
    tick
    cancelled 3
    account 2 => bid 97.0@1.5 as 4
    opened 4
    account 2 4
    tick
  `);
});

test('a cut order is cancelled if its size exceeds the limit', () => {
  play(`
    info 104  => cancel 3
  `);
});

test('a smaller intent replaces the cut order', () => {
  play(`
    quote bid 99.0@1, bid 98.0@1, bid 97.0@0.2
    tick      => cancel 3
    cancelled 3
    account 1 2 => bid 97.0@0.2 as 4
  `);
});

test('a grid above its limit places each order once in an unchanging market', async () => {
  const script = new Script().add(0, 'index', { price: 600_000 }).add(0, 'mark', { price: 600_000 }).book(0, 600_000);
  for (let second = 1; second <= 60; second++) script.add(second * 1_000, 'index', { price: 600_000 + (second % 2) });
  const { strategy } = await loadStrategy('grid');
  const limits = { ...DEFAULTS.limits, position: { maxNotional: 1_300 } };
  const { summary, turns } = await played([memoryTape(script.rows)], strategy, { limits });
  const placed = turns.flatMap(({ actions }) => actions.filter((action) => action.kind === 'place'));
  expect(placed.map(({ side, size }) => [side, size])).toEqual([
    ['bid', 83],
    ['bid', 83],
    ['bid', 50],
    ['ask', 83],
    ['ask', 83],
    ['ask', 50],
  ]);
  expect(summary.orders).toMatchObject({ placed: 6, cancelled: 6 }); // cancelled at the end
});

test('a grid above its limit places few extra orders in a moving market', async () => {
  const { strategy } = await loadStrategy('grid');
  const tape = memoryTape(randomRows('limits', 120));
  const params = { ...strategy.defaults, spacingBps: 0.4 };
  const free = await played([tape], strategy, { params });
  const limited = await played([tape], strategy, { params, limits: { ...DEFAULTS.limits, position: { maxNotional: 1_300 } } });
  expect(free.summary.orders.placed).toBeGreaterThan(50);
  expect(limited.summary.orders.placed).toBeLessThan(1.2 * free.summary.orders.placed);
});
