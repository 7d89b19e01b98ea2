// The live view as text: its content, and that it fits any terminal.
import { fc, test as property } from '@fast-check/vitest';
import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { frame } from '../../../../src/program/terminal/frame.ts';
import type { ViewModel } from '../../../../src/program/terminal/view-model.ts';
import { MODEL } from '../run/samples.ts';

const PLAIN = picocolors.createColors(false);
const COLOURED = picocolors.createColors(true);

const draw = (model: ViewModel, [width, height]: readonly [number, number] = [120, 40]): string[] =>
  frame(model, { width, height }, PLAIN).split('\n');
/** Joins runs of blanks, which only align columns. */
const squeezed = (lines: readonly string[]): string[] => lines.map((line) => line.trim().replace(/\s+/g, ' '));
const withoutColours = (text: string): string => text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '');

describe('on a wide terminal', () => {
  const lines = squeezed(draw(MODEL));

  test('shows the run, its state, its duration, and what is held back', () => {
    expect(lines[0]).toBe('grid on embedded grid-embedded-x trading, something is held back 01:02:03');
    expect(lines[1]).toBe('margin shrinks ask BTCUSDC: too little');
  });

  test('shows the money, the distance to each margin limit in one row, the session, and the age of the data', () => {
    expect(lines).toContain('equity 1000.00 profit 12.34 (trading 15.00, fees -2.66, funding 0.00) today 3.10 drawdown 5.20');
    expect(lines).toContain('profit ▁▄█');
    const [open, cancel, end] = [`██${'░'.repeat(14)}`, `${'█'.repeat(10)}${'░'.repeat(6)}`, '█'.repeat(16)];
    expect(lines).toContain(`margins refusal ${open} 10 % cancelling ${cancel} 60 % liquidation ${end} 100 %`);
    expect(lines).toContain('data book 0.1 s account - session 1 h 30 min watchdog ok');
  });

  test('shows the market: its position, its prices, and their history', () => {
    const from = lines.indexOf('BTCUSDC 60000.50 position -0.0166 from 60042.0, unrealised -0.50, liquidation at 71200.0');
    expect(lines.slice(from + 1, from + 3)).toEqual([
      'spread 1.0 (0.17 bp) mark 60000.4 funding 0.0013 %/h in 12 min traded 12.9400/min index 60000.1',
      'price ▁▃█ 3 s',
    ]);
  });

  test('shows the ladder with the depth of each level and our orders, and beside it our orders with the end of their ids', () => {
    const from = lines.indexOf('price size ours own orders: 2');
    expect(lines.slice(from + 1, from + 5)).toEqual([
      `60002.0 2.0000 ${'▇'.repeat(10)} 0.0200 ◂ ask 60002.0 0.0200 67902 cancelling 2.0 s`,
      '60001.0 0.2500 ▇ bid 60000.0 0.0100 67901 2.0 s, 0.4900 ahead',
      '60000.0 0.5000 ▇▇▇ 0.0100 ◂',
      '59999.0 1.0000 ▇▇▇▇▇',
    ]);
  });

  test('shows the latest events, and the keys at the end', () => {
    expect(lines).toContain('03:04:05 margin shrinks ask BTCUSDC: too little');
    expect(lines).toContain('last of 24 fills, volume 7200.00');
    expect(lines).toContain('03:04:06 fill: bid 0.0100 BTCUSDC at 60000.0, maker');
    expect(lines).toContain('03:04:07 order open: bid 0.0100 BTCUSDC at 60000.0');
    expect(lines.at(-1)).toMatch(/^Ctrl-C cancels all orders and ends .* why last explains an order/);
  });
});

test('shows no minus before an amount that rounds to zero', () => {
  const lines = squeezed(draw({ ...MODEL, status: { ...MODEL.status, pnl: '-0.004', trading: '-0.004', fees: '0.001' } }));
  expect(lines).toContainEqual(expect.stringContaining('profit 0.00 (trading 0.00, fees 0.00, funding 0.00)'));
});

test('shows the latest events beside the market if the terminal is very wide', () => {
  const lines = squeezed(draw(MODEL, [200, 50]));
  expect(lines).toContainEqual(expect.stringMatching(/^BTCUSDC 60000\.50 position .* held back now$/));
});

test.each([
  [
    120,
    'equity 1000.00 profit 12.34 (trading 15.00, fees -2.66, funding 0.00) today 3.10 drawdown 5.20',
    / why last explains an order; so does/,
  ],
  [79, 'equity 1000.00 profit 12.34 today 3.10 drawdown 5.20', / why last$/],
])('with %i columns, a line drops whole parts', (width, money, hint) => {
  const lines = squeezed(draw(MODEL, [width, 24]));
  expect(lines).toContain(money);
  expect(lines.at(-1)).toMatch(hint);
  expect(lines.find((line) => line.startsWith('spread'))).not.toContain('…');
});

test('a liquidation price beyond twice the price is not shown', () => {
  const { status } = MODEL;
  const holdings = { BTCUSDC: { entry: '60042.0', pnl: '-0.50', liquidation: '3929937.9' } };
  expect(squeezed(draw({ ...MODEL, status: { ...status, holdings } }))).toContain(
    'BTCUSDC 60000.50 position -0.0166 from 60042.0, unrealised -0.50',
  );
});

test('on a narrow terminal the orders are below the book', () => {
  const lines = squeezed(draw(MODEL, [60, 40]));
  expect(lines.indexOf('own orders: 2')).toBeGreaterThan(lines.findIndex((line) => line.startsWith('59999.0 1.0000')));
});

describe('on a terminal of 40 columns and 10 rows', () => {
  const link = `http://127.0.0.1:12345/#${'x'.repeat(43)}`;
  const size = [39, 10] as const;

  test('state, reason, money, margins, age of the data, position and orders have whole rows, and the newest event the last one', () => {
    const lines = draw(MODEL, size);
    expect(squeezed(lines.slice(0, -2))).toEqual([
      'grid on embedded held back 01:02:03',
      'margin shrinks ask BTCUSDC: too little',
      'equity 1000.00 profit 12.34',
      'refusal 10 % liquidation 100 %',
      'book 0.1 s account - watchdog ok',
      'BTCUSDC -0.0166 60000.50',
      'unrealised -0.50 liquidation 71200.0',
      'own 1 bid 60000.0 1 ask 60002.0',
    ]);
    expect(lines.at(-2)).toMatch(/^ {2}03:04:07 order open/);
    expect(lines.at(-1)).toMatch(/^Ctrl-C ends {3}.* why last/);
  });

  test('a long reason has two rows, and the command that prints the link of the page stands for a link that does not fit', () => {
    const lines = draw({ ...MODEL, live: true, link, held: [] }, size);
    expect(lines.slice(0, 3).map((line) => line.trimEnd())).toEqual([
      'REAL MONEY  grid       trading 01:02:03',
      'nothing is held back; the strategy',
      'wants no bids and 5 asks in BTCUSDC',
    ]);
    expect(lines.at(-1)).toMatch(/ ui link/);
    expect(lines.join()).not.toMatch(/…|page http/);
    expect(draw({ ...MODEL, link })[1]).toMatch(/^page http/);
  });
});

test('all markets are on a terminal of 80 columns and 24 rows, without their order books if these do not fit', () => {
  const [first] = MODEL.markets;
  const markets = ['BTCUSDC', 'ETHUSDC', 'SOLUSDC'].map((symbol) => ({ ...first!, symbol }));
  const lines = squeezed(draw({ ...MODEL, markets }, [79, 24]));
  for (const { symbol } of markets) expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${symbol} 60000.50`)));
  expect(lines.join()).not.toContain('…');
});

test('an order of ours that is deeper than the ladder gets its last row', () => {
  const [market] = MODEL.markets;
  const far = { ...market?.orders[0], price: '59000.0' } as ViewModel['markets'][number]['orders'][number];
  const deep = {
    ...market,
    orders: [far],
    book: {
      ...market?.book,
      bids: [
        ['60000.0', '0.5'],
        ['59999.0', '1'],
      ],
    },
  } as ViewModel['markets'][number];
  const lines = squeezed(draw({ ...MODEL, markets: [deep] }, [100, 24]));
  expect(lines).toContainEqual(expect.stringMatching(/^59000\.0 0\.0100 ┄/));
});

test('a stopping run says so, and how to end it at once', () => {
  const lines = squeezed(draw({ ...MODEL, status: { ...MODEL.status, stopping: 'Ctrl-C' } }));
  expect(lines[0]).toContain('stopping');
  expect(lines[1]).toBe('Ctrl-C; cancelling all orders, Ctrl-C again ends at once');
});

test('a restricted mode, real money and an unhealthy stream are at the top', () => {
  const { status } = MODEL;
  const restricted = squeezed(draw({ ...MODEL, live: true, status: { ...status, mode: 'close-only', modeReason: 'the loss of the day' } }));
  expect(restricted[0]).toMatch(/^REAL MONEY grid .* close-only 01:02:03$/);
  expect(restricted[1]).toBe('the loss of the day (and 1 more)');
  const sick = { ...MODEL, held: [], status: { ...status, unhealthy: ['BTCUSDC: the order book is 9 s old'] } };
  expect(squeezed(draw(sick))[1]).toBe('BTCUSDC: the order book is 9 s old');
});

test('a run without orders although nothing is held back shows what its strategy wants', () => {
  expect(squeezed(draw({ ...MODEL, held: [] }))[1]).toBe('nothing is held back; the strategy wants no bids and 5 asks in BTCUSDC');
});

test('before any data there are no numbers', () => {
  const { status } = MODEL;
  const unseen = { equity: undefined, shares: undefined, accountAsked: undefined, session: undefined };
  const market = { symbol: 'BTCUSDC', book: undefined, top: undefined, orders: [], prices: [], traded: '0.0000' };
  const blind: ViewModel = {
    ...MODEL,
    status: { ...status, ...unseen, positions: {}, holdings: {}, markets: {} },
    markets: [market],
    held: [],
  };
  const lines = squeezed(draw(blind));
  expect(lines[0]).toContain('waiting for data');
  expect(lines[1]).toBe('the account was not seen yet');
  expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/^equity not seen yet/), 'margins not seen yet', 'BTCUSDC flat']));
});

test('a run that signs nothing, such as a paper run, shows no session; one with real money that has none yet says so', () => {
  const model: ViewModel = { ...MODEL, status: { ...MODEL.status, session: undefined } };
  expect(draw({ ...model, live: false }).join('\n')).not.toContain('session');
  expect(draw({ ...model, live: true }).join('\n')).toContain('session none yet');
});

test('colours are optional, and take no columns', () => {
  const size = { width: 100, height: 40 };
  const [plain, coloured] = [frame(MODEL, size, PLAIN), frame(MODEL, size, COLOURED)];
  expect(plain).not.toContain('\x1b');
  expect(coloured).toContain('\x1b[31m');
  expect(withoutColours(coloured)).toBe(plain);
});

const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const happenings = fc.array(fc.record({ at: fc.constant('2026-01-02T03:04:05.678Z'), text: anyText }), { maxLength: 30 });
const level = fc
  .tuple(anyText, anyText)
  .chain(([price, size]) =>
    fc
      .option(anyText, { nil: undefined })
      .map((own): [string, string, ...string[]] => (own === undefined ? [price, size] : [price, size, own])),
  );
const levels = fc.array(level, { maxLength: 25 });
const market = fc
  .record({ symbol: anyText, bids: levels, asks: levels })
  .map(
    ({ symbol, bids, asks }) =>
      ({ ...MODEL.markets[0], symbol, book: { market: symbol, asked: 0, bids, asks } }) as ViewModel['markets'][number],
  );

property.prop(
  {
    width: fc.integer({ min: 40, max: 200 }),
    height: fc.integer({ min: 10, max: 80 }),
    markets: fc.array(market, { minLength: 1, maxLength: 3 }),
    fills: happenings,
    logs: happenings,
    held: fc.array(
      fc.record({ since: fc.constant('2026-01-02T03:04:05.678Z'), guard: anyText, verdict: fc.constant('hold' as const), reason: anyText }),
      { maxLength: 30 },
    ),
    profits: fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { maxLength: 300 }),
  },
  { seed: 9, numRuns: 100 },
)('whatever is shown, no line is longer or shorter than the terminal is wide, and none is too many', ({ width, height, ...drawn }) => {
  const lines = draw({ ...MODEL, ...drawn }, [width, height]);
  expect(lines.length).toBeLessThanOrEqual(height);
  for (const line of lines) {
    expect(line).toHaveLength(width);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  }
});
