// Builds dist/, the JavaScript and the declarations that the npm package ships. Run by `npm run build`, and by npm before it packs or links the package.
// With a folder as its argument: writes the program alone there, without declarations, as the tests of processes run it.
import { execFileSync } from 'node:child_process';
import { chmodSync, constants, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shortenMaps } from './line-maps.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = process.argv[2] === undefined ? undefined : resolve(process.argv[2]);
process.chdir(root);
const dist = program ?? 'dist';

const compiler = () => createRequire(import.meta.url).resolve('typescript/package.json').replace(/package\.json$/, 'bin/tsc');
let tsc;
try {
  tsc = compiler();
} catch {
  console.log('TypeScript is not installed (npm install --omit=dev): dist/ is not built');
  process.exit(0);
}

/** The packages of many files that every backtest loads, and the file that imports of one mean where it is not that of its `exports`. */
const JOINED = { 'rxjs': 'dist/esm/index.js', 'zod': undefined, 'yaml': undefined, 'trading-signals': undefined, 'hyparquet': undefined, 'hyparquet-writer': undefined };

const joinedPackages = {
  name: 'joined packages',
  setup({ onResolve, onLoad }) {
    // zod's messages in fifty languages, which nothing uses.
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ path, resolveDir }) => (resolveDir.includes('zod') ? { path, namespace: 'empty' } : undefined));
    onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: 'export {};' }));
    onResolve({ filter: /^[^./]/ }, ({ path, kind, resolveDir }) => {
      if (kind === 'entry-point' || path.startsWith('node:')) return undefined;
      if (JOINED[path] !== undefined) return { path: join(root, 'node_modules', path, JOINED[path]), sideEffects: false };
      return path in JOINED || resolveDir.includes('node_modules') ? undefined : { path, external: true };
    });
  },
};

const { bundlePage } = await import('../../src/program/monitoring/page/bundle.mjs');
rmSync(dist, { recursive: true, force: true });
const compile = (project, outDir) => execFileSync(process.execPath, [tsc, '-p', `.ci/build/${project}.json`, '--outDir', outDir], { stdio: 'inherit' });
await bundle();
compile('strategies', join(dist, 'strategies'));
// What is read at run time as it is: hooks of Node's module loader, the report's page, and the template of a project.
for (const file of ['base/own-package.mjs', 'base/load-typescript.mjs', 'research/report/html/page-script.js', 'research/report/html/page-style.css']) {
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  copyFileSync(`src/${file}`, join(dist, file), constants.COPYFILE_EXCL); // a compiled module may not have the same name
}
mkdirSync(join(dist, 'program/monitoring/page/browser'), { recursive: true });
for (const [name, content] of Object.entries(await bundlePage())) writeFileSync(join(dist, 'program/monitoring/page/browser', name), content);
for (const template of ['template', 'venue-template'])
  cpSync(`src/program/commands/new/${template}`, join(dist, 'program/commands/new', template), { recursive: true });
const main = join(dist, 'cli/main.js');
if (!existsSync(main)) throw new Error(`the compiler wrote no ${main}`);
chmodSync(main, 0o755);
if (program === undefined) {
  compile('declarations', dist);
  removeUnreachableDeclarations();
  shortenMaps(dist);
  writeFileSync('dist/base/load-typescript.d.mts', '/** Import it for its effect: TypeScript files can then be imported. */\nexport {};\n');
}

/**
 * Joins the modules of the program to few files, because Node loads a thousand files for longer than it compiles them. The code of each is in chunks/, one
 * folder below dist/, as `src/base/package.ts` expects; what the entries share exists once. Packages of many files are joined to it; their licenses are
 * written beside it.
 */
async function bundle() {
  const same = ['index', 'testing', 'client', 'venue', 'venue-testing', 'program/commands/torture/worker', 'program/commands/sweep/jobs/job-main', 'base/package'];
  // Service files of users name dist/cli/main.js.
  const entries = { ...Object.fromEntries(same.map((name) => [name, `src/${name}.ts`])), 'cli/main': 'src/program/main.ts' };
  const { build } = await import('esbuild');
  await build({
    entryPoints: entries,
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    plugins: [joinedPackages],
    banner: { js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);" }, // yaml requires modules of Node
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    minifySyntax: true,
    minifyWhitespace: true, // names stay, for stack traces
    lineLimit: 300,
    logLevel: 'warning',
  });
  writeLicenses();
}

function writeLicenses() {
  const texts = Object.keys(JOINED).map((name) => {
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`the package ${name} has no license file, and dist/ would hold its code`);
    return `${name} ${JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  writeFileSync(join(dist, 'chunks/LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

/** Keeps the declarations that the public ones refer to: the compiler writes those of all modules that the sources import. */
function removeUnreachableDeclarations() {
  const reached = new Set();
  const waiting = ['index', 'testing', 'client', 'venue', 'venue-testing'].map((entry) => join('dist', `${entry}.d.ts`));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/['"](\.{1,2}\/[^'"]+)\.[jt]s['"]/g)) waiting.push(join(file, '..', `${path}.d.ts`));
  }
  const written = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  for (const file of written.map((name) => join('dist', name))) if (!reached.has(file)) rmSync(file);
}
