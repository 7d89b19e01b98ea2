// `bot new`: creates a project with a strategy, its configuration, its test and a README, ready to install and run.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { messageOf, UserError } from '../../../base/errors.ts';
import { programFile } from '../../../base/package.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { installedSpec } from './installed-spec.ts';

const TEMPLATE = programFile('program/commands/new/template/');

/** The files of a project, with the template of each. */
const filesOf = (name: string): Readonly<Record<string, string>> => ({
  'package.json': 'package.json.txt',
  [`strategies/${name}.ts`]: 'strategy.ts.txt',
  [`test/${name}.test.ts`]: 'test.ts.txt',
  [`${name}.yaml`]: 'NAME.yaml.txt',
  'tsconfig.json': 'tsconfig.json.txt',
  'README.md': 'README.md.txt',
  '.gitignore': 'gitignore.txt',
});

/** Writes the project to a new or empty folder. Throws a UserError if the folder is not empty, or if its name is not a valid package name. */
export function newProject(path: string, host: Host): Promise<ExitCode> {
  const folder = resolve(path);
  const name = basename(folder);
  requireName(name);
  requireRoom(folder, path);
  const spec = installedSpec(folder);
  try {
    for (const [file, template] of Object.entries(filesOf(name))) {
      const target = join(folder, file);
      mkdirSync(dirname(target), { recursive: true });
      const text = readFileSync(new URL(template, TEMPLATE), 'utf8');
      writeFileSync(target, text.replaceAll('NAME', name).replaceAll('SPEC', spec), { flag: 'wx' });
    }
  } catch (error) {
    throw wrong(`the project could not be written: ${messageOf(error)}`, 'choose another folder');
  }
  const shown = relative('', folder) || '.';
  say(host.stdout, `wrote a strategy, its configuration and its test into ${shown}`);
  say(host.stdout, `next:\n  cd ${shown}\n  npm install\n  npm start          # trades on the embedded exchange until Ctrl-C\n  npm test`);
  return Promise.resolve(0);
}

function requireName(name: string): void {
  if (/^[a-z][a-z0-9-]{0,63}$/.test(name) && name !== 'tickwright') return;
  throw wrong(`"${name}" cannot be the name of a project`, 'use small letters, digits and dashes, beginning with a letter: my-bot');
}

function requireRoom(folder: string, path: string): void {
  if (!existsSync(folder)) return;
  const found = readdirSync(folder).filter((file) => file !== '.git');
  if (found.length > 0)
    throw wrong(`there is something in ${path} already: ${found.slice(0, 3).join(', ')}`, 'choose a new or an empty folder');
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'new', message, hint });
