// Who may read a file with a secret, and that the file cannot be exchanged between the check and the reading.
import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { readPrivate } from '../../../../src/base/keys/private-file.ts';
import { openStateDirectory } from '../../../../src/bot/run/state/state.ts';
import { newKey } from '../../../../src/program/commands/keys/keys.ts';
import { FakeHost } from '../../cli/fake-host.ts';
import { fileOf, folder, refusalOf } from './samples.ts';

const MAKE_PIPE = 'mkfifo';
const EXPECTED = { what: 'key file', hint: 'make one' };
const textIn = (file: string): string => Buffer.from(readPrivate(file, EXPECTED)).toString();

describe('modes', () => {
  test.each([0o600, 0o400, 0o700])('%o is accepted', (mode) => {
    expect(textIn(fileOf('hello', mode))).toBe('hello');
  });

  test.each([0o644, 0o640, 0o604, 0o660, 0o606, 0o610, 0o601, 0o777])('%o is refused, with the command that corrects it', async (mode) => {
    const file = fileOf('hello', mode);
    const { message, hint } = await refusalOf(() => textIn(file));
    expect(message).toBe(`the key file ${file} has mode 0${mode.toString(8)}; others must not be able to read it`);
    expect(hint).toBe(`chmod 600 ${file}`);
  });
});

describe('other refused files', () => {
  test('a file of another user', async () => {
    const file = fileOf('hello');
    const { uid } = statSync(file);
    expect(Buffer.from(readPrivate(file, { ...EXPECTED, owner: uid })).toString()).toBe('hello');
    expect((await refusalOf(() => readPrivate(file, { ...EXPECTED, owner: uid + 1 }))).message).toContain('belongs to another user');
  });

  test('a file with a second hard link', async () => {
    const file = fileOf('hello');
    linkSync(file, `${file}.too`);
    expect((await refusalOf(() => textIn(file))).message).toContain('has 2 names (hard links)');
    unlinkSync(`${file}.too`);
    expect(textIn(file)).toBe('hello');
  });

  test('a link to a file, and a broken link', async () => {
    const file = fileOf('hello');
    symlinkSync(file, `${file}.link`);
    symlinkSync(`${file}.gone`, `${file}.dangling`);
    for (const link of ['link', 'dangling']) expect((await refusalOf(() => textIn(`${file}.${link}`))).message).toContain('cannot be read');
  });

  test('a directory, a device, and a pipe without a writer', async () => {
    const place = folder();
    mkdirSync(join(place, 'd'), { mode: 0o700 });
    execFileSync(MAKE_PIPE, ['-m', '600', join(place, 'pipe')]);
    for (const file of [join(place, 'd'), join(place, 'pipe'), '/dev/null'])
      expect((await refusalOf(() => textIn(file))).message).toContain('is not a regular file');
  });
});

test('a file that is exchanged repeatedly is refused, or the checked file is read', async () => {
  const place = folder();
  const [mine, open] = [join(place, 'key'), join(place, 'open')];
  writeFileSync(mine, 'mine', { mode: 0o600 });
  writeFileSync(open, 'open');
  chmodSync(open, 0o644);
  const swaps = `const { renameSync } = require('node:fs');
    const [mine, open] = ${JSON.stringify([mine, open])};
    for (;;) { renameSync(mine, mine + '.t'); renameSync(open, mine); renameSync(mine + '.t', open); }`;
  const worker = new Worker(swaps, { eval: true });
  await new Promise((resolve) => worker.once('online', resolve));
  const seen = new Map<string, number>();
  const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  const swapped = (): boolean => seen.has('mine') && seen.has('refused');
  for (let round = 0; round < 3_000 || (!swapped() && round < 300_000); round++) {
    try {
      note(textIn(mine));
    } catch {
      note('refused');
    }
  }
  await worker.terminate();
  expect([...seen.keys()].sort()).toEqual(['mine', 'refused']);
});

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

describe('our own files', () => {
  test('a new key is readable by its owner only, whatever the umask, and never overwritten', async () => {
    const before = process.umask(0);
    try {
      const file = join(folder(), 'new.key');
      await newKey(file, new FakeHost());
      expect(modeOf(file)).toBe('600');
      await expect(newKey(file, new FakeHost())).rejects.toMatchObject({ code: 'key' });
      renameSync(file, `${file}.away`);
      symlinkSync(`${file}.elsewhere`, file);
      await expect(newKey(file, new FakeHost())).rejects.toMatchObject({ code: 'key' });
    } finally {
      process.umask(before);
    }
  });

  test('a state directory and the session key in it are private too', () => {
    const before = process.umask(0);
    try {
      const directory = join(folder(), 'state');
      const state = openStateDirectory(directory, { clock: new VirtualClock(0), started: 'now' });
      state.sessionKey(() => new Uint8Array(32).fill(7));
      state.close();
      expect([modeOf(directory), modeOf(join(directory, 'session.key'))]).toEqual(['700', '600']);
    } finally {
      process.umask(before);
    }
  });
});
