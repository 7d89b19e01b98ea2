// The slowest test files. They start first, so that the workers end together. Vitest knows durations only after its first run on a machine.

/** Files that take 10 s or more, the slowest first, after one that must be the first of its worker. */
export const SLOW_FILES = [
  'story/long-run', // first in a new worker: it visits everything that it can reach, including modules that other files have loaded
  'unit/testing/check-shipped',
  'process/sweep',
  'process/sweep-queue',
  'process/cancel-all',
  'process/kills',
  'unit/testing/check',
  'story/spot/spot',
  'property/noise/noise',
  'process/ends',
  'process/download',
  'process/paper',
  'process/supervised',
  'process/terminal',
  'story/restart/start-check',
  'story/strategies/carry',
  'story/parity/run-parity-faults',
  'story/parity/run-parity',
  'unit/research/realism',
  'story/foreign/foreign',
  'incidents/unanswered',
];
