// The test files that take longest. They start first, so that the workers end together; vitest knows durations only where it has run before.

/** Files that take ten seconds and more, the longest first. */
export const SLOW_FILES = [
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
