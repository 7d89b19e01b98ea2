// Spot markets and perpetuals imported from candles, as a user imports and plays them: leverage, shorts, and funding from a history of payments.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Summary } from '../../../../src/bot/accounting/summary.ts';
import { runCommand } from '../run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'imported-kinds-'));
const at = (name: string): string => join(folder, name);
const run = (...words: readonly string[]) => runCommand(words);
const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);
const HOURS = 48;

function write(name: string, header: string, rows: readonly (readonly (string | number)[])[]): string {
  writeFileSync(at(name), `${[header, ...rows.map((row) => row.join(','))].join('\n')}\n`);
  return at(name);
}

const candles = write(
  'candles.csv',
  'time,open,high,low,close,volume',
  Array.from({ length: HOURS }, (_, hour) => [START + hour * HOUR, 100, 100.5, 99.5, 100, 5_000.5]),
);
const funding = write(
  'funding.csv',
  'time,funding_rate',
  Array.from({ length: HOURS / 8 }, (_, payment) => [START + payment * 8 * HOUR + 17, '0.00080000']),
);
const importAs = (market: string, out: string, ...more: readonly string[]) =>
  run('import', candles, ...more, '--from', 'candles', '--market', market, '--out', at(out));

/** A strategy file that always wants this position. */
function holder(name: string, position: number): string {
  const body = `const m = view.market(market); return [m.target({ position: ${position}, maxSlippageBps: 10 })];`;
  writeFileSync(
    at(`${name}.ts`),
    `import { defineStrategy } from 'tickwright';
export default defineStrategy({ name: '${name}', defaults: { market: 'X' }, create: ({ market }) => (view) => { ${body} } });\n`,
  );
  return at(`${name}.ts`);
}

async function played(...words: readonly string[]): Promise<{ summary: Summary; text: string }> {
  const report = at('report.html');
  const text = await run('backtest', ...words, '--report', report);
  expect([text.code, text.err]).toEqual([0, expect.not.stringContaining('error')]);
  const { lines } = await run('backtest', ...words, '--report', report, '--json');
  return { summary: JSON.parse(lines.at(-1) ?? '') as Summary, text: text.out };
}

beforeAll(async () => {
  await importAs('SOL/USDT', 'spot.tape');
  await importAs('SOL/USDT:USDT', 'perp.tape', funding);
  await importAs('SOL/USDT:USDT', 'bare.tape');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the kind of an imported market', () => {
  test.each([
    ['SOL/USDT', [], 'spot market: inferred from the name SOL/USDT; --perp imports it as a perpetual'],
    ['SOL/USDT:USDT', [], 'perpetual: inferred from the name SOL/USDT:USDT'],
    ['SOL-SPOT', [], 'spot market: inferred from the name SOL-SPOT'],
    ['SOL-PERP', [], 'perpetual: inferred from the name SOL-PERP'],
    ['SOL-USDT-SWAP', [], 'perpetual: inferred from the name SOL-USDT-SWAP'],
    ['SOLUSDT', [], 'perpetual: assumed, because no name says it; --spot imports it as a spot market'],
    ['SOLUSDT', ['--spot'], 'spot market: as --spot says'],
    ['SOL/USDT', ['--perp'], 'perpetual: as --perp says'],
    ['SOL/USDT', [funding], 'perpetual: the files have funding rates'],
  ])('%s %s is a %s', async (market, more, words) => {
    const { out } = await importAs(market, 'made.tape', ...more);
    expect(out).toContain(`kind      ${words}`);
    expect(out.includes('margins')).toBe(words.startsWith('perpetual'));
    const kind = words.startsWith('spot') ? 'spot' : 'perp';
    const { lines } = await run('tape', 'info', at('made.tape'), '--json');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ markets: { [market]: { kind } } });
    expect((await run('tape', 'info', at('made.tape'))).out).toContain(`kind      ${kind === 'spot' ? 'spot market' : 'perpetual'}`);
  });

  test('--spot with funding rates, and both options, are refused', async () => {
    expect((await importAs('SOL/USDT', 'made.tape', funding, '--spot')).err).toContain(
      '--spot: the market is a perpetual: the files have funding rates',
    );
    expect((await importAs('SOL/USDT', 'made.tape', '--perp', '--spot')).err).toContain('--spot and --perp were given');
  });
});

describe('a spot market imported from candles', () => {
  test('cannot be sold without owning, and a perpetual can', async () => {
    const short = holder('short', -5);
    const spot = await played('--strategy', short, '--tape', at('spot.tape'));
    expect(spot.text).toContain('SOL/USDT (spot, ');
    expect([spot.summary.fills, spot.summary.findings['balance']]).toEqual([0, expect.toSatisfy((count: number) => count > 0)]);
    const perp = await played('--strategy', short, '--tape', at('bare.tape'));
    expect(perp.text).toContain('SOL/USDT:USDT (perpetual, ');
    expect(perp.summary.positions).toEqual({ 'SOL/USDT:USDT': '-5.0' });
  });

  test('cannot be bought for more than the account has', async () => {
    const rich = holder('rich', 300);
    const more = ['--deposit', '10000', '--set', 'limits.leverage.max=20'];
    expect((await played('--strategy', rich, '--tape', at('bare.tape'), ...more)).summary.positions).toEqual({ 'SOL/USDT:USDT': '300.0' });
    const { summary } = await played('--strategy', rich, '--tape', at('spot.tape'), ...more);
    expect(Number(summary.positions['SOL/USDT'] ?? 0)).toBeLessThan(100);
  });

  test('is what a strategy that needs spot is given: a perpetual is refused', async () => {
    const words = ['--set', 'params.spotMarket=SOL/USDT:USDT', '--set', 'params.perpMarket=SOL/USDT'];
    const { code, err } = await run('backtest', '--strategy', 'carry', '--tape', at('spot.tape'), '--tape', at('perp.tape'), ...words);
    expect([code, err]).toEqual([2, expect.stringContaining('the strategy carry needs SOL/USDT as a perpetual, but it is a spot market')]);
  });
});

describe('funding from a history of payments', () => {
  const words = ['--set', 'params.spotMarket=SOL/USDT', '--set', 'params.perpMarket=SOL/USDT:USDT'];

  test('is shown after each payment, so that a carry trades', async () => {
    const { summary } = await played('--strategy', 'carry', '--tape', at('spot.tape'), '--tape', at('perp.tape'), ...words);
    expect(summary.positions).toEqual({ 'SOL/USDT': '10.0', 'SOL/USDT:USDT': '-10.0' });
    expect(Number(summary.funding)).toBeGreaterThan(0);
  });

  test('is a table of the export, whose payments add up to the summary', async () => {
    const { summary } = await played('--strategy', 'carry', '--tape', at('spot.tape'), '--tape', at('perp.tape'), ...words);
    expect((await run('export', at('report.html'), '--out', at('tables'), '--csv')).code).toBe(0);
    const [header, ...rows] = readFileSync(at('tables/funding.csv'), 'utf8').trim().split('\n');
    expect(header).toBe('time,market,position,payment');
    expect(new Set(rows.map((row) => row.split(',').slice(1, 3).join()))).toEqual(new Set(['SOL/USDT:USDT,-10']));
    expect(rows.length).toBeGreaterThanOrEqual(5);
    expect(rows.reduce((sum, row) => sum + Number(row.split(',')[3]), 0)).toBeCloseTo(Number(summary.funding), 6);
  });

  test('that a tape lacks is named, if a perpetual was held', async () => {
    const note = 'SOL/USDT:USDT: the tape has no funding rates. Its positions paid and earned no funding';
    expect((await played('--strategy', holder('long', 5), '--tape', at('bare.tape'))).text).toContain(note);
    expect((await played('--strategy', holder('long', 5), '--tape', at('perp.tape'))).text).not.toContain('funding rates');
    expect((await played('--strategy', holder('flat', 0), '--tape', at('bare.tape'))).text).not.toContain('funding rates');
  });
});
