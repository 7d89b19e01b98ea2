// Loads a built-in strategy by name, or a strategy from a user's file, which is registered nowhere. Reports an error in the file with its line.
import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { messageOf, type Place, UserError } from '../../../base/errors.ts';
import { builtInStrategyUrl, docsFile } from '../../../base/package.ts';
import { suggestion } from '../../../base/text/phrases.ts';
import type { Params, Strategy } from '../contract.ts';
import { prepareImportOf } from './author-modules.ts';
import { authorPlace } from './place.ts';

/** The names of the files in `strategies/`. */
export const BUILT_IN_STRATEGIES = ['grid', 'lean-maker', 'twap', 'crossover', 'pairs', 'carry', 'trend'] as const;

const EXTENSIONS = ['.ts', '.js', '.mts', '.mjs'];

export interface LoadedStrategy {
  readonly strategy: Strategy<Params>;
  /** The path as the user gave it; undefined for a built-in strategy. */
  readonly path?: string | undefined;
}

/**
 * Throws a `UserError` for an unknown name, a missing file, one that does not parse or run, and one without a strategy. With another `version` a file
 * and what it imports are loaded again.
 */
export async function loadStrategy(nameOrPath: string, version?: string): Promise<LoadedStrategy> {
  return isStrategyPath(nameOrPath)
    ? { strategy: await fromFile(nameOrPath, version), path: nameOrPath }
    : { strategy: await builtIn(nameOrPath) };
}

/** True for the path of a file, false for the name of a built-in strategy. */
export const isStrategyPath = (nameOrPath: string): boolean => /[/\\]|^\.+$/.test(nameOrPath) || EXTENSIONS.includes(extname(nameOrPath));

/** Throws a `UserError` if there is no such strategy, without loading it. */
export function requireStrategy(nameOrPath: string): void {
  if (isStrategyPath(nameOrPath)) fileOf(nameOrPath);
  else knownName(nameOrPath);
}

function knownName(name: string): (typeof BUILT_IN_STRATEGIES)[number] {
  const known = BUILT_IN_STRATEGIES.find((candidate) => candidate === name);
  if (known === undefined) {
    throw wrong(`unknown strategy "${name}"; ${suggestion(name, BUILT_IN_STRATEGIES)}`, {
      hint: `name a file of your own by its path: ./${name}.ts`,
    });
  }
  return known;
}

async function builtIn(name: string): Promise<Strategy<Params>> {
  const url = builtInStrategyUrl(knownName(name));
  const path = `strategies/${name}.ts`;
  return strategyIn(await importModule(url, path), path);
}

function fileOf(path: string): string {
  const file = resolve(path);
  if (!EXTENSIONS.includes(extname(file))) throw wrong(`${path} is not a strategy file; one of ${EXTENSIONS.join(', ')} is expected`);
  if (!existsSync(file))
    throw wrong(`there is no strategy file ${path}`, { hint: `built-in strategies: ${BUILT_IN_STRATEGIES.join(', ')}` });
  return file;
}

async function fromFile(path: string, version?: string): Promise<Strategy<Params>> {
  const url = pathToFileURL(fileOf(path));
  if (version !== undefined) url.search = `?version=${version}`;
  return strategyIn(await importModule(url, path), path);
}

/** `path` is the file as the user named it. */
async function importModule(url: URL, path: string): Promise<unknown> {
  try {
    await prepareImportOf(url.pathname);
    return await import(url.href);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { text, place } = syntaxFault(error) ?? { text: messageOf(error).split('\n')[0] ?? '', place: authorPlace(error) };
    const inFile = place === undefined || resolve(place.file) === fileURLToPath(url);
    throw wrong(text, { place: inFile ? { ...place, file: path } : place });
  }
}

/** The first error of esbuild, which tsx compiles with; it counts columns from 0. */
function syntaxFault(error: unknown): { text: string; place: Place } | undefined {
  const [, file, line, column, text] = /^(.+):(\d+):(\d+): ERROR: (.+)$/m.exec(messageOf(error)) ?? [];
  if (file === undefined) return undefined;
  return { text: `not valid TypeScript: ${text}`, place: { file, line: Number(line), column: Number(column) + 1 } };
}

/** A file outside the project may be loaded as CommonJS, with its default export one level deeper. */
function strategyIn(module: unknown, path: string): Strategy<Params> {
  const exported = (module as { default?: unknown }).default;
  const candidate = (exported as { default?: unknown } | undefined)?.default ?? exported;
  const fault = shapeFault(candidate);
  if (fault === undefined) return candidate as Strategy<Params>;
  throw wrong(fault, {
    place: { file: path },
    hint: `export default defineStrategy({ name, defaults, create }): see ${docsFile('strategies.md')}`,
  });
}

const wrong = (message: string, { hint, place }: { hint?: string; place?: Place } = {}): UserError =>
  new UserError({ code: 'strategy', message, hint, place });

/** Describes what is missing or wrong in the value that a file exports, which may not be type-checked; undefined if it is a strategy. */
export function shapeFault(candidate: unknown): string | undefined {
  if (!isRecord(candidate) || Object.keys(candidate).length === 0) return 'no strategy is exported as default';
  const { name, defaults, ranges = {}, create } = candidate;
  if (typeof name !== 'string' || name === '') return 'the strategy has no name';
  if (typeof create !== 'function') return `the strategy ${name} has no create function`;
  const unusable = scheduleFault(candidate);
  if (unusable !== undefined) return `the strategy ${name}: ${unusable}`;
  if (!isRecord(defaults)) return `the strategy ${name} has no defaults; without parameters write defaults: {}`;
  if (!isRecord(ranges)) return `the ranges of the strategy ${name} are not an object`;
  return valueFault(defaults) ?? rangeFault(ranges, defaults);
}

function scheduleFault({ history, every }: Readonly<Record<string, unknown>>): string | undefined {
  if (history !== undefined && typeof history !== 'function' && !(isRecord(history) && isRecord(history['candles'])))
    return "its history is not of the form { candles: { '1h': 200 } }";
  if (every !== undefined && typeof every !== 'function' && typeof every !== 'string') return "every is not a resolution, such as '1h'";
  return undefined;
}

function valueFault(defaults: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(defaults)) {
    if (!isUsable(value) && !isUsableList(value))
      return `the default of ${key} is ${shown(value)}; a finite number, a text, true or false, or a list of numbers or of texts is expected`;
  }
  return undefined;
}

const isUsable = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' || typeof value === 'boolean';

const isUsableList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one: unknown) => isUsable(one) && typeof one !== 'boolean' && typeof one === typeof value[0]);

const shown = (value: unknown): string => (Array.isArray(value) ? `[${value.join(', ')}]` : String(value));

function rangeFault(ranges: Readonly<Record<string, unknown>>, defaults: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, range] of Object.entries(ranges)) {
    if (!Object.hasOwn(defaults, key)) return `there is a range for ${key}, which has no default`;
    const fits =
      Array.isArray(range) &&
      [defaults[key]].flat().every((value) => (typeof value === 'number' ? isSpan(range, value) : range.includes(value)));
    if (!fits) return `the default of ${key} is not within its range`;
  }
  return undefined;
}

const isSpan = ([least, most]: readonly unknown[], value: number): boolean =>
  typeof least === 'number' && typeof most === 'number' && least <= value && value <= most;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
