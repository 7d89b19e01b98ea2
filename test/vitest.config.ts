// How the suite runs: every *.test.ts under test/, on all cores. Tests leave nothing behind in a module, so files share their worker's modules.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: new URL('temporary.ts', import.meta.url).pathname,
    pool: 'forks',
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
