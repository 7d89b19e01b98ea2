// How long a test waits for an event: what has not come by then never comes, however slow the machine.
export const PATIENCE_MS = 600_000;

/** The limit of a whole test, or of what is done before and after it: it waits for several events. */
export const TEST_LIMIT_MS = 3 * PATIENCE_MS;

/** For `vi.waitFor`, whose own limit of a second is too short for a busy machine. */
export const PATIENCE = { timeout: PATIENCE_MS, interval: 20 };
