// The results of sweeps, in a SQLite file: one row per key. A stored result is never computed again.

import { DatabaseSync } from '@photostructure/sqlite';
import { messageOf, UserError } from '../../base/errors.ts';
import { makeFolderOf } from '../../base/files/folder.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import type { Job, JobOutcome, SweepRow } from './row.ts';

const VERSION = 2;
const SCHEMA = `
create table if not exists rows (
  key text primary key, strategy text not null, params text not null, tapes text not null, span text not null, step_ms integer not null,
  result text, failed text, returns blob, point text not null default ''
) without rowid;
create table if not exists conflicts (key text not null, fingerprint text not null, result text not null, primary key (key, fingerprint)) without rowid;
create table if not exists looks (strategy text not null, tapes text not null, span text not null, sweep text not null, primary key (strategy, tapes, span, sweep)) without rowid;
`;
/** Rows of version 1 have no point: each becomes a separate point, and counts as a trial. */
const MIGRATION_FROM_1 = "alter table rows add column point text not null default ''; update rows set point = key;";

/** Two results of one key with different fingerprints: the backtest is not deterministic. */
export interface Conflict {
  readonly first: string;
  readonly second: string;
}

interface Stored {
  readonly key: string;
  readonly point: string;
  readonly strategy: string;
  readonly params: string;
  readonly tapes: string;
  readonly span: string;
  readonly step_ms: number;
  readonly result: string | null;
  readonly failed: string | null;
  readonly returns: Uint8Array | null;
}

export class ResultStore {
  readonly #database: InstanceType<typeof DatabaseSync>;

  /** Creates the file if it is missing. Throws a UserError if it cannot be opened, or is another kind of file. */
  constructor(file: string) {
    try {
      makeFolderOf(file);
      this.#database = new DatabaseSync(file);
      this.#database.exec('pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = normal;');
      const { user_version: version } = this.#database.prepare('pragma user_version').get() as { user_version: number };
      if (version > VERSION) throw new Error('it was written by a newer version of this program');
      if (version === 1) this.#database.exec(MIGRATION_FROM_1);
      this.#database.exec(`${SCHEMA} pragma user_version = ${VERSION};`);
    } catch (error) {
      throw new UserError({
        code: 'store',
        message: `the results ${file} cannot be opened: ${messageOf(error)}`,
        hint: 'choose another file with --store',
      });
    }
  }

  get(key: string): SweepRow | undefined {
    const stored = this.#database.prepare('select * from rows where key = ?').get(key) as Stored | undefined;
    return stored === undefined ? undefined : rowOf(stored);
  }

  /** Stores a row. If a row with another result exists, returns the conflict, keeps both results as a conflict, and removes the row. */
  put(row: SweepRow): Conflict | undefined {
    const { changes } = this.#database
      .prepare('insert into rows values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (key) do nothing')
      .run(...valuesOf(row));
    if (changes > 0) return undefined;
    const before = this.get(row.key);
    if (before === undefined || sameOutcome(before.outcome, row.outcome)) return undefined;
    for (const { outcome } of [before, row])
      this.#database
        .prepare('insert into conflicts values (?, ?, ?) on conflict do nothing')
        .run(row.key, nameOf(outcome), JSON.stringify(outcome.kind === 'done' ? outcome.result : outcome));
    this.#database.prepare('delete from rows where key = ?').run(row.key);
    return { first: nameOf(before.outcome), second: nameOf(row.outcome) };
  }

  /**
   * Returns the points of all sweeps that have results for all of these jobs' spans, with the same strategy and tapes: the rows of each, in span order.
   */
  history(jobs: readonly Pick<Job, 'strategy' | 'tapes' | 'span' | 'stepMs'>[]): readonly (readonly SweepRow[])[] {
    const points = new Map<string, SweepRow[]>();
    for (const [index, { strategy, tapes, span, stepMs }] of jobs.entries()) {
      const found = this.#database
        .prepare('select * from rows where strategy = ? and tapes = ? and span = ? and step_ms = ? order by key')
        .all(strategy, JSON.stringify(tapes), span, stepMs) as unknown as readonly Stored[];
      for (const stored of found) {
        const rows = points.get(stored.point) ?? [];
        if (rows.length === index) points.set(stored.point, [...rows, rowOf(stored)]);
      }
    }
    return [...points].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, rows]) => (rows.length === jobs.length ? [rows] : []));
  }

  /** Records that a search has evaluated the last window, on which no point may be chosen. Returns how many others have done so before. */
  recordUse({ strategy, tapes, span, search }: Pick<Job, 'strategy' | 'tapes' | 'span'> & { readonly search: string }): number {
    const data = [strategy, JSON.stringify(tapes), span];
    this.#database.prepare('insert into looks values (?, ?, ?, ?) on conflict do nothing').run(...data, search);
    const { others } = this.#database
      .prepare('select count(*) as others from looks where strategy = ? and tapes = ? and span = ? and sweep <> ?')
      .get(...data, search) as { others: number };
    return others;
  }

  /** Yields all rows, in order of their keys. */
  *all(): Generator<SweepRow> {
    for (const stored of this.#database.prepare('select * from rows order by key').iterate()) yield rowOf(stored);
  }

  close(): void {
    this.#database.close();
  }
}

const nameOf = (outcome: JobOutcome): string => (outcome.kind === 'done' ? outcome.result.fingerprint : `failed: ${outcome.reason}`);
const sameOutcome = (one: JobOutcome, other: JobOutcome): boolean => nameOf(one) === nameOf(other);

function valuesOf({
  key,
  point,
  strategy,
  params,
  tapes,
  span,
  stepMs,
  outcome,
}: SweepRow): readonly (string | number | null | Uint8Array)[] {
  const job = [key, strategy, JSON.stringify(params), JSON.stringify(tapes), span, stepMs];
  if (outcome.kind === 'failed') return [...job, null, outcome.reason, null, point];
  return [
    ...job,
    JSON.stringify(outcome.result),
    null,
    new Uint8Array(outcome.returns.buffer, outcome.returns.byteOffset, outcome.returns.byteLength),
    point,
  ];
}

function rowOf({ key, point, strategy, params, tapes, span, step_ms: stepMs, result, failed, returns }: Stored): SweepRow {
  const job = {
    key,
    point,
    strategy,
    params: readJson(params, JSON_LIMITS.file) as SweepRow['params'],
    tapes: readJson(tapes, JSON_LIMITS.file) as readonly string[],
    span,
    stepMs,
  };
  if (result === null || returns === null) return { ...job, outcome: { kind: 'failed', reason: failed ?? '' } };
  return {
    ...job,
    outcome: {
      kind: 'done',
      result: readJson(result, JSON_LIMITS.file) as never,
      returns: new Float64Array(Uint8Array.from(returns).buffer),
    },
  };
}
