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
  // In the repository, imports of the package by its name resolve to its source.
  resolve: {
    alias: {
      'tickwright/testing': `${ROOT}src/testing.ts`,
      'tickwright/client': `${ROOT}src/client.ts`,
      'tickwright/venue-testing': `${ROOT}src/venue-testing.ts`,
      'tickwright/venue': `${ROOT}src/venue.ts`,
      tickwright: `${ROOT}src/index.ts`,
    },
  },
  test: {
    root: ROOT,
    include: ['test/**/*.test.ts'],
    execArgv: [...WORKER_OPTIONS],
    globalSetup: new URL('temporary.ts', import.meta.url).pathname,
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    isolate: false,
    maxWorkers: availableParallelism() + 1, // tests with child processes mostly wait
    // A test waits for events. The limit of half an hour is for events that never come, also on a machine that is ten times slower.
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
  },
});
