// Returns how another project can install this program: by version, tarball or folder, as this program was installed.

import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGE_FOLDER, packageVersion } from '../../../base/package.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';

/** Returns the value for `tickwright` in the dependencies of a package.json in `project`. */
export function installedSpec(project: string, packageFolder: string = fileURLToPath(PACKAGE_FOLDER)): string {
  const modules = dirname(resolve(packageFolder));
  if (basename(modules) !== 'node_modules') return fileSpec(project, packageFolder); // linked, or run from its own folder
  const from = resolvedFrom(modules, basename(resolve(packageFolder)));
  return from?.startsWith('file:') === true ? fileSpec(project, join(dirname(modules), from.slice('file:'.length))) : packageVersion();
}

const fileSpec = (project: string, path: string): string => `file:${relative(project, path).replaceAll('\\', '/')}`;

/** Returns the source recorded by npm when it installed the package; undefined with other package managers. */
function resolvedFrom(modules: string, name: string): string | undefined {
  try {
    const noted = readJson(readFileSync(join(modules, '.package-lock.json'), 'utf8'), JSON_LIMITS.file) as NotedPackages;
    return noted.packages?.[`node_modules/${name}`]?.resolved;
  } catch {
    return undefined;
  }
}

interface NotedPackages {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}
