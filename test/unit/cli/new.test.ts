// A new project of the user: which files are written, and when none are.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installedSpec } from '../../../src/program/commands/new/new.ts';
import { runCommand } from './run-command.ts';

const temporary = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'tickwright-new-')));

const installed = (noted?: object): string => {
  const root = temporary();
  mkdirSync(join(root, 'node_modules/tickwright'), { recursive: true });
  if (noted !== undefined) writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: noted }));
  return root;
};
const specIn = (root: string): string => installedSpec(join(root, 'my-bot'), join(root, 'node_modules/tickwright/'));

describe('new', () => {
  test('writes a project with its name in every file', async () => {
    const folder = join(temporary(), 'my-bot');
    const { code, out } = await runCommand(['new', folder]);
    expect([code, out]).toEqual([0, expect.stringContaining('npm install')]);
    for (const file of ['strategies/my-bot.ts', 'test/my-bot.test.ts', 'my-bot.yaml', 'tsconfig.json', 'README.md', '.gitignore']) {
      expect(readFileSync(join(folder, file), 'utf8'), file).not.toMatch(/\bNAME\b|\bSPEC\b/);
    }
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({ name: 'my-bot', type: 'module' });
  });

  test('with --venue writes an adapter and its fake, with its name in every file', async () => {
    const folder = join(temporary(), 'my-venue');
    const { code, out } = await runCommand(['new', folder, '--venue']);
    expect([code, out]).toEqual([0, expect.stringContaining('npm run check')]);
    for (const file of ['venue.ts', 'venue.fake.ts', 'serve.ts', 'test/venue.test.ts', 'tsconfig.json', 'README.md', '.gitignore'])
      expect(readFileSync(join(folder, file), 'utf8'), file).not.toMatch(/\bNAME\b|\bSPEC\b/);
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({ name: 'my-venue', exports: './venue.ts' });
    const taken = join(temporary(), 'hosted');
    expect(await runCommand(['new', taken, '--venue'])).toMatchObject({ code: 2, err: expect.stringContaining('belongs to an exchange') });
    expect(existsSync(taken)).toBe(false);
  });

  test('writes into an empty folder, and nothing into another one', async () => {
    const folder = join(temporary(), 'mine');
    mkdirSync(folder);
    expect((await runCommand(['new', folder])).code).toBe(0);
    const { code, err } = await runCommand(['new', folder]);
    expect([code, err]).toEqual([2, expect.stringMatching(/there is something in .*mine already/)]);
  });

  test.each(['My-Bot', '1bot', 'tickwright', 'bot.ts'])('refuses the name %s', async (name) => {
    const folder = join(temporary(), name);
    const { code, err } = await runCommand(['new', folder]);
    expect([code, err]).toEqual([2, expect.stringContaining('cannot be the name of a project')]);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('how the program was installed', () => {
  test('from a tarball: the path from the new project to it', () => {
    expect(specIn(installed({ 'node_modules/tickwright': { resolved: 'file:tickwright-0.1.0.tgz' } }))).toBe(
      'file:../tickwright-0.1.0.tgz',
    );
  });

  test('from the registry: exactly this version', () => {
    expect(specIn(installed({ 'node_modules/tickwright': { resolved: 'https://registry.npmjs.org/t.tgz' } }))).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('by another package manager: exactly this version', () => {
    expect(specIn(installed())).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('run from its own folder: that folder', () => {
    const root = temporary();
    expect(installedSpec(join(root, 'my-bot'), join(root, 'repository/'))).toBe('file:../repository');
  });
});
