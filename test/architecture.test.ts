// The laws of the house: who may import whom, where rxjs may live, what the core never says, how long things may get.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MUTANTS } from './mutants/mutants.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

/** A room may import rooms of lower floors, and itself. */
const FLOORS: Readonly<Record<string, number>> = {
  base: 0,
  domain: 1,
  streams: 1,
  world: 2,
  embedded: 2,
  wire: 2,
  tape: 2,
  journal: 2,
  report: 2,
  strategy: 3,
  risk: 3,
  execution: 3,
  exchange: 3,
  server: 3,
  engine: 4,
  run: 5,
  simulation: 6,
  testing: 7,
  cli: 7,
};
const MAY_USE_RXJS = new Set(['streams', 'exchange', 'run', 'cli']);
/** Where the machine's own time, chance and files may be touched. */
const RIM = ['base/clock.ts', 'cli/', 'run/state/state.ts', 'exchange/transport/http.ts', 'server/http.ts', 'strategy/loader.ts'];
const LONGEST_FILE = 260;
const LONGEST_FUNCTION = 60;

interface Banned {
  readonly what: RegExp;
  readonly instead: string;
}
const BANNED: readonly Banned[] = [
  { what: /\bDate\.now\(|\bnew Date\(\)/, instead: 'the `at` of the event, or a Clock handed in' },
  { what: /\bsetTimeout\(|\bsetInterval\(/, instead: 'Clock.at' },
  { what: /\bMath\.random\(/, instead: 'an Rng forked by name' },
];
const BANNED_EVERYWHERE: readonly Banned[] = [
  { what: /:\s*any\b|<any>|\bas any\b/, instead: 'a type, or unknown' },
  { what: /^\s*(export\s+)?(const\s+)?enum\s/m, instead: 'a union of literals' },
  { what: /@ts-ignore|@ts-nocheck/, instead: 'types that hold' },
];

/** State that outlives whoever made it, and that two runs in one process would share. */
const MODULE_STATE: readonly Banned[] = [
  { what: /^(export )?(let|var) /m, instead: 'a field of a class, or a variable that a function closes over' },
  { what: /^(export )?const \w+ = new (Weak)?(Map|Set)\b/m, instead: 'ReadonlyMap or ReadonlySet where it never changes' },
  { what: /^(export )?const \w+: ((Weak)?(Map|Set)|Record|Array)</m, instead: 'a readonly type where it never changes' },
  { what: /^(export )?const [^=\n]*= (memoizeLast|new Recent)\b/m, instead: 'the object that lives as long as what is remembered' },
];
const MAY_HOLD_STATE: Readonly<Record<string, string>> = {
  'wire/schema.ts': 'the schema of our own package, read once',
  'tape/block.ts': 'one array of equal numbers that all blocks share',
  'cli/commands/torture/worker.ts': 'the main file of a process of its own',
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));

const sources = filesIn(SRC).map((path) => ({ path: relative(SRC, path), text: readFileSync(path, 'utf8') }));
const strategies = filesIn(join(ROOT, 'strategies')).map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, 'utf8') }));
const roomOf = (path: string): string => path.split('/')[0] ?? '';
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

function importsOf({ path, text }: { path: string; text: string }): { specifier: string; room: string | undefined }[] {
  return [...text.matchAll(/(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+'([^']+)'/g)].map((match) => {
    const specifier = match[1] ?? '';
    if (!specifier.startsWith('.')) return { specifier, room: undefined };
    return { specifier, room: roomOf(relative(SRC, resolve(SRC, dirname(path), specifier))) };
  });
}

const offences = (files: typeof sources, banned: readonly Banned[]): string[] =>
  files.flatMap(({ path, text }) =>
    banned.filter(({ what }) => what.test(withoutComments(text))).map(({ what, instead }) => `${path}: ${what.source}; use ${instead}`),
  );

describe('floors', () => {
  const inRooms = sources.filter(({ path }) => path.includes('/'));

  test('every room stands on a floor', () => {
    expect(inRooms.map(({ path }) => roomOf(path)).filter((room) => FLOORS[room] === undefined)).toEqual([]);
  });

  test('a room imports from lower floors only', () => {
    const upward = inRooms.flatMap((file) =>
      importsOf(file)
        .filter(({ room }) => room !== undefined && room !== roomOf(file.path))
        .filter(({ room }) => (FLOORS[room ?? ''] ?? 99) >= (FLOORS[roomOf(file.path)] ?? -1))
        .map(({ specifier }) => `${file.path} imports ${specifier}`),
    );
    expect(upward).toEqual([]);
  });

  test('rxjs lives where streams are', () => {
    const strays = inRooms.filter(
      (file) => !MAY_USE_RXJS.has(roomOf(file.path)) && importsOf(file).some(({ specifier }) => specifier.startsWith('rxjs')),
    );
    // The port names what an adapter offers; nothing runs there.
    expect(strays.map(({ path }) => path)).toEqual([]);
  });

  test('strategies see the public face alone', () => {
    const strays = strategies.flatMap((file) => importsOf(file).map(({ specifier }) => `${file.path} imports ${specifier}`));
    expect(strays.filter((line) => !line.endsWith(' imports tickwright'))).toEqual([]);
  });

  test('only the review mints an approved intent', () => {
    const minting = sources.filter(({ text }) => /\bas Approved\b/.test(text)).map(({ path }) => path);
    expect(minting).toEqual(['risk/review.ts']);
  });
});

describe('words', () => {
  test('time, chance and timers come in by the rim', () => {
    const core = [...sources, ...strategies].filter(({ path }) => !RIM.some((rim) => path.startsWith(rim)));
    expect(offences(core, BANNED)).toEqual([]);
  });

  test('no any, no enum, no silenced compiler', () => {
    expect(offences([...sources, ...strategies], BANNED_EVERYWHERE)).toEqual([]);
  });
});

describe('state', () => {
  test('no module holds any', () => {
    expect(
      offences(
        sources.filter(({ path }) => MAY_HOLD_STATE[path] === undefined),
        MODULE_STATE,
      ),
    ).toEqual([]);
  });

  test('every exception is still one', () => {
    const holding = sources.filter(({ text }) => MODULE_STATE.some(({ what }) => what.test(text))).map(({ path }) => path);
    expect(holding.sort()).toEqual(Object.keys(MAY_HOLD_STATE).sort());
  });
});

describe('seeded bugs', () => {
  test('each is a line of its file that is there once', () => {
    const lost = MUTANTS.filter(({ file, from }) => readFileSync(join(ROOT, file), 'utf8').split(from).length !== 2);
    expect(lost.map(({ name, file }) => `${file}: "${name}"; aim it at the line that has the same meaning now`)).toEqual([]);
  });

  test('each has a name of its own', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });
});

describe('size', () => {
  test('the first line of a file is its caption', () => {
    const bare = [...sources, ...strategies].filter(({ text }) => !/^(#!.*\n)?\/\/ \S.*\S/.test(text)).map(({ path }) => path);
    expect(bare).toEqual([]);
  });

  test('files fit on a few screens', () => {
    const long = sources
      .filter(({ text }) => text.split('\n').length > LONGEST_FILE)
      .map(({ path, text }) => `${path}: ${text.split('\n').length} lines`);
    expect(long).toEqual([]);
  });

  test('functions fit on one', () => {
    expect(sources.flatMap(({ path, text }) => longFunctions(text).map((found) => `${path}: ${found}`))).toEqual([]);
  });
});

const OPENING = /^(\s*)(?:export )?(?:default )?(?:async )?(?:function\*? \w+|(?:static )?[#\w]+\(.*\).*|constructor\(.*)\{$/;
const ARROW = /^(\s*)(?:(?:export )?const |(?:readonly )?#?\w+ = |\w+: ).*=> (?:\(?)\{$/;
/** An invariant of the simulation is a set of short handlers, as a class is. */
const HANDLERS = /: MakeCheck = /;

/** Functions, methods and named arrow functions of the formatted source, by the indentation of their first and last line. */
function longFunctions(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    const opening = OPENING.exec(line) ?? ARROW.exec(line);
    if (opening === null || HANDLERS.test(line) || /^\s*(if|for|while|switch|return|catch|\})/.test(line)) return [];
    const end = lines.findIndex((candidate, index) => index > start && candidate.startsWith(`${opening[1]}}`));
    return end - start > LONGEST_FUNCTION ? [`${line.trim()} has ${end - start} lines`] : [];
  });
}
