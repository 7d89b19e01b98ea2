// The hash of a strategy's source code: equal hashes mean the same code.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtInStrategyUrl } from '../../../base/package.ts';

/**
 * Returns the SHA-256 of the strategy's file and of the files that it imports by a relative path. `path`: the strategy's file as given; undefined for a
 * built-in strategy, which is found by its name.
 */
export const strategyHash = ({ name, path }: { name: string; path: string | undefined }): string =>
  hashOfFiles(importedFrom(path === undefined ? fileURLToPath(builtInStrategyUrl(name)) : resolve(path)));

/** The hash of the contents, in the order of the names. */
export function hashOfFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(createHash('sha256').update(readFileSync(file)).digest());
  return hash.digest('hex');
}

const IMPORT = /\b(?:from|import|require)\s*\(?\s*['"](\.[^'"]*)['"]/g;
const ENDINGS = ['', '.ts', '.js', '.mts', '.mjs', '/index.ts', '/index.js'];

/** Returns a file and all files that it imports by relative paths. */
export function importedFrom(first: string): readonly string[] {
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
