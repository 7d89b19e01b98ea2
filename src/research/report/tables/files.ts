// The tables of a run as files in a folder: Parquet or CSV, and meta.json, which describes the run.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../base/files/folder.ts';
import { packageVersion } from '../../../base/package.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { Report } from '../report.ts';
import { parquetBytes, readTable } from './parquet.ts';
import { csvText, type Table } from './table.ts';

const META = 'meta.json';
/** Key of the text of meta.json in the metadata of each Parquet file. */
const META_KEY = 'tickwright.run';

/** Returns a description of the run as JSON: run, tapes, parameters, assumptions, ticks and lots, version of the program. */
export function metaText({ title, summary, from, to, params, limits, tapes, assumptions, markets }: Report): string {
  const { run, strategy, exchange, fingerprint } = summary;
  const meta = {
    kind: 'tables',
    title,
    run,
    strategy,
    exchange,
    from: timeText(from),
    to: timeText(to),
    params,
    limits,
    tapes,
    assumptions,
    markets,
    fingerprint,
    program: `tickwright ${packageVersion()}`,
  };
  return `${JSON.stringify(meta, undefined, 2)}\n`;
}

/** Writes one file for each table, and meta.json; replaces files of the same names. Returns the names. */
export function writeTables(folder: string, tables: readonly Table[], { meta, csv }: { meta: string; csv: boolean }): readonly string[] {
  makeFolder(folder);
  writeFileSync(join(folder, META), meta);
  const files = tables.map((table) => {
    const file = `${table.name}.${csv ? 'csv' : 'parquet'}`;
    writeFileSync(join(folder, file), csv ? csvText(table) : parquetBytes(table, { [META_KEY]: meta }));
    return file;
  });
  return [...files, META];
}

/** True if the folder has nothing but files of `writeTables`, or does not exist. */
export const holdsTablesOnly = (folder: string): boolean =>
  !existsSync(folder) || readdirSync(folder).every((file) => file === META || /\.(parquet|csv)$/.test(file));

/** Reads the Parquet files of `writeTables`; undefined if there are none. */
export async function readTables(folder: string): Promise<{ readonly tables: readonly Table[]; readonly meta: string } | undefined> {
  if (!existsSync(join(folder, META))) return undefined;
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.parquet'))
    .sort();
  const tables: Table[] = [];
  for (const file of files) tables.push(await readTable(file.replace(/\.parquet$/, ''), join(folder, file)));
  return { tables, meta: readFileSync(join(folder, META), 'utf8') };
}
