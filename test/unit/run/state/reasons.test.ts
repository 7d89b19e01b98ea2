// Why a run trades nothing or less: the reasons in order of importance, for every place that shows them.
import { expect, test } from 'vitest';
import { reasonsOf, wantedWords } from '../../../../src/bot/run/state/reasons.ts';

const FREE = { mode: 'active', unhealthy: [], held: [], unknown: 0 } as const;

test('nothing is held back', () => {
  expect(reasonsOf(FREE)).toEqual([]);
});

test('the most important first: the end of the run, its mode, its data, its guards, its orders without an answer', () => {
  const finding = { guard: 'margin', verdict: 'refuse', side: 'bid', market: 'BTCUSDC', reason: 'too little' } as const;
  const standing = {
    mode: 'close-only',
    modeReason: 'close-only since noon',
    stopping: 'Ctrl-C',
    unhealthy: ['no answer'],
    held: [finding],
    unknown: 1,
  } as const;
  expect(reasonsOf(standing).map(({ what, text }) => [what, text])).toEqual([
    ['stopping', 'Ctrl-C'],
    ['mode', 'close-only since noon'],
    ['stream', 'no answer'],
    ['guard', 'margin refuses bid BTCUSDC: too little'],
    ['unknown', 'one order has no definite answer yet; it counts as open'],
  ]);
});

test('a guard that refuses each level of a quote is one reason', () => {
  const level = { guard: 'mode', verdict: 'refuse', side: 'bid', market: 'BTCUSDC', reason: 'close-only' } as const;
  const held = [level, { ...level, side: 'ask' as const }, level];
  expect(reasonsOf({ ...FREE, held }).map(({ text }) => text)).toEqual([
    'mode refuses bid BTCUSDC: close-only',
    'mode refuses ask BTCUSDC: close-only',
  ]);
});

test('what the strategy wants is shown to a person who sees no orders', () => {
  expect(wantedWords([])).toBe('the strategy wants no order and no position');
  expect(wantedWords([{ market: 'A', bids: 0, asks: 0 }])).toBe('the strategy wants no order in A');
  expect(wantedWords([{ market: 'A', bids: 1, asks: 0 }])).toBe('the strategy wants 1 bid and no asks in A');
  expect(wantedWords([{ market: 'B', position: '-0.5' }])).toBe('the strategy wants a position of -0.5 B');
});
