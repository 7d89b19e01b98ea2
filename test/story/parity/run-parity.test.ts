// `bot parity` on runs on virtual time: a backtest on the recording repeats the run; every difference has a reason, and the causes add up to the difference
// in money.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ParitySummary } from '../../../src/research/parity/summary.ts';
import { virtualRun } from '../../replay/virtual-run.ts';
import { compared, runCommand, testEqualBacktest } from './compared.ts';
import { stateDirectoryOf } from './recorded-run.ts';

const microsOf = (text: string): number => Math.round(Number(text) * 1e6);
const lessRun = ({ run, backtest }: { run: string; backtest: string }): number => microsOf(backtest) - microsOf(run);

testEqualBacktest('grid');

test('the backtest of a run with a spot position equals the run, also after the account shows the purchase', async () => {
  const markets = ['SOLUSDC-SPOT', 'SOLUSDC'];
  const params = { enterRate: -0.9, exitRate: -1 }; // funding pays always
  const run = await virtualRun({ strategy: 'carry', seed: 'spot', seconds: 120, markets, params });
  const { fills, orders, agreement, reasons, pnl } = await compared(stateDirectoryOf(run.recording));
  expect(fills.run).toBeGreaterThan(0);
  expect(orders).toEqual({ both: run.summary.orders.placed, onlyRun: 0, onlyBacktest: 0 });
  expect([agreement, reasons, pnl.run]).toEqual([1, [], run.summary.pnl]);
});

/** Writes a lean maker that returns no intents in some turns. */
function forgetful(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'forgetful-')), 'forgetful.ts');
  const lean = new URL('../../../strategies/lean-maker.ts', import.meta.url).pathname;
  writeFileSync(
    file,
    `import lean from '${lean}';
export default { ...lean, create(params, tools) {
const decide = lean.create(params, tools);
let turns = 0;
return (view) => { const wanted = decide(view); turns += 1; return turns % 97 < 20 ? [] : wanted; };
} };
`,
  );
  return file;
}

describe('a backtest that differs from the run', () => {
  let directory = '';
  beforeAll(async () => {
    directory = stateDirectoryOf((await virtualRun({ strategy: 'lean-maker', seed: 'other', seconds: 150 })).recording);
  });

  test('has a reason for each difference, and the causes add up to the difference in money', async () => {
    const summary = await compared(directory, '--strategy', forgetful());
    const { fills, orders, pnl, agreement, reasons, causes } = summary;
    expect(agreement).toBeLessThan(1);
    expect(reasons.reduce((sum, { count }) => sum + count, 0)).toBe(fills.onlyRun + fills.onlyBacktest);
    expect(reasons.reduce((sum, one) => sum + one.orders, 0)).toBe(orders.onlyRun + orders.onlyBacktest);
    expect(fills.run).toBe(fills.both + fills.onlyRun);
    expect(lessRun(pnl)).not.toBe(0);
    expect(causes.reduce((sum, { amount }) => sum + microsOf(amount), 0)).toBe(lessRun(pnl));
  });

  test('has a report page that cannot load or run anything', async () => {
    const file = join(directory, 'parity.html');
    const { code, out } = await runCommand('parity', directory, '--strategy', forgetful(), '--report', file);
    expect(code).toBe(0);
    expect(out).toMatch(/agreement +\d+\.\d\d % of fills/);
    expect(out).toMatch(/backtest +would have agreed best with --queue \S+ --latency \S+: /);
    const page = readFileSync(file, 'utf8');
    expect(/content="(default-src [^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'$/,
    );
    expect([page.includes('<script'), page.includes('Why the profit differs')]).toEqual([false, true]);
  });

  test('has a reproducible report, and with its own strategy no difference', async () => {
    const [one, other] = [await compared(directory), await compared(directory)];
    expect(one).toEqual(other);
    expect([one.agreement, one.fills.both, one.orders.onlyRun, one.orders.onlyBacktest]).toEqual([1, one.fills.run, 0, 0]);
    expect(one.causes.every(({ amount }) => amount === '0.00')).toBe(true);
  });
});

describe('wrong input', () => {
  test.each([
    ['no such run', ['parity', 'nobody'], 'there is no run "nobody"'],
    ['no such directory', ['parity', '--state', '/nonexistent'], 'there is no directory /nonexistent'],
  ])('%s', async (_, args, message) => {
    const { code, err } = await runCommand(...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('a run without a recording, one without an account, and a torn one', async () => {
    const { recording } = await virtualRun({ strategy: 'grid', seed: 'torn', seconds: 10 });
    const directory = stateDirectoryOf(recording);
    for (const file of readdirSync(directory)) if (file.endsWith('.gz')) rmSync(join(directory, file));
    expect(await runCommand('parity', directory)).toMatchObject({ code: 2, err: expect.stringContaining('has no recording of turns') });
    const blind = await runCommand('parity', stateDirectoryOf(recording.slice(0, 2)));
    expect(blind).toMatchObject({ code: 2, err: expect.stringContaining('never received its account') });
    const torn = await runCommand('parity', stateDirectoryOf([...recording.slice(0, 60), '{"at":']), '--json');
    expect(torn).toMatchObject({ code: 0, err: expect.stringContaining('is damaged') });
    expect((JSON.parse(torn.out) as ParitySummary).damage).toHaveLength(1);
  });
});
