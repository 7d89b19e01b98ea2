// How the suite runs: every *.test.ts under test/, each file in its own worker.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { root: new URL('..', import.meta.url).pathname, include: ['test/**/*.test.ts'], testTimeout: 20_000, hookTimeout: 20_000 },
});
