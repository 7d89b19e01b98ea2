// The ways in which the process of a run can have ended.

/**
 * `killed`: a person, the watchdog or the machine ended it. `limit`: a limit of the run or of its fleet ended its trading. `failed`: an error, or
 * orders that are not proved gone.
 */
export const OUTCOMES = ['running', 'done', 'failed', 'killed', 'limit'] as const;
export type RunOutcome = (typeof OUTCOMES)[number];
