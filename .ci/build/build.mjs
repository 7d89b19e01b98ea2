// Builds dist/, the JavaScript and the declarations that the npm package ships. Run by `npm run build`, and by npm before it packs or links the package.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

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

rmSync('dist', { recursive: true, force: true });
for (const project of ['src', 'declarations', 'strategies']) {
  execFileSync(process.execPath, [tsc, '-p', `.ci/build/${project}.json`], { stdio: 'inherit' });
}
// What is read at run time as it is: hooks of Node's module loader, the report's page, and the template of a project.
for (const file of ['base/own-package.mjs', 'base/load-typescript.mjs', 'report/html/page.js', 'report/html/page.css']) {
  copyFileSync(`src/${file}`, `dist/${file}`);
}
writeFileSync('dist/base/load-typescript.d.mts', '/** Import it for its effect: TypeScript files can then be imported. */\nexport {};\n');
cpSync('src/cli/commands/new/template', 'dist/cli/commands/new/template', { recursive: true });
if (!existsSync('dist/cli/main.js')) throw new Error('the compiler wrote no dist/cli/main.js');
chmodSync('dist/cli/main.js', 0o755);
