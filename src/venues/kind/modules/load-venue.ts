// Loads the module of an exchange: a file of the user, or an installed package. Code is loaded only from files that nobody else may write.
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, UserError } from '../../../base/errors.ts';
import { unsafeParentReason } from '../../../base/files/private.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import { prepareImportOf } from '../../../bot/strategy/loading/author-modules.ts';
import { hashOfFiles, importedFrom } from '../../../bot/strategy/loading/source-hash.ts';
import { requireDefinition, type VenueDefinition } from './define-venue.ts';

/** Where the code of an exchange is: written into facts.json, so that other commands load the same. */
export interface VenueModule {
  /** The absolute path of its entry file. */
  readonly file: string;
  /** The name of its package, if it was named by it. */
  readonly package?: string | undefined;
  readonly version?: string | undefined;
  /** SHA-256 of the entry file and of the files that it imports by a relative path. */
  readonly sha256: string;
}

export interface LoadedVenue {
  readonly definition: VenueDefinition<unknown>;
  readonly module: VenueModule;
}

const EXTENSIONS = ['.ts', '.js', '.mts', '.mjs'];

/** True for a text that names a module and not an exchange of the program: a path, or the name of a package that is installed here. */
export const namesModule = (text: string): boolean => isPath(text) || packageFolder(text) !== undefined;

/** True for a text that names a file and not a package. */
export const isPath = (text: string): boolean => /^[./\\~]/.test(text) || EXTENSIONS.includes(extname(text));

/**
 * Loads the module that a path or the name of a package means. Throws a UserError `venue` if it is missing, if others could change its code, if it cannot
 * be imported, or if it exports no exchange for this version.
 */
export async function loadVenue(named: string): Promise<LoadedVenue> {
  if (isPath(named)) return loadFile(resolve(named), undefined);
  const folder = packageFolder(named);
  if (folder === undefined) throw venueError(`the package ${named} is not installed here`, `npm install ${named}`);
  return loadFile(entryOf(folder, named), named);
}

/** Returns the module that a path or the name of a package means, without loading it. Throws a UserError as `loadVenue` does. */
export function moduleNamed(named: string): VenueModule {
  const folder = isPath(named) ? undefined : packageFolder(named);
  const file = requireFile(folder === undefined ? resolve(named) : entryOf(folder, named));
  return { file, ...(folder !== undefined && { package: named }), sha256: hashOfFiles(importedFrom(file)) };
}

/** Returns what to say if the code of a run's exchange is not as at its start; undefined if it is, or is missing. */
export function changeOf({ file, sha256 }: VenueModule): string | undefined {
  if (!existsSync(file) || sha256 === hashOfFiles(importedFrom(file))) return undefined;
  return `${file} has changed since the start of the run, when its hash began with ${sha256.slice(0, 12)}`;
}

/** Loads the module of a run again. Throws a UserError as `loadVenue` does, which says what to install. */
export async function loadAgain({ file, package: name, version }: VenueModule): Promise<LoadedVenue> {
  if (existsSync(file)) return loadFile(file, name);
  const folder = name === undefined ? undefined : packageFolder(name);
  if (name !== undefined && folder !== undefined) return loadFile(entryOf(folder, name), name);
  const put = name === undefined ? 'put the file back' : `npm install ${name}${version === undefined ? '' : `@${version}`}`;
  throw venueError(`the code of the run's exchange is missing: ${file}`, `${put}, and give the command again`);
}

/** Loads the default export of a file that belongs to a module, such as its fake. Throws a UserError as `loadVenue` does. */
export async function loadPart(path: string): Promise<unknown> {
  const file = requireFile(path);
  for (const one of importedFrom(file)) requireUnwritable(one);
  return defaultOf(await imported(file));
}

async function loadFile(path: string, name: string | undefined): Promise<LoadedVenue> {
  const file = requireFile(path);
  const files = importedFrom(file);
  for (const one of files) requireUnwritable(one);
  const sha256 = hashOfFiles(files);
  const definition = definitionIn(await imported(file), file);
  const version = definition.version ?? (name === undefined ? undefined : versionOf(packageFolder(name)));
  return { definition, module: { file, ...(name !== undefined && { package: name }), ...(version !== undefined && { version }), sha256 } };
}

/** Returns the path without links. */
function requireFile(path: string): string {
  if (!EXTENSIONS.includes(extname(path))) throw venueError(`${path} is not a file of code`, `one of ${EXTENSIONS.join(', ')} is expected`);
  if (!existsSync(path)) throw venueError(`there is no file ${path}`, 'check the path');
  return realpathSync(path);
}

async function imported(file: string): Promise<unknown> {
  try {
    await prepareImportOf(file);
    return await import(pathToFileURL(file).href);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw venueError(`${file} cannot be loaded: ${messageOf(error).split('\n')[0]}`, 'correct the file, or install what it imports');
  }
}

/** A file outside the project may be loaded as CommonJS, with its default export one level deeper. */
function defaultOf(module: unknown): unknown {
  const exported = (module as { default?: unknown }).default;
  return (exported as { default?: unknown } | undefined)?.default ?? exported;
}

function definitionIn(module: unknown, file: string): VenueDefinition<unknown> {
  const found = defaultOf(module);
  try {
    requireDefinition(found);
    return found;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError({ code: error.code, message: error.message, hint: error.hint, place: { file } });
  }
}

const WRITABLE_BY_OTHERS = 0o022;

function requireUnwritable(file: string, owner = process.geteuid?.()): void {
  if (owner === undefined) return;
  const { uid, mode } = lstatSync(realpathSync(file));
  const foreign = uid !== owner && uid !== 0 ? `it belongs to another user (${uid})` : undefined;
  const open = (mode & WRITABLE_BY_OTHERS) === 0 ? undefined : `others can write it (mode ${(mode & 0o777).toString(8).padStart(4, '0')})`;
  const reason = foreign ?? open ?? unsafeParentReason(realpathSync(file), owner);
  if (reason === undefined) return;
  throw venueError(`${file} is not loaded: ${reason}`, `it would trade with your key: check who wrote it, then chmod go-w ${file}`);
}

/** The folder of an installed package, searched for from the working directory upwards. */
function packageFolder(name: string): string | undefined {
  if (!/^(@[a-z0-9-][\w.-]*\/)?[a-z0-9-][\w.-]*$/.test(name)) return undefined;
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

const manifestOf = (folder: string): Readonly<Record<string, unknown>> =>
  readJson(readFileSync(join(folder, 'package.json'), 'utf8'), JSON_LIMITS.file) as Readonly<Record<string, unknown>>;

const versionOf = (folder: string | undefined): string | undefined => {
  const version = folder === undefined ? undefined : manifestOf(folder)['version'];
  return typeof version === 'string' ? version : undefined;
};

/** The file that `import` of the package loads. */
function entryOf(folder: string, name: string): string {
  const { exports, main } = manifestOf(folder);
  const entry = importIn(exports) ?? (typeof main === 'string' ? main : 'index.js');
  const file = join(folder, entry);
  if (existsSync(file)) return file;
  throw venueError(`the package ${name} has no file ${entry}`, `install another version of ${name}`);
}

function importIn(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const given = exports as Readonly<Record<string, unknown>>;
  for (const condition of ['.', 'node', 'import', 'default']) {
    const found = importIn(given[condition]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const venueError = (message: string, hint: string): UserError => new UserError({ code: 'venue', message, hint });
