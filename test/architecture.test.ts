// The rules of the code: which modules may import which, where RxJS may be used, which words and globals are banned, and how long files may be.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VENUES } from '../src/program/venues.ts';
import { LONGEST_FILES } from './longest-files.ts';
import { MUTANTS } from './mutants/mutants.ts';
import { TWO_MEANINGS } from './two-meanings.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

/** The rank of each module. A module may import modules of lower rank, and itself. */
const RANKS: Readonly<Record<string, number>> = {
  base: 0,
  'bot/domain': 1,
  'bot/world': 2,
  'bot/journal': 2,
  'bot/accounting': 2,
  'bot/strategy': 3,
  'bot/risk': 3,
  'bot/execution': 3,
  'bot/exchange': 3,
  'bot/engine': 4,
  'bot/run': 5,
  'venues/shared': 6,
  'venues/operate': 6,
  'venues/wire': 6,
  'venues/kind': 7,
  'venues/client': 7,
  venues: 8,
  'embedded/rows': 9,
  'embedded/exchange': 10,
  'embedded/tape': 10,
  'embedded/adapter': 11,
  'embedded/server': 11,
  'embedded/recording': 12,
  embedded: 13,
  'research/import': 14,
  'research/report': 14,
  'research/backtest': 15,
  'research/simulation': 16,
  research: 17,
  'research/testing': 18,
  'program/monitoring': 19,
  'program/fleet': 19,
  program: 20,
};
/** The folders of src/, from the lowest: a layer imports from lower layers only. */
const LAYERS = ['base', 'bot', 'venues', 'embedded', 'research', 'program'];
const MAY_USE_RXJS = new Set([
  'base',
  'bot/exchange',
  'bot/run',
  'venues',
  'venues/shared',
  'embedded',
  'embedded/adapter',
  'embedded/recording',
  'research/backtest',
  'program',
]);
/** Files that may use the machine's clock, randomness, timers and files. */
const ADAPTERS = [
  'base/clock.ts',
  'program/commands/',
  'program/output/',
  'program/process/',
  'program/terminal/',
  'program/monitoring/page/browser/',
  'program/main.ts',
  'program/program.ts',
  'bot/run/state/state.ts',
  'base/transport/http.ts',
  'base/server/http.ts',
  'bot/strategy/loading/loader.ts',
];
const LONGEST_FILE = 400;
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
/** Words of the project's old dialect. A reader has to translate them, and cannot search for the usual term. */
const BANNED_WORDS_EVERYWHERE: readonly Banned[] = [
  { what: /(?<!seed: ')\btold\b|\btells?\b/i, instead: 'returned, reported, given, set' },
  { what: /\bsurface [AB]\b/i, instead: 'local API, hosted API' },
  { what: /\bPnL\b/, instead: 'profit' },
];
const BANNED_WORDS: readonly Banned[] = [
  ...BANNED_WORDS_EVERYWHERE,
  { what: /(?<![}\]] )\bof (before\b|later\b(?! [a-z]))/i, instead: 'from before, later' },
  { what: /\b(go|goes|gone|went) on with\b|\ball the same\b|\bfor want of\b/i, instead: 'continued, still, without' },
  {
    what: /\/\*\* (a|one|at most)?[^*]{0,40}\bso (many|much|long)( of[^*]*|[.;][^*]*)?\*\/$/im,
    instead: 'what the number is: most, longest, number of',
  },
  { what: /\b(un)?heed(s|ed)?\b(?!-flag)/i, instead: 'verify, acknowledge' },
  { what: /\bhindmost\b|\bwhoever\b|(?<!--)\bfor ever\b|\bas may be\b/i, instead: 'a noun, or nothing' },
  { what: /\brooms\b|\b(a|each|six|lower) room\b(?! for)/i, instead: 'layer, module' },
  { what: /\b(deeds?|reels?|the house|the pit|the crowd|the fold|god's view)\b/i, instead: "the field's term" },
];
const BANNED_EVERYWHERE: readonly Banned[] = [
  { what: /:\s*any\b|<any>|\bas any\b/, instead: 'a type, or unknown' },
  { what: /^\s*(export\s+)?(const\s+)?enum\s/m, instead: 'a union of literals' },
  { what: /@ts-ignore|@ts-nocheck/, instead: 'types that hold' },
];

/** State in a module outlives the object that uses it, and two runs in one process would share it. */
const MODULE_STATE: readonly Banned[] = [
  { what: /^(export )?(let|var) /m, instead: 'a field of a class, or a variable that a function closes over' },
  { what: /^(export )?const \w+ = new (Weak)?(Map|Set)\b/m, instead: 'ReadonlyMap or ReadonlySet where it never changes' },
  { what: /^(export )?const \w+: ((Weak)?(Map|Set)|Record|Array)</m, instead: 'a readonly type where it never changes' },
  { what: /^(export )?const [^=\n]*= (memoizeLast|new Recent)\b/m, instead: 'the object that lives as long as what is remembered' },
];
const MAY_HOLD_STATE: Readonly<Record<string, string>> = {
  'venues/wire/schema/schema.ts': 'the schema of our own package, read once',
  'base/wire/shapes.ts': 'the compiled forms of shapes',
  'embedded/tape/block.ts': 'one array of equal numbers that all blocks share',
  'program/commands/torture/worker.ts': 'the main file of a process of its own',
};

/** Text from outside is parsed by `base/text/json.ts` and `base/wire/json.ts`, which limit its depth and size. */
const MAY_PARSE_JSON: Readonly<Record<string, string>> = {
  'base/text/json.ts': 'the reader itself',
  'base/wire/json.ts': 'text that the reader accepted, for exact numbers',
  'research/import/formats/candles/json-records.ts': 'a record of at most 64 KiB and 64 levels, for exact numbers',
  'base/package.ts': "the package's own package.json",
  'bot/world/memory.ts': 'text that this process made',
  'research/testing/tools.ts': 'text that this process made',
  'bot/strategy/log.ts': 'text that this process made',
  'bot/run/inputs/events.ts': 'text that this process made',
  'program/monitoring/page/browser/state/server.ts': "the page's own server, in the browser",
  'research/simulation/environment/exchange/relisting.ts': "the simulation's own exchange",
  'research/simulation/environment/network/lies.ts': "the simulation's own exchange",
  'research/simulation/environment/network/short-accounts.ts': "the simulation's own exchange",
  'research/simulation/record/durable-record.ts': "the simulation's own disk",
  'research/simulation/exchanges/hyperliquid/format.ts': "the simulation's own exchange",
  'research/simulation/exchanges/hosted/format.ts': "the simulation's own exchange",
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file));

const sources = filesIn(SRC).map((path) => ({ path: relative(SRC, path), text: readFileSync(path, 'utf8') }));
const strategies = filesIn(join(ROOT, 'strategies')).map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, 'utf8') }));
/** Without this file, which lists the words. */
const tests = ['test', 'bench']
  .flatMap((folder) => filesIn(join(ROOT, folder)))
  .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, 'utf8') }))
  .filter(({ path }) => path !== 'test/architecture.test.ts');
const MODULES = Object.keys(RANKS).toSorted((a, b) => b.length - a.length);
/** Returns the module of a path: the longest of MODULES that contains it. */
const moduleOf = (path: string): string => MODULES.find((folder) => path.startsWith(`${folder}/`)) ?? path.split('/')[0] ?? '';
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

function importsOf({ path, text }: { path: string; text: string }): { specifier: string; module: string | undefined }[] {
  return [...text.matchAll(/(?:(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+|\bimport\()'([^']+)'/g)].map((match) => {
    const specifier = match[1] ?? '';
    if (!specifier.startsWith('.')) return { specifier, module: undefined };
    return { specifier, module: moduleOf(relative(SRC, resolve(SRC, dirname(path), specifier))) };
  });
}

/** Returns the files of `src/` that a file imports, relative to `src/`. */
const filesImportedBy = (file: { path: string; text: string }): string[] =>
  importsOf(file)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => relative(SRC, resolve(SRC, dirname(file.path), specifier)));

/** Returns a path of each circle that a depth-first search meets, as `a → b → a`. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const circles: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at !== -1) circles.push([...path.slice(at), file].join(' → '));
    if (at !== -1 || done.has(file)) return;
    path.push(file);
    for (const next of imports.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return circles;
}

const offences = (files: typeof sources, banned: readonly Banned[]): string[] =>
  files.flatMap(({ path, text }) =>
    banned.filter(({ what }) => what.test(withoutComments(text))).map(({ what, instead }) => `${path}: ${what.source}; use ${instead}`),
  );

test('only the reader parses JSON from outside', () => {
  const parsing = sources.filter(({ text }) => /\bJSON\.parse\b|from 'lossless-json'|\.json\(\)/.test(withoutComments(text)));
  expect(parsing.map(({ path }) => path).toSorted()).toEqual(Object.keys(MAY_PARSE_JSON).toSorted());
});

describe('layers', () => {
  const inModules = sources.filter(({ path }) => path.includes('/'));

  test('every module has a rank', () => {
    expect(inModules.map(({ path }) => moduleOf(path)).filter((module) => RANKS[module] === undefined)).toEqual([]);
  });

  test('a module imports from modules of lower rank only', () => {
    const upward = inModules.flatMap((file) =>
      importsOf(file)
        .filter(({ module }) => module !== undefined && module !== moduleOf(file.path))
        .filter(({ module }) => (RANKS[module ?? ''] ?? 99) >= (RANKS[moduleOf(file.path)] ?? -1))
        .map(({ specifier }) => `${file.path} imports ${specifier}`),
    );
    expect(upward).toEqual([]);
  });

  test('no file imports itself through others, not even for a type', () => {
    expect(circlesIn(new Map(sources.map((file) => [file.path, filesImportedBy(file)])))).toEqual([]);
  });

  test('src has six layers, and a layer imports from lower layers only', () => {
    const folders = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).toSorted()).toEqual(LAYERS.toSorted());
    const upward = inModules.flatMap((file) =>
      filesImportedBy(file)
        .filter((path) => LAYERS.indexOf(path.split('/')[0] ?? '') > LAYERS.indexOf(file.path.split('/')[0] ?? ''))
        .map((path) => `${file.path} imports ${path}`),
    );
    expect(upward).toEqual([]);
  });

  test('no folder imports itself through its siblings, at any depth, not even for a type', () => {
    const siblings = new Map<string, Set<string>>();
    for (const file of inModules)
      for (const path of filesImportedBy(file)) {
        const [from, to] = [dirname(file.path).split('/'), dirname(path).split('/')];
        const depth = from.findIndex((name, index) => name !== to[index]);
        if (depth === -1 || to[depth] === undefined) continue;
        const [parent, child] = [from, to].map((folders) => folders.slice(0, depth + 1).join('/')) as [string, string];
        siblings.set(parent, (siblings.get(parent) ?? new Set()).add(child));
      }
    expect(circlesIn(new Map([...siblings].map(([folder, others]) => [folder, [...others]])))).toEqual([]);
  });

  test('RxJS is used only where streams are', () => {
    const strays = inModules.filter(
      (file) => !MAY_USE_RXJS.has(moduleOf(file.path)) && importsOf(file).some(({ specifier }) => specifier.startsWith('rxjs')),
    );
    // The port declares what an adapter offers, and runs nothing.
    expect(strays.map(({ path }) => path)).toEqual([]);
  });

  test('strategies import the public package only', () => {
    const strays = strategies.flatMap((file) => importsOf(file).map(({ specifier }) => `${file.path} imports ${specifier}`));
    expect(strays.filter((line) => !line.endsWith(' imports tickwright'))).toEqual([]);
  });

  test('only the review creates approved intents', () => {
    const minting = sources.filter(({ text }) => /\bas (readonly )?Approved\b/.test(text)).map(({ path }) => path);
    expect(minting).toEqual(['bot/risk/review.ts']);
  });
});

describe('words', () => {
  test('clocks, randomness and timers are used by adapters only', () => {
    const core = [...sources, ...strategies].filter(({ path }) => !ADAPTERS.some((adapter) => path.startsWith(adapter)));
    expect(offences(core, BANNED)).toEqual([]);
  });

  test('an exported type has a name that no other exported type has', () => {
    const names = sources.flatMap(({ text }) =>
      [...text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm)].map(([, name]) => name ?? ''),
    );
    const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
    expect([...twice].toSorted()).toEqual([...TWO_MEANINGS].toSorted());
  });

  test('come from the field', () => {
    const found = [...sources, ...strategies, ...tests].flatMap(({ path, text }) =>
      BANNED_WORDS.filter(({ what }) => what.test(text)).map(({ what, instead }) => `${path}: ${what.exec(text)?.[0]}; write ${instead}`),
    );
    expect(found).toEqual([]);
  });

  test('an exchange is named only in its own folder and in the registry', () => {
    const names = VENUES.all.map(({ name }) => name).join('|');
    const comparison = new RegExp(
      `(===|!==|\\bcase) '(${names})'|'(${names})' (===|!==)|\\[[^\\]]*'(${names})'[^\\]]*\\]\\.includes\\(|z\\.(enum|literal)\\(\\[?[^)]*'(${names})'`,
    );
    const comparing = sources.filter(
      ({ path, text }) => !/^(venues|embedded\/(venue|paper))\//.test(path) && comparison.test(withoutComments(text)),
    );
    expect(comparing.map(({ path }) => `${path}: ask the VenueKind, from host.venues`)).toEqual([]);
  });

  test('the code has no any, no enum and no compiler suppression', () => {
    expect(offences([...sources, ...strategies], BANNED_EVERYWHERE)).toEqual([]);
  });
});

/** Returns the table rows, list items and paragraphs of a document. */
function blocksOf(text: string): string[] {
  return text.replace(/^```[\s\S]*?^```/gm, '').split(/\n\n+|\n(?=\||\s*[-*] |\d+\. )/);
}

describe('pointers', () => {
  const every = new Set(
    ['src', 'test', 'bench', 'strategies', '.ci'].flatMap((folder) => filesIn(join(ROOT, folder))).map((path) => relative(ROOT, path)),
  );
  const COMMENT = /^\s*\*.*|\/\/.*|\/\*\*.*/gm;
  const MENTION = /(?<![\w…*/.-])(?:\.{1,2}\/)?[\w./-]*\w\.tsx?\b/g;

  /** Files that a user writes, named in examples. */
  const OF_A_USER: ReadonlySet<string> = new Set(['strategies/my-bot.ts', 'test/maker.test.ts', 'maker.ts', 'follow.ts']);

  /** True if the file exists at a path from the root, src/ or test/, or in one of the folders or below it. */
  const isThere = (mention: string, folders: readonly string[]): boolean =>
    ['', 'src', 'test', ...folders].some((folder) => every.has(join(folder, mention))) ||
    [...every].some((path) => path.endsWith(`/${mention}`) && folders.some((folder) => path.startsWith(`${folder}/`)));

  test('every file named in a comment exists', () => {
    const lost = [...every].flatMap((path) => {
      const comments = readFileSync(join(ROOT, path), 'utf8').match(COMMENT) ?? [];
      const named = comments.flatMap((comment) => comment.match(/\bsrc\/[\w/-]+(?=\/(?!\w))/g) ?? []);
      return comments
        .flatMap((comment) => comment.match(MENTION) ?? [])
        .filter((mention) => !mention.includes('NAME') && !isThere(mention, [dirname(path), ...named]))
        .map((mention) => `${path} names ${mention}`);
    });
    expect(lost).toEqual([]);
  });

  test('every test file that starts first exists', () => {
    expect(LONGEST_FILES.filter((name) => !every.has(`test/${name}.test.ts`))).toEqual([]);
  });

  test('no document holds the marks of a merge that was left half done', () => {
    const marked = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name))
      .concat('README.md', 'test/README.md', 'bench/README.md')
      .filter((path) => /^(<{7}|={7}|>{7})( |$)/m.test(readFileSync(join(ROOT, path), 'utf8')));
    expect(marked).toEqual([]);
  });

  test('every file named in a document exists, and its name says which file it is', () => {
    const lost = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name))
      .concat('README.md', 'test/README.md', 'bench/README.md')
      .flatMap((path) => {
        const text = readFileSync(join(ROOT, path), 'utf8');
        return (path === 'docs/architecture.md' ? blocksOf(text) : [text]).flatMap((block) => lostIn(block, path));
      });
    expect(lost).toEqual([]);
  });

  const FOLDERS = new Set([...every].flatMap((path) => path.split('/').map((_, index, names) => names.slice(0, index).join('/'))));

  /**
   * Returns the files named in a block that do not exist, or that could be any of several. A path is looked up from the root, `src/` and `test/`. A bare name
   * must be in a folder that the same block names, itself or with a file in it; if the block says "above", it may be in the parent of one.
   */
  function lostIn(block: string, document: string): string[] {
    const mentions = [...block.matchAll(/`((?:[\w.-]+\/)*)([\w-][\w.-]*\.tsx?)?`/g)].map(([, folder = '', file = '']) => ({
      folder,
      file,
    }));
    const named = new Set<string>();
    for (const { folder } of mentions)
      for (const base of ['', 'src', 'test', dirname(document), ...named]) {
        const path = join(base, folder).replace(/\/$/, '');
        if (folder !== '' && FOLDERS.has(path)) named.add(path);
      }
    return mentions
      .map(({ folder, file }) => folder + file)
      .filter((mention) => /\.tsx?$/.test(mention) && !mention.includes('NAME') && !OF_A_USER.has(mention))
      .filter((mention) => {
        const folders = block.includes('above') ? [...named].flatMap((folder) => [folder, dirname(folder)]) : [...named];
        const bases = [...(mention.includes('/') ? ['', 'src', 'test'] : ['']), dirname(document), ...folders];
        return !bases.some((base) => every.has(join(base, mention)));
      })
      .map((mention) => `${document} names ${mention}`);
  }
});

describe('state', () => {
  test('no module holds mutable state', () => {
    expect(
      offences(
        sources.filter(({ path }) => MAY_HOLD_STATE[path] === undefined),
        MODULE_STATE,
      ),
    ).toEqual([]);
  });

  test('every exception still holds state', () => {
    const holding = sources.filter(({ text }) => MODULE_STATE.some(({ what }) => what.test(text))).map(({ path }) => path);
    expect(holding.sort()).toEqual(Object.keys(MAY_HOLD_STATE).sort());
  });
});

describe('seeded bugs', () => {
  test('each replaces a line that occurs exactly once in its file', () => {
    const lost = MUTANTS.filter(({ file, from }) => readFileSync(join(ROOT, file), 'utf8').split(from).length !== 2);
    expect(lost.map(({ name, file }) => `${file}: "${name}"; aim it at the line that has the same meaning now`)).toEqual([]);
  });

  test('each has a unique name', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });
});

describe('size', () => {
  test('the first line of a file is a comment', () => {
    const bare = [...sources, ...strategies].filter(({ text }) => !/^(#!.*\n)?\/\/ \S.*\S/.test(text)).map(({ path }) => path);
    expect(bare).toEqual([]);
  });

  test('files are short', () => {
    const long = sources
      .filter(({ text }) => text.split('\n').length > LONGEST_FILE)
      .map(({ path, text }) => `${path}: ${text.split('\n').length} lines`);
    expect(long).toEqual([]);
  });

  test('functions are short', () => {
    expect(sources.flatMap(({ path, text }) => longFunctions(text).map((found) => `${path}: ${found}`))).toEqual([]);
  });
});

const OPENING = /^(\s*)(?:export )?(?:default )?(?:async )?(?:function\*? \w+.*|(?:static )?[#\w]+\(.*\).*|constructor\(.*)\{$/;
const ARROW = /^(\s*)(?:(?:export )?const |(?:readonly )?#?\w+ = |\w+: ).*=> (?:\(?)\{$/;
/** An invariant of the simulation is a set of short handlers, like a class. */
const HANDLERS = /: MakeCheck = /;

/** Functions, methods and named arrow functions of the formatted source, found by the indentation of their first and last line. */
function longFunctions(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    const opening = OPENING.exec(line) ?? ARROW.exec(line);
    if (opening === null || HANDLERS.test(line) || /^\s*(if|for|while|switch|return|catch|\})/.test(line)) return [];
    const closes = (candidate: string): boolean => candidate.startsWith(`${opening[1]}}`) && !candidate.endsWith('{'); // a parameter list of several lines ends with {
    const end = lines.findIndex((candidate, index) => index > start && closes(candidate));
    return end - start > LONGEST_FUNCTION ? [`${line.trim()} has ${end - start} lines`] : [];
  });
}
