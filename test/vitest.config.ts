// How the suite runs: every *.test.ts under test/, with one worker more than there are cores. `npm test` leaves out *.slow.test.ts, `npm run test:slow` runs
// only those. Tests do not change the state of a module, so files share their worker's modules.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { WORKER_OPTIONS } from '../src/program/process/heap.ts';
import { LONGEST_FILES } from './longest-files.ts';
import { TEST_LIMIT_MS } from './patience.ts';

const ROOT = new URL('..', import.meta.url).pathname;

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST_FILES.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return rank === -1 ? LONGEST_FILES.length : rank;
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    root: ROOT,
    include: ['test/**/*.test.ts'],
    // Node loads the tests and what they test, by the loader of the program: Vitest's own loader makes calls between modules slower.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: [...WORKER_OPTIONS, '--import', `${ROOT}src/base/load-typescript.mjs`],
    // Each import is also reported to Vitest's main process, for its watch mode. A report may still be on its way when a worker ends.
    onUnhandledError: ({ message }) => !message.includes('ensureModuleGraphEntry'),
    globalSetup: `${ROOT}test/temporary.mjs`,
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    isolate: false,
    maxWorkers: availableParallelism() + 1, // tests with child processes mostly wait
    // A test waits for events. The limit of half an hour is for events that never come, also on a machine that is ten times slower.
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
    teardownTimeout: TEST_LIMIT_MS, // until a worker has ended
  },
});
