// The kinds of alerts; each can be switched off in the configuration.

/**
 * `alarm`: a fault that must not occur. `mode`: a stricter mode. `unknown`: orders without an answer. `margin`: near a line. `run`: start and end.
 * `daily`: sums.
 */
export const ALERT_KINDS = ['alarm', 'mode', 'unknown', 'margin', 'run', 'daily'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];
