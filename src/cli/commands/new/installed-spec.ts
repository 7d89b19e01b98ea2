// How another project can install this very program: the version, the tarball or the folder that it was installed from.
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGE_FOLDER, packageVersion } from '../../../base/package.ts';

/** What a package.json in `project` may say for `tickwright` in its dependencies. */
export function installedSpec(project: string, packageFolder: string = fileURLToPath(PACKAGE_FOLDER)): string {
  const modules = dirname(resolve(packageFolder));
  if (basename(modules) !== 'node_modules') return fileSpec(project, packageFolder); // a folder, linked or run where it lies
  const from = resolvedFrom(modules, basename(resolve(packageFolder)));
  return from?.startsWith('file:') === true ? fileSpec(project, join(dirname(modules), from.slice('file:'.length))) : packageVersion();
}

const fileSpec = (project: string, path: string): string => `file:${relative(project, path).replaceAll('\\', '/')}`;

/** What npm noted when it installed the package; undefined if it did not, as with other package managers. */
function resolvedFrom(modules: string, name: string): string | undefined {
  try {
    const noted = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as NotedPackages;
    return noted.packages?.[`node_modules/${name}`]?.resolved;
  } catch {
    return undefined;
  }
}

interface NotedPackages {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}
