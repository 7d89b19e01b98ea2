// `bot new`: creates a project with a strategy or the adapter of an exchange, its test and a README, ready to install and run.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf, UserError } from '../../../base/errors.ts';
import { PACKAGE_FOLDER, packageVersion, programFile } from '../../../base/package.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import { defineVenue } from '../../../venues/kind/modules/define-venue.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';

interface Template {
  readonly folder: URL;
  /** The files of a project, with the template of each. */
  files(name: string): Readonly<Record<string, string>>;
  readonly wrote: string;
  /** What to type next, after `npm install`. */
  readonly next: readonly string[];
}

const COMMON = {
  'package.json': 'package.json.txt',
  'tsconfig.json': 'tsconfig.json.txt',
  'README.md': 'README.md.txt',
  '.gitignore': 'gitignore.txt',
};

const STRATEGY: Template = {
  folder: programFile('program/commands/new/template/'),
  files: (name) => ({
    ...COMMON,
    [`strategies/${name}.ts`]: 'strategy.ts.txt',
    [`test/${name}.test.ts`]: 'test.ts.txt',
    [`${name}.yaml`]: 'NAME.yaml.txt',
  }),
  wrote: 'a strategy, its configuration and its test',
  next: ['npm start          # trades on the embedded exchange until Ctrl-C', 'npm test'],
};

const VENUE: Template = {
  folder: programFile('program/commands/new/venue-template/'),
  files: () => ({
    ...COMMON,
    'venue.ts': 'venue.ts.txt',
    'venue.fake.ts': 'venue.fake.ts.txt',
    'serve.ts': 'serve.ts.txt',
    'test/venue.test.ts': 'test.ts.txt',
  }),
  wrote: 'the adapter of an exchange, a fake of that exchange and a test',
  next: ['npm run check      # the contract of an adapter, check by check', 'npm test'],
};

/**
 * Writes the project to a new or empty folder. Throws a UserError if the folder is not empty, or if its name cannot be that of a package or, with `venue`,
 * that of an exchange.
 */
export function newProject(path: string, { venue }: { readonly venue?: true | undefined }, host: Host): Promise<ExitCode> {
  const folder = resolve(path);
  const name = basename(folder);
  requireName(name);
  if (venue) requireVenueName(name);
  requireEmptyFolder(folder, path);
  const template = venue ? VENUE : STRATEGY;
  const spec = installedSpec(folder);
  try {
    for (const [file, source] of Object.entries(template.files(name))) {
      const target = join(folder, file);
      mkdirSync(dirname(target), { recursive: true });
      const text = readFileSync(new URL(source, template.folder), 'utf8');
      writeFileSync(target, text.replaceAll('NAME', name).replaceAll('SPEC', spec), { flag: 'wx' });
    }
  } catch (error) {
    throw wrong(`the project could not be written: ${messageOf(error)}`, 'choose another folder');
  }
  const shown = relative('', folder) || '.';
  say(host.stdout, `wrote ${template.wrote} into ${shown}`);
  say(host.stdout, `next:\n${['npm install', ...template.next].reduce((text, line) => `${text}\n  ${line}`, `  cd ${shown}`)}`);
  return Promise.resolve(0);
}

function requireName(name: string): void {
  if (/^[a-z][a-z0-9-]{0,63}$/.test(name) && name !== 'tickwright') return;
  throw wrong(`"${name}" cannot be the name of a project`, 'use small letters, digits and dashes, beginning with a letter: my-bot');
}

const notCalled = (): never => {
  throw new Error('only the name is checked');
};

/** Throws a UserError for the name of an exchange of the program, and for one that is too long. */
function requireVenueName(name: string): void {
  defineVenue({ apiVersion: 1, name, who: name, exampleUrl: 'https://api.example.com', client: notCalled });
}

function requireEmptyFolder(folder: string, path: string): void {
  if (!existsSync(folder)) return;
  const found = readdirSync(folder).filter((file) => file !== '.git');
  if (found.length > 0)
    throw wrong(`there is something in ${path} already: ${found.slice(0, 3).join(', ')}`, 'choose a new or an empty folder');
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'new', message, hint });

/** Returns the value for `tickwright` in the dependencies of a package.json in `project`: a version, tarball or folder, as this program was installed. */
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
