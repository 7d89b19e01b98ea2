// The locations of this package's files, and the command that starts it: from the repository (TypeScript) or as an installed package (JavaScript).
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from './errors.ts';

/** The folder of package.json. This file is one folder below `src/`, and its code one below the built `dist/`. */
export const PACKAGE_FOLDER = new URL('../../', import.meta.url);

/** True if this is the built package and not the repository. */
export const BUILT = import.meta.url.endsWith('.js');

/** The beginning of a command line, before a space, the command's name and its options. */
export const COMMAND = BUILT ? 'npx tickwright' : 'npm run bot --';

/** The name of the program in usage lines and in prose: `bot kill`. */
export const PROGRAM = BUILT ? 'tickwright' : 'bot';

/** The URL of a file that is not compiled: `path` is relative to `src/`. A module must not use its own URL: in the built package it is in another folder. */
export const programFile = (path: string): URL => new URL(`../${path}`, import.meta.url);

/** The path of a page of the documentation, such as `backtests.md`; relative if it is in the working folder. package.json lists the shipped pages. */
export function docsFile(page: string): string {
  const file = fileURLToPath(new URL(`docs/${page}`, PACKAGE_FOLDER));
  const path = relative('', file);
  return path.startsWith('..') ? file : path;
}

/** The URL of a module that is started or imported by its file, such as a worker: `path` is relative to `src/`, without extension. The build lists them. */
export const moduleUrl = (path: string): URL => programFile(`${path}${BUILT ? '.js' : '.ts'}`);

/** The URL of a built-in strategy by its name. */
export const builtInStrategyUrl = (name: string): URL =>
  BUILT ? new URL(`../strategies/${name}.js`, import.meta.url) : new URL(`../../strategies/${name}.ts`, import.meta.url);

/** The version in package.json. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8')) as { version: string };
  return version;
}

/** Imports a package that only some users need. Throws a UserError that suggests the command `install`. */
export async function packageOf<T>(names: string, load: () => Promise<T>, install = `npm install ${names}`): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UserError({ code: 'option', message: `this needs packages that are not installed: ${names}`, hint: `type: ${install}` });
  }
}
