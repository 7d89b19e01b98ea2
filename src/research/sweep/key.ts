// The key of a job: a hash of everything that its result depends on. Equal keys have equal results, so a result is computed once.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { moduleUrl, PACKAGE_FOLDER } from '../../base/package.ts';
import type { BacktestOptions } from '../../run/backtest/backtest.ts';
import { commonSpan } from '../../run/backtest/tapes.ts';
import { hashOfFiles, strategyHash } from '../../strategy/loading/source-hash.ts';

/** Hashes of the code that runs a job. */
export interface Sources {
  /** Of this program, and of package.json, which has the exact version of every package. */
  readonly engine: string;
  /** Of the strategy's file, and of the files that it imports by a relative path. */
  readonly strategy: string;
}

/** `path`: the strategy's file as given; undefined for a built-in strategy, which is found by its name. */
export function sourcesOf({ name, path }: { name: string; path: string | undefined }): Sources {
  const program = fileURLToPath(new URL('..', moduleUrl('base/package')));
  const files = readdirSync(program, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts'),
  );
  const engine = [...files.map((file) => join(program, file)), fileURLToPath(new URL('package.json', PACKAGE_FOLDER))];
  return { engine: hashOfFiles(engine), strategy: strategyHash({ name, path }) };
}

/** What a backtest is given, without what only watches it. */
export type JobPlan = Omit<BacktestOptions, 'watch' | 'tick' | 'progress'>;

export function keyOf(plan: JobPlan, { engine, strategy }: Sources): string {
  const parts = {
    ...plan,
    engine,
    strategy,
    tapes: plan.tapes.map(({ facts }) => facts.hash),
    span: commonSpan(plan.tapes, plan.window),
    node: process.versions.node.split('.')[0],
  };
  return createHash('sha256').update(canonical(parts)).digest('hex');
}

/** JSON with the keys of every object in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
