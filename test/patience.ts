// How long a test waits for an event: what has not come by then never comes, however slow the machine.
export const PATIENCE_MS = 600_000;

/** For `vi.waitFor`, whose own limit of a second is too short for a busy machine. */
export const PATIENCE = { timeout: PATIENCE_MS, interval: 20 };
