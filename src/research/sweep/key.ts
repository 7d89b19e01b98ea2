// The key of a job: a hash of everything that its result depends on. Equal keys have equal results, so a result is computed once.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtInStrategyUrl, moduleUrl, PACKAGE_FOLDER } from '../../base/package.ts';
import type { BacktestOptions } from '../../run/backtest/backtest.ts';
import { commonSpan } from '../../run/backtest/tapes.ts';

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
  const first = path === undefined ? fileURLToPath(builtInStrategyUrl(name)) : resolve(path);
  return { engine: hashOfFiles(engine), strategy: hashOfFiles(importedFrom(first)) };
}

/** The hash of the contents, in the order of the names. */
function hashOfFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(createHash('sha256').update(readFileSync(file)).digest());
  return hash.digest('hex');
}

const IMPORT = /\b(?:from|import|require)\s*\(?\s*['"](\.[^'"]*)['"]/g;
const ENDINGS = ['', '.ts', '.js', '.mts', '.mjs', '/index.ts', '/index.js'];

/** A file and those that it reaches by relative imports. */
function importedFrom(first: string): readonly string[] {
  const found = new Set([first]);
  for (const file of found) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const base = resolve(dirname(file), specifier);
      const candidates = [...ENDINGS.map((ending) => base + ending), base.replace(/js$/, 'ts')];
      const imported = candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
      if (imported !== undefined) found.add(imported);
    }
  }
  return [...found];
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
