// Exports the results of a run from its state directory and reads them with Python: TICKWRIGHT_PYTHON, or python3.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { metaText, writeTables } from '../../../src/research/report/tables/files.ts';
import { type RunResults, resultsOfRun } from '../../../src/research/results/recorded-report.ts';
import type { RunFacts } from '../../../src/venues/kind/facts.ts';
import { type VirtualRun, virtualRun } from '../../replay/virtual-run.ts';

const directory = mkdtempSync(join(tmpdir(), 'run-results-'));
const tables = join(directory, 'tables');
let run: VirtualRun;
let results: RunResults;

beforeAll(async () => {
  run = await virtualRun({ strategy: 'grid', seed: 'results', seconds: 60 });
  writeFileSync(join(directory, 'turns-2026-000001.jsonl.gz'), gzipSync(`${run.recording.join('\n')}\n`));
  const { summary } = run;
  const facts = { run: summary.run, strategy: summary.strategy, exchange: { kind: 'embedded' } } as RunFacts;
  results = await resultsOfRun(directory, facts);
  writeTables(tables, results.tables, { meta: metaText(results.report), csv: false });
});

test('the summary computed from the recorded turns equals that of the run', () => {
  const { fills, volume, fees, funding, pnl, positions, findings, fingerprint } = run.summary;
  expect(fills).toBeGreaterThan(5);
  expect(results.report.summary).toMatchObject({ fills, volume, fees, funding, pnl, positions, findings, fingerprint });
  expect(results.report.notes).toEqual([]);
});

const PYTHON = process.env['TICKWRIGHT_PYTHON'] ?? 'python3';
/** Returns the reason to skip the test; undefined if Python has all modules. */
function lacking(modules: string): string | undefined {
  const { status } = spawnSync(PYTHON, ['-c', `import ${modules}`]);
  return status === 0 ? undefined : `skipped: ${PYTHON} lacks one of ${modules}; set TICKWRIGHT_PYTHON`;
}
const python = (code: string, ...args: readonly string[]) =>
  promisify(execFile)(PYTHON, ['-c', code, ...args], { env: { ...process.env, TICKWRIGHT_RESULTS: tables }, maxBuffer: 1e8 });

const READ = `
import json, sys, pandas, polars, duckdb, quantstats
folder = sys.argv[1]
fills = pandas.read_parquet(f'{folder}/fills.parquet')
equity = pandas.read_parquet(f'{folder}/equity.parquet').set_index('time')
returns = equity['equity'].pct_change().fillna(0).tz_localize(None)
print(json.dumps({
  'fills': len(fills),
  'volume': float((fills['price'] * fills['size']).sum()),
  'zone': str(equity.index.tz),
  'polars': polars.read_parquet(f'{folder}/orders.parquet').filter(polars.col('status') == 'placed').height,
  'duckdb': duckdb.sql(f"select count(*) from '{folder}/turns.parquet'").fetchall()[0][0],
  'return': float(quantstats.stats.comp(returns)),
  'drawdown': float(quantstats.stats.max_drawdown(returns)),
}))`;

describe('read by Python', () => {
  const reason = lacking('pandas, polars, duckdb, quantstats');
  test.skipIf(reason !== undefined)(
    `pandas, polars, DuckDB and QuantStats find the figures of the report ${reason ?? ''}`,
    async () => {
      const { figures, summary } = results.report;
      const { stdout } = await python(READ, tables);
      expect(JSON.parse(stdout)).toEqual({
        fills: figures.fills,
        volume: expect.closeTo(figures.volume, 4),
        zone: 'UTC',
        polars: summary.orders.placed,
        duckdb: results.tables.find(({ name }) => name === 'turns')?.count,
        return: expect.closeTo((figures.totalReturn as { value: number }).value, 10),
        drawdown: expect.closeTo(-(figures.maxDrawdown as { fraction: number }).fraction, 10),
      });
    },
    300_000,
  );

  const notebook = lacking('nbclient, ipykernel, pandas, pyarrow, matplotlib, quantstats');
  test.skipIf(notebook !== undefined)(
    `the notebook runs to its end ${notebook ?? ''}`,
    async () => {
      const file = resolve(import.meta.dirname, '../../../docs/notebooks/results.ipynb');
      const code = `
import json, sys, nbformat, nbclient
book = nbformat.read(sys.argv[1], 4)
nbclient.NotebookClient(book, timeout=240, kernel_name='python3').execute()
print(json.dumps([output['data'].get('text/plain', '') for cell in book.cells for output in cell.get('outputs', []) if 'data' in output]))`;
      const { stdout } = await python(code, file);
      const shown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as readonly string[];
      expect(/^fills +(\d+)$/m.exec(shown.join('\n'))?.[1]).toBe(String(results.report.figures.fills));
      expect(shown.at(-1)).toContain('too short');
    },
    300_000,
  );
});
