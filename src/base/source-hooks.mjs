// Module hooks: compiles the TypeScript of this repository with esbuild as it is imported. A compiled file is kept in the cache.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url).href;
const NOT_OURS = ['node_modules/', 'dist/'].map((folder) => ROOT + folder);
/** The names by which the strategies of this repository import the program. */
const ENTRIES = new Map(
  ['index', 'client', 'testing'].map((name) => [name === 'index' ? 'tickwright' : `tickwright/${name}`, `${ROOT}src/${name}.ts`]),
);
const OPTIONS = { loader: 'ts', format: 'esm', target: 'es2023', sourcemap: 'inline', sourcesContent: false };
/** Part of the hash: a file is compiled again with other options, or with another version of esbuild. */
const FORMAT = JSON.stringify([
  OPTIONS,
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).devDependencies.esbuild,
]);

/** Undefined: nothing is kept. */
let cache;
let esbuild;

export function initialize(options) {
  ({ cache } = options);
}

const isOurs = (url) => url !== undefined && url.startsWith(ROOT) && !NOT_OURS.some((folder) => url.startsWith(folder));
const isTypeScript = (url) => /\.m?ts(\?|$)/.test(url);

export async function resolve(specifier, context, next) {
  const entry = isOurs(context.parentURL) ? ENTRIES.get(specifier) : undefined;
  const found = entry === undefined ? await next(specifier, context) : { url: entry, shortCircuit: true };
  return isTypeScript(found.url) && isOurs(found.url) ? { ...found, format: 'module' } : found;
}

export async function load(url, context, next) {
  if (!isTypeScript(url) || !isOurs(url)) return next(url, context);
  const file = fileURLToPath(url.replace(/\?.*$/, ''));
  return { format: 'module', shortCircuit: true, source: await compiled(file) };
}

/** The compiled file ends with a comment that has the hash of its source, so each source has one file in the cache, whatever is edited. */
async function compiled(file) {
  const source = await readFile(file, 'utf8');
  const mark = `\n//${hashOf(FORMAT + source)}`;
  const kept = cache === undefined ? undefined : join(cache, `${hashOf(file)}.js`);
  const before = kept === undefined ? undefined : contentOf(kept);
  if (before?.endsWith(mark)) return before;
  esbuild ??= await import('esbuild');
  const { code } = await esbuild.transform(source, { ...OPTIONS, sourcefile: file });
  const content = code.trimEnd() + mark;
  if (kept !== undefined) keep(kept, content);
  return content;
}

const hashOf = (text) => createHash('sha1').update(text).digest('hex');

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // not compiled yet
  }
}

/** Another process may compile the same file at the same time. */
function keep(file, content) {
  try {
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, content, { mode: 0o600 });
    renameSync(unfinished, file);
  } catch {
    // a full disk: the file is compiled anew at the next start
  }
}
