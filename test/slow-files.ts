// The test files that take longest. They start first, so that the workers end together; vitest knows durations only where it has run before.

/** The first has a reason of its own; then the files that take ten seconds and more, the longest first. */
export const SLOW_FILES = [
  'story/long-run', // first, so that its worker is new: it walks all that it can reach, also the modules that other files have loaded
  'unit/testing/check-shipped',
  'process/sweep',
  'process/sweep-queue',
  'process/cancel-all',
  'process/kills',
  'unit/testing/check',
  'story/spot/spot',
  'process/ends',
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
