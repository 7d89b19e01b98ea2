// The key of a job: a hash of everything that its result depends on. Equal keys have equal results, so a result is computed once.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Millis } from '../../base/clock.ts';
import { PACKAGE_FOLDER, programFile } from '../../base/package.ts';
import { hashOfFiles, strategyHash } from '../../bot/strategy/loading/source-hash.ts';
import type { Span } from '../../embedded/recording/tapes.ts';
import type { BacktestOptions } from '../backtest/backtest.ts';

/** Hashes of the code that runs a job. */
export interface Sources {
  /** The hash of this program and of package.json, which has the exact version of every package. */
  readonly engine: string;
  /** The hash of the strategy's file and of the files that it imports by a relative path. */
  readonly strategy: string;
}

/** Returns the hashes of the code. `path`: the strategy's file as given; undefined for a built-in strategy, which is found by its name. */
export function sourcesOf({ name, path }: { name: string; path: string | undefined }): Sources {
  const program = fileURLToPath(programFile(''));
  const files = readdirSync(program, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts'),
  );
  const engine = [...files.map((file) => join(program, file)), fileURLToPath(new URL('package.json', PACKAGE_FOLDER))];
  return { engine: hashOfFiles(engine), strategy: strategyHash({ name, path }) };
}

/** The options of a backtest, without its observers. */
export type JobPlan = Omit<BacktestOptions, 'watch' | 'onSecond' | 'progress'>;

/** A job as plain data, which can be sent to another process or machine: the code and the tapes by their hashes. */
export interface JobSpec extends Omit<JobPlan, 'strategy' | 'tapes'> {
  /** The built-in strategy's name, or the path of its file. */
  readonly strategy: string;
  readonly sources: Sources;
  /** Hashes of the tapes. */
  readonly tapes: readonly string[];
  /** The time that is played. */
  readonly span: Span;
  /** Length of the steps of the returns. */
  readonly stepMs: Millis;
  /** Major version of Node. */
  readonly node: string;
}

export const nodeMajor = (): string => process.versions.node.split('.')[0] ?? '';

/** Returns the key of a job. It has the hash of the strategy's file, not its path. */
export const jobKeyOf = (spec: JobSpec): string =>
  createHash('sha256')
    .update(canonical({ ...spec, strategy: undefined }))
    .digest('hex');

/** Returns the key of a point of the sweep: equal for all spans of the same backtest, also if they need different tapes. */
export const pointKeyOf = (spec: JobSpec): string => jobKeyOf({ ...spec, tapes: [], span: { from: 0, to: 0 }, window: undefined });

/** Returns why this machine cannot run the job; undefined if it can. */
export function differenceOf(spec: JobSpec, own: { readonly sources: Sources; readonly tapes: readonly string[] }): string | undefined {
  if (spec.node !== nodeMajor()) return `the sweep was started with Node ${spec.node}, and this is Node ${nodeMajor()}`;
  if (spec.sources.engine !== own.sources.engine) return 'the program differs from that of the sweep';
  if (spec.sources.strategy !== own.sources.strategy) return `the strategy ${spec.strategy} differs from that of the sweep`;
  return spec.tapes.join() === own.tapes.join() ? undefined : 'a tape differs from that of the sweep';
}

/** Returns JSON with the keys of every object in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
