// The longest waits of a test, long enough for a slow machine: an event that has not come by then is taken as missing.
export const PATIENCE_MS = 600_000;

/** The limit of a whole test or hook, which waits for several events. */
export const TEST_LIMIT_MS = 3 * PATIENCE_MS;

/** Options for `vi.waitFor`, whose default limit of 1 s is too short for a busy machine. */
export const PATIENCE = { timeout: PATIENCE_MS, interval: 20 };
