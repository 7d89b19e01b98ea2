// Which run a command acts on: by name, by directory, or because there is only one.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rememberRun } from '../../../../src/program/known-runs.ts';
import { flagFor, type Preferred, resolveState, resolveStates } from '../../../../src/program/resolve-state.ts';
import { VENUES } from '../../../../src/program/venues.ts';
import { folderOf } from './state-folder.ts';

const resolved = (
  { home, ...flags }: Parameters<typeof resolveState>[0] & { readonly home?: string },
  preferred: Preferred = 'living',
): string => resolveState(flags, preferred, { venues: VENUES, home }).facts.run;

describe('without a name', () => {
  test('finds the only living run', () => {
    const { home } = folderOf({ run: 'a', started: '2026-01-03' });
    folderOf({ run: 'b' }, { home, holder: 'living' });
    expect(resolved({ home })).toBe('b');
  });

  test('needs a name if two are alive', () => {
    const { home, directory } = folderOf({ run: 'a' }, { holder: 'living' });
    folderOf({ run: 'b' }, { home, holder: 'living' });
    expect(() => resolved({ home }, 'newest')).toThrow(
      expect.objectContaining({ message: '2 runs are alive: a, b', hint: `name one, as in --state ${directory}` }),
    );
  });

  test('finds the newest if none lives, for commands that accept an ended run', () => {
    const { home } = folderOf({ run: 'old', started: '2026-01-01' }, { holder: 'dead' });
    folderOf({ run: 'new', started: '2026-01-02' }, { home });
    expect(resolved({ home }, 'newest')).toBe('new');
    expect(() => resolved({ home })).toThrow('no run is alive');
  });

  test('reports that there is no run', () => {
    expect(() => resolved({ home: '/no/such/place' }, 'newest')).toThrow('there is no run in /no/such/place');
  });
});

describe('with a name or directory', () => {
  test('finds the run by its name', () => {
    const { home } = folderOf({ run: 'grid-hosted' });
    expect(resolved({ home, run: 'grid-hosted' })).toBe('grid-hosted');
    expect(() => resolved({ home, run: 'grid-hostd' })).toThrow('there is no run "grid-hostd"');
  });

  test('finds the run by its directory, anywhere', () => {
    const { directory } = folderOf();
    expect(resolved({ state: directory })).toBe('grid-local');
    expect(() => resolved({ state: join(directory, 'x') })).toThrow('there is no directory');
    expect(() => resolved({ state: join(directory, '..') })).toThrow('is not a state directory of a run');
  });

  test('refuses both at once', () => {
    expect(() => resolved({ run: 'a', state: 'b' })).toThrow('a run and --state were both given');
  });
});

/** A machine whose current directory has no run. */
const machine = (): { readonly venues: typeof VENUES; readonly home: string; readonly env: Record<string, string> } => ({
  venues: VENUES,
  home: '/no/such/place',
  env: { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'machine-')) },
});

describe('a run elsewhere on this machine', () => {
  test('is found by the name that status prints', () => {
    const places = machine();
    const { directory } = folderOf({ run: 'away' });
    rememberRun(directory, places.env);
    expect(resolveState({ run: 'away' }, 'living', places).directory).toBe(directory);
    const home = folderOf({ run: 'away' });
    expect(resolveState({ run: 'away' }, 'living', { ...places, home: home.home }).directory).toBe(home.directory);
  });

  test('is never taken without its name', () => {
    const places = machine();
    rememberRun(folderOf({ run: 'away' }, { holder: 'living' }).directory, places.env);
    expect(() => resolveState({}, 'newest', places)).toThrow(
      expect.objectContaining({ message: 'no run in /no/such/place is alive', hint: 'name the run; alive on this machine: away' }),
    );
  });

  test('needs its directory if two runs have that name', () => {
    const places = machine();
    const [one, two] = [folderOf({ run: 'away' }), folderOf({ run: 'away' })];
    for (const { directory } of [one, two]) rememberRun(directory, places.env);
    expect(() => resolveState({ run: 'away' }, 'newest', places)).toThrow('2 runs are named "away"');
  });
});

const resolvedAt = (home: string): string[] => resolveStates({}, { venues: VENUES, home }).map(({ facts }) => facts.run);

test('commands for several runs take all that live, else the newest, else none', () => {
  const { home } = folderOf({ run: 'old', started: '2026-01-01' }, { holder: 'dead' });
  folderOf({ run: 'new', started: '2026-01-02' }, { home });
  expect(resolvedAt(home)).toEqual(['new']);
  folderOf({ run: 'a' }, { home, holder: 'living' });
  folderOf({ run: 'b' }, { home, holder: 'living' });
  expect(resolvedAt(home)).toEqual(['a', 'b']);
  expect(resolvedAt('/no/such/place')).toEqual([]);
  expect(() => resolveStates({ state: '/no/such/place' }, { venues: VENUES })).toThrow('there is no directory');
});

test('a directory with damaged facts is not a run, unless it is named', () => {
  const { home, directory } = folderOf({ run: 'broken' });
  writeFileSync(join(directory, 'facts.json'), '{');
  folderOf({ run: 'sound' }, { home });
  expect(resolved({ home }, 'newest')).toBe('sound');
  expect(() => resolved({ state: directory })).toThrow('not the facts of a run');
});

test('a run is referred to by its name if the name is unique', () => {
  const facts = { run: 'grid' };
  expect([flagFor({ directory: '.bot/grid', facts }), flagFor({ directory: '/x/grid', facts })]).toEqual(['grid', '--state /x/grid']);
});
