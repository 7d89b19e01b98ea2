// A state directory that another user created or could have written to: it is not read, and its keys are not used.

import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { DiskError } from '../../src/base/files/disk.ts';
import { nodeDisk } from '../../src/base/files/node-disk.ts';
import { requirePrivate } from '../../src/base/files/private.ts';
import { openStateDirectory } from '../../src/bot/run/state/state.ts';
import { runProgram } from '../../src/program/program.ts';
import { resolveState } from '../../src/program/resolve-state.ts';
import { VENUES } from '../../src/program/venues.ts';
import { FakeHost } from '../unit/cli/fake-host.ts';
import { folderOf } from '../unit/cli/operate/state-folder.ts';

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;
const SEED = new Uint8Array(32).fill(7);

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'planted-')), 'run');
  mkdirSync(folder, { mode: 0o700 });
});

const open = (directory = folder) => openStateDirectory(directory, { clock: new VirtualClock(0), started: 'now' });

/** What another user can do to a directory, and the message about it. */
const PLANTED: Record<string, { plant: () => void; says: RegExp; asRoot?: true }> = {
  'of another user': { plant: () => chownSync(folder, NOBODY, NOBODY), says: /belongs to another user \(65534\)/, asRoot: true },
  'that everybody can write': { plant: () => chmodSync(folder, 0o777), says: /others can write it \(mode 0777\)/ },
  'that a group can write': { plant: () => chmodSync(folder, 0o770), says: /others can write it \(mode 0770\)/ },
  'that is a symbolic link': {
    plant: () => {
      renameSync(folder, `${folder}.elsewhere`);
      symlinkSync(`${folder}.elsewhere`, folder);
    },
    says: /is a symbolic link/,
  },
  'that everybody can exchange': { plant: () => chmodSync(join(folder, '..'), 0o777), says: /everybody can write .*, above it/ },
  'with a session key of another user': {
    plant: () => {
      writeFileSync(join(folder, 'session.key'), SEED, { mode: 0o600 });
      chownSync(join(folder, 'session.key'), NOBODY, NOBODY);
    },
    says: /session\.key in it: it belongs to another user/,
    asRoot: true,
  },
  'with a session key that is a symbolic link': {
    plant: () => {
      writeFileSync(`${folder}.key`, SEED, { mode: 0o600 });
      symlinkSync(`${folder}.key`, join(folder, 'session.key'));
    },
    says: /session\.key in it: it is a symbolic link/,
  },
  'with a journal that others can write': {
    plant: () => {
      writeFileSync(join(folder, 'journal-000001.log'), '');
      chmodSync(join(folder, 'journal-000001.log'), 0o666);
    },
    says: /journal-000001\.log in it: others can write it/,
  },
};

describe.each(Object.entries(PLANTED))('a state directory %s', (_, { plant, says, asRoot }) => {
  test.skipIf(asRoot === true && !isRoot)('is refused, and nothing is written into it', () => {
    plant();
    const before = readdirSync(folder);
    let made = false;
    const start = (): void => {
      open().sessionKey(() => {
        made = true;
        return SEED;
      });
    };
    expect(start).toThrow(says);
    expect([readdirSync(folder), made]).toEqual([before, false]);
  });

  test.skipIf(asRoot === true && !isRoot).each(['kill', 'why 1', 'why-not', 'doctor', 'resume --yes grid-local'])(
    'bot %s refuses it',
    async (words) => {
      const { directory, home } = folderOf();
      folder = directory;
      chmodSync(home, 0o755);
      plant();
      const before = readdirSync(folder);
      const host = new FakeHost();
      expect(await runProgram([...words.split(' '), '--state', folder], host)).toBe(2);
      expect(host.stderr.text).toMatch(says);
      const latched = words === 'kill' ? ['LATCH-cancel-all'] : []; // a run of the user's own whose directory modes are wrong must still stop
      expect(readdirSync(folder).toSorted()).toEqual([...latched, ...before].toSorted());
    },
  );
});

test('the kill switch is not written through a link that another user planted', () => {
  const precious = `${folder}.precious`;
  writeFileSync(precious, 'x'.repeat(4_096));
  symlinkSync(precious, join(folder, 'latch-reserve'));
  const disk = nodeDisk(folder, { shared: true });
  expect(() => disk.overwrite('latch-reserve', 0, SEED)).toThrow(DiskError);
  expect(readFileSync(precious, 'utf8')).toBe('x'.repeat(4_096));
});

test('a planted directory among the runs of the user is ignored', () => {
  const { home, directory } = folderOf();
  expect(resolveState({ run: 'grid-local' }, 'newest', { venues: VENUES, home }).directory).toBe(directory);
  chmodSync(directory, 0o777);
  expect(() => resolveState({ run: 'grid-local' }, 'newest', { venues: VENUES, home })).toThrow(/there is no run "grid-local"/);
});

describe('our own directory', () => {
  test.each([0o700, 0o755])('with mode %o in a sticky shared folder is used', (mode) => {
    const shared = mkdtempSync(join(tmpdir(), 'shared-'));
    chmodSync(shared, 0o1777);
    const own = join(shared, 'run');
    mkdirSync(own);
    chmodSync(own, mode);
    open(own).close();
    expect(readdirSync(own)).toContain('lock');
  });

  test('is another user’s directory for another user', () => {
    expect(() => requirePrivate(folder, (process.geteuid?.() ?? 0) + 1)).toThrow(/belongs to another user/);
  });

  test('is no error if it does not exist yet', () => expect(() => requirePrivate(join(folder, 'none'))).not.toThrow());
});
