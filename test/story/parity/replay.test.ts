// `bot replay` on recordings of runs on virtual time: equal turns, the first difference, and incomplete recordings.
import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../../../src/program/program.ts';
import { virtualRun } from '../../replay/virtual-run.ts';
import { FakeHost } from '../../unit/cli/fake-host.ts';
import { stateDirectoryOf } from './recorded-run.ts';

let recording: readonly string[] = [];
beforeAll(async () => {
  ({ recording } = await virtualRun({ strategy: 'grid', seed: 'replay', seconds: 60 }));
});

interface Printed {
  readonly turns: number;
  readonly equal: number;
  readonly agreement: number;
  readonly first?: { readonly turn: number; readonly at: string; readonly run: string; readonly replay: string };
  readonly changed: readonly string[];
}

async function runCommand(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const host = new FakeHost();
  const code = await runProgram(args, host);
  return { code, out: host.stdout.text, err: host.stderr.text };
}

async function replayed(directory: string, ...more: readonly string[]): Promise<Printed & { readonly code: number; readonly err: string }> {
  const { code, out, err } = await runCommand('replay', directory, '--json', ...more);
  return { ...(JSON.parse(out) as Printed), code, err };
}

const segmentsIn = (directory: string): readonly string[] => readdirSync(directory).filter((name) => name.endsWith('.gz'));

/** Writes a strategy that differs from the grid in one turn. */
function otherGrid(directory: string, body: string): string {
  const file = join(directory, 'other.ts');
  const grid = new URL('../../../strategies/grid.ts', import.meta.url).pathname;
  writeFileSync(
    file,
    `import grid from '${grid}';
export default { ...grid, create(params, tools) {
  const decide = grid.create(params, tools);
  let turns = 0;
  return (view) => { turns += 1; const wanted = decide(view); ${body} };
} };
`,
  );
  return file;
}

describe('replay', () => {
  test('decides every turn as the run did', async () => {
    const { code, turns, equal, changed } = await replayed(stateDirectoryOf(recording));
    expect(turns).toBe(recording.length - 1);
    expect([code, equal, changed]).toEqual([0, turns, []]);
  });

  test('shows the first turn that another strategy decides differently, and only such turns', async () => {
    const directory = stateDirectoryOf(recording);
    const { code, turns, equal, first, changed } = await replayed(
      directory,
      '--strategy',
      otherGrid(directory, 'return turns === 100 ? [] : wanted;'),
    );
    expect(code).toBe(1);
    expect(equal).toBe(turns - 1);
    expect(first?.run).toMatch(/^wants BTCUSDC bids .*; sends nothing$/);
    expect(first?.replay).toMatch(/^wants nothing; sends cancel of \d+/);
    expect(changed).toEqual([expect.stringMatching(/^the strategy: .*other\.ts in place of grid$/)]);
  });

  test('prints the difference as text', async () => {
    const directory = stateDirectoryOf(recording);
    const { code, out } = await runCommand('replay', '--state', directory, '--strategy', otherGrid(directory, 'return [];'));
    expect(code).toBe(1);
    expect(out).toMatch(/turns +\d+ of \d+ decided as in the run/);
    expect(out).toMatch(/differs +first in turn \d+ at 2026-01-05T12:00:\d\d\.\d{3}Z, after /);
    expect(out).toMatch(/replay +wants nothing; sends nothing/);
  });

  test('reads a recording of several segments, up to a missing one', async () => {
    const directory = stateDirectoryOf(recording, { segmentBytes: 1_000 });
    const segments = segmentsIn(directory);
    expect(segments.length).toBeGreaterThan(3);
    expect((await replayed(directory)).turns).toBe(recording.length - 1);
    rmSync(join(directory, segments[2] ?? ''));
    const { code, turns, equal, err } = await replayed(directory);
    expect(code).toBe(0);
    expect(turns).toBeLessThan(recording.length - 1);
    expect(equal).toBe(turns);
    expect(err).toContain('has a gap after segment 2; the rest is omitted');
  });

  test('reads a torn recording up to the torn line', async () => {
    const directory = stateDirectoryOf(recording);
    const [file = ''] = segmentsIn(directory);
    truncateSync(join(directory, file), Math.floor(statSync(join(directory, file)).size / 2));
    const { code, turns, equal } = await replayed(directory);
    expect(turns).toBeGreaterThan(0);
    expect(turns).toBeLessThan(recording.length - 1);
    expect([code, equal]).toEqual([0, turns]);
  });

  test('omits and reports everything after damage', async () => {
    const directory = stateDirectoryOf([...recording.slice(0, 50), 'not a turn', ...recording.slice(50)]);
    const { code, turns, err } = await replayed(directory);
    expect([code, turns]).toEqual([0, 49]);
    expect(err).toContain('is damaged');
  });
});

describe('wrong input', () => {
  test.each([
    ['no such run', ['replay', 'nobody'], 'there is no run "nobody"'],
    ['no such directory', ['replay', '--state', '/nonexistent'], 'there is no directory /nonexistent'],
  ])('%s', async (_, args, message) => {
    const { code, err } = await runCommand(...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('a run without a recording', async () => {
    const directory = stateDirectoryOf(recording);
    for (const file of segmentsIn(directory)) rmSync(join(directory, file));
    const { code, err } = await runCommand('replay', directory);
    expect(code).toBe(2);
    expect(err).toContain('has no recording of turns');
  });

  test('a recording without its first segment', async () => {
    const directory = stateDirectoryOf(recording, { segmentBytes: 1_000 });
    rmSync(join(directory, segmentsIn(directory)[0] ?? ''));
    const { code, err } = await runCommand('replay', directory);
    expect(code).toBe(2);
    expect(err).toContain('can be read from its beginning');
  });

  test('a file that is not a recording', async () => {
    const { code, err } = await runCommand('replay', stateDirectoryOf(['{"kind":"something"}', '{}']));
    expect(code).toBe(2);
    expect(err).toContain('not a recording of version 5');
  });
});
