// The live view as text: what is on it, and that it fits any terminal.
import { fc, test as property } from '@fast-check/vitest';
import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { frame } from '../../../../src/cli/terminal/frame.ts';
import type { Picture } from '../../../../src/cli/terminal/picture.ts';
import { PICTURE } from '../run/samples.ts';

const PLAIN = picocolors.createColors(false);
const COLOURED = picocolors.createColors(true);

const draw = (picture: Picture, [width, height]: readonly [number, number] = [120, 40]): string[] =>
  frame(picture, { width, height }, PLAIN).split('\n');
/** Runs of blanks are for the eye alone. */
const squeezed = (lines: readonly string[]): string[] => lines.map((line) => line.trim().replace(/\s+/g, ' '));
const withoutColours = (text: string): string => text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '');

describe('on a wide terminal', () => {
  const lines = squeezed(draw(PICTURE));

  test('the run, its state and for how long it has run', () => {
    expect(lines[0]).toBe('grid on embedded grid-embedded-x trading 01:02:03');
  });

  test('the account with its margins as bars, the session, and the age of each stream', () => {
    expect(lines).toContain('equity 1000.00 pnl 12.34');
    expect(lines).toContain(`imf of omf ${'█'.repeat(4)}${'░'.repeat(36)} 10 % 100.00 of 1000.00`);
    expect(lines).toContain(`cmf of omf ${'█'.repeat(24)}${'░'.repeat(16)} 60 % 600.00 of 1000.00`);
    expect(lines).toContain(`mmf of mf ${'█'.repeat(40)} 120 % 1200.00 of 1000.00`);
    expect(lines).toContain(`session ${'█'.repeat(20)}${'░'.repeat(20)} 1 h 30 min left`);
    expect(lines).toContain('data book 0.1 s account -');
  });

  test('the book with our orders marked, and beside it our orders', () => {
    const from = lines.indexOf('BTCUSDC position -0.0166 from 60042.0, pnl -0.50');
    expect(lines.slice(from + 1, from + 6)).toEqual([
      'price size ours own orders: 2',
      '60002.0 2.0000 0.0200 ◂ ask 60002.0 0.0200 cancelling',
      '60001.0 0.2500 bid 60000.0 0.0100 open',
      '60000.0 0.5000 0.0100 ◂',
      '59999.0 1.0000',
    ]);
  });

  test('what happened last', () => {
    expect(lines).toContain('03:04:05 margin shrinks ask BTCUSDC: too little');
    expect(lines).toContain('03:04:06 fill: bid 0.0100 BTCUSDC at 60000.0, maker');
    expect(lines).toContain('03:04:07 order open: bid 0.0100 BTCUSDC at 60000.0');
  });
});

test('on a narrow terminal the orders stand below the book', () => {
  const lines = squeezed(draw(PICTURE, [60, 40]));
  expect(lines.indexOf('own orders: 2')).toBeGreaterThan(lines.indexOf('59999.0 1.0000'));
});

test('a stopping run says so, and how to end it at once', () => {
  const lines = squeezed(draw({ ...PICTURE, state: { kind: 'stopping', reason: 'Ctrl-C' } }));
  expect(lines[0]).toContain('stopping');
  expect(lines[1]).toBe('Ctrl-C; cancelling all orders, Ctrl-C again ends at once');
});

test('before any data there are no numbers, and unhealthy streams are shown', () => {
  const empty = { bid: [], ask: [] };
  const nothing = { account: undefined, session: undefined, alarms: [], findings: [], fills: [], changes: [], logs: [] };
  const blind: Picture = {
    ...PICTURE,
    ...nothing,
    state: { kind: 'waiting' },
    markets: [{ symbol: 'BTCUSDC', book: empty, orders: empty, position: undefined }],
    faults: ['the order book is 9 s old'],
  };
  const lines = squeezed(draw(blind));
  expect(lines[0]).toContain('waiting for data');
  expect(lines).toEqual(expect.arrayContaining(['account not seen yet', 'session none yet', 'the order book is 9 s old', 'BTCUSDC flat']));
});

test('colours are asked for, never forced, and take no room', () => {
  const size = { width: 100, height: 40 };
  const [plain, coloured] = [frame(PICTURE, size, PLAIN), frame(PICTURE, size, COLOURED)];
  expect(plain).not.toContain('\x1b');
  expect(coloured).toContain('\x1b[31m');
  expect(withoutColours(coloured)).toBe(plain);
});

const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const happenings = fc.array(fc.record({ at: fc.constant('2026-01-02T03:04:05.678Z'), text: anyText }), { maxLength: 30 });
const level = fc.record({ price: anyText, size: anyText, own: fc.option(anyText, { nil: undefined }) });
const side = fc.record({ bid: fc.array(level, { maxLength: 10 }), ask: fc.array(level, { maxLength: 10 }) });
const market = fc
  .record({ symbol: anyText, book: side })
  .map((drawn) => ({ ...PICTURE.markets[0], ...drawn }) as Picture['markets'][number]);

property.prop(
  {
    width: fc.integer({ min: 40, max: 200 }),
    height: fc.integer({ min: 10, max: 80 }),
    markets: fc.array(market, { minLength: 1, maxLength: 3 }),
    fills: happenings,
    logs: happenings,
    faults: fc.array(anyText, { maxLength: 4 }),
  },
  { seed: 9, numRuns: 100 },
)('whatever is shown, no line is longer or shorter than the terminal is wide, and none is too many', ({ width, height, ...drawn }) => {
  const lines = draw({ ...PICTURE, ...drawn }, [width, height]);
  expect(lines.length).toBeLessThanOrEqual(height);
  for (const line of lines) {
    expect(line).toHaveLength(width);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  }
});
