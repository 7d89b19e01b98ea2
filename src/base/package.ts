// The locations of this package's files, and the command that starts it: from the repository (TypeScript) or as an installed package (JavaScript).
import { readFileSync } from 'node:fs';

/** The folder of package.json. `src/` and the built `dist/` lie at the same depth, so it is the same for both. */
export const PACKAGE_FOLDER = new URL('../../', import.meta.url);

/** True if this is the built package and not the repository. */
export const BUILT = import.meta.url.endsWith('.js');

/** The beginning of a command line, before a space, the command's name and its options. */
export const COMMAND = BUILT ? 'npx tickwright' : 'npm run bot --';

/** The name of the program in usage lines and in prose: `bot kill`. */
export const PROGRAM = BUILT ? 'tickwright' : 'bot';

/** The URL of a module of this program: `path` is relative to `src/`, without its extension. */
export const moduleUrl = (path: string): URL => new URL(`../${path}${BUILT ? '.js' : '.ts'}`, import.meta.url);

/** The URL of a built-in strategy by its name. */
export const builtInStrategyUrl = (name: string): URL =>
  BUILT ? new URL(`../strategies/${name}.js`, import.meta.url) : new URL(`../../strategies/${name}.ts`, import.meta.url);

/** The version in package.json. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8')) as { version: string };
  return version;
}
