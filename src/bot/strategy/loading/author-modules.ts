// Makes a strategy file importable: compiles its TypeScript, and resolves "tickwright" to the running program.
import * as nodeModule from 'node:module';
import { extname } from 'node:path';
import { BUILT, builtInStrategyUrl, moduleUrl, programFile } from '../../../base/package.ts';

/** The package names that authors may import, with their modules in `src/`. */
const ENTRIES: Readonly<Record<string, string>> = {
  tickwright: 'index',
  'tickwright/testing': 'testing',
  'tickwright/client': 'client',
  'tickwright/venue': 'venue',
  'tickwright/venue-testing': 'venue-testing',
};

const BUILT_IN_FOLDER = new URL('.', builtInStrategyUrl('grid')).pathname;

const prepared = { typescript: false, ownPackage: false };

/**
 * Call before `import(file)`. Hooks that are registered later are asked first, so TypeScript comes before the package's own name. The built-in strategies
 * of the built package need no hooks: Node finds the package's name in its own package.json.
 */
export async function prepareImportOf(file: string): Promise<void> {
  if (BUILT && file.startsWith(BUILT_IN_FOLDER)) return;
  if (BUILT && !prepared.typescript && /^\.m?ts$/.test(extname(file))) {
    prepared.typescript = true;
    await import(programFile('base/load-typescript.mjs').href);
  }
  if (prepared.ownPackage) return;
  prepared.ownPackage = true;
  const entries = Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, moduleUrl(path).href]));
  await registerOwnPackage(programFile('base/own-package.mjs').href, entries);
}

interface Hooks {
  readonly initialize: (data: { readonly entries: Readonly<Record<string, string>> }) => void;
  readonly resolveSync: unknown;
}

/** Node 26 warns of `module.register`; older versions than 22.15 have nothing else. */
async function registerOwnPackage(url: string, entries: Readonly<Record<string, string>>): Promise<void> {
  const { registerHooks } = nodeModule as { readonly registerHooks?: (hooks: { readonly resolve: unknown }) => void };
  if (registerHooks === undefined) {
    nodeModule.register(url, { data: { entries } });
    return;
  }
  const { initialize, resolveSync } = (await import(url)) as Hooks;
  initialize({ entries });
  registerHooks({ resolve: resolveSync });
}
