// Registers the compiler of this repository's own TypeScript, for `npm run bot` and the other scripts of package.json.
// A process starts with two thirds of the CPU time that it takes with tsx, and recordings play 5 % faster, because esbuild is not asked to keep the
// names of functions: for that it wraps each function expression in a call that sets its name, also in code that runs a million times. Files of others
// need more than this (CommonJS, the paths of their tsconfig.json): those are compiled by tsx, see `load-typescript.mjs`.
import { register } from 'node:module';
import { privateCache } from './private-cache.mjs';

process.on('SIGUSR1', () => undefined); // Node's own handler opens a debugger port: see src/cli/process/no-debugger.ts
process.setSourceMapsEnabled(true);
register('./source-hooks.mjs', { parentURL: import.meta.url, data: { cache: privateCache() } });
