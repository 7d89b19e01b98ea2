// Builds dist/, the JavaScript and the declarations that the npm package ships. Run by `npm run build`, and by npm before it packs or links the package.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shortenMaps } from './line-maps.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
process.chdir(root);

const compiler = () => createRequire(import.meta.url).resolve('typescript/package.json').replace(/package\.json$/, 'bin/tsc');
let tsc;
try {
  tsc = compiler();
} catch {
  console.log('TypeScript is not installed (npm install --omit=dev): dist/ is not built');
  process.exit(0);
}

const { bundlePage } = await import('../../src/monitoring/page/bundle.mjs');
rmSync('dist', { recursive: true, force: true });
for (const project of ['src', 'declarations', 'strategies']) {
  execFileSync(process.execPath, [tsc, '-p', `.ci/build/${project}.json`], { stdio: 'inherit' });
}
// What is read at run time as it is: hooks of Node's module loader, the report's page, and the template of a project.
for (const file of ['base/own-package.mjs', 'base/load-typescript.mjs', 'report/html/page.js', 'report/html/page.css']) {
  copyFileSync(`src/${file}`, `dist/${file}`);
}
mkdirSync('dist/monitoring/page/browser', { recursive: true });
for (const [name, content] of Object.entries(await bundlePage())) writeFileSync(`dist/monitoring/page/browser/${name}`, content);
removeUnreachableDeclarations();
shortenMaps('dist');
writeFileSync('dist/base/load-typescript.d.mts', '/** Import it for its effect: TypeScript files can then be imported. */\nexport {};\n');
cpSync('src/cli/commands/new/template', 'dist/cli/commands/new/template', { recursive: true });
if (!existsSync('dist/cli/main.js')) throw new Error('the compiler wrote no dist/cli/main.js');
chmodSync('dist/cli/main.js', 0o755);

/** Keeps the declarations that the public ones refer to: the compiler writes those of all modules that the sources import. */
function removeUnreachableDeclarations() {
  const reached = new Set();
  const waiting = ['index', 'testing', 'client'].map((entry) => join('dist', `${entry}.d.ts`));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/['"](\.{1,2}\/[^'"]+)\.[jt]s['"]/g)) waiting.push(join(file, '..', `${path}.d.ts`));
  }
  const written = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  for (const file of written.map((name) => join('dist', name))) if (!reached.has(file)) rmSync(file);
}
