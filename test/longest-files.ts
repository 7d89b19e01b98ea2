// The test files that take longest. They start first, so that the workers end together. Vitest knows durations only after its first run on a machine.

/** Files that take 5 s or more, the longest first, after one that must be the first of its worker. */
export const LONGEST_FILES = [
  // of the slow suite
  'story/long-run.slow', // first in a new worker: it visits everything that it can reach, including modules that other files have loaded
  'process/kills.slow',
  'process/supervised.slow',
  'process/ends.slow',
  'process/sweep.slow',
  'unit/testing/check-shipped.slow',
  'process/terminal.slow',
  'process/sweep-queue.slow',
  'process/cancel-all.slow',
  'process/third-venue.slow',
  'process/parity.slow',
  'unit/simulation/recorded-failure.slow',
  'incidents/impossible-fills.slow',
  'unit/research/verdicts.slow',
  'unit/cli/run/run-local.slow',
  'process/download.slow',
  'process/restart.slow',
  'story/foreign/foreign-sockets.slow',
  'security/page-browser.slow',
  'story/foreign/foreign-local.slow',
  'story/hyperliquid.slow',
  'story/restart/start-check-local.slow',
  'story/third-venue.slow',
  'security/browser.slow',
  'security/canary.slow',
  // of the fast suite
  'story/restart/start-check',
  'incidents/races-run',
  'contract/venue',
  'story/parity/run-parity',
  'story/foreign/foreign',
  'unit/testing/check',
  'unit/venues/hosted-schema',
  'contract/local-time',
];
