// The configuration of a run without its limits and parameters. An option of the command line that gives one of these values too names its key, and has
// its type, check and default from here (program/common-options.ts).
import { z } from 'zod';
import { amount, port } from '../../../base/files/amount.ts';
import { pollingSchema } from '../../exchange/kit/streams/polling.ts';

/**
 * The kinds of alerts; each can be switched off. `alarm`: a fault that must not occur. `mode`: a stricter mode. `unknown`: orders without an answer.
 * `margin`: near a margin limit. `run`: start and end. `daily`: the totals of a day.
 */
export const ALERT_KINDS = ['alarm', 'mode', 'unknown', 'margin', 'run', 'daily'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Options of runs through a local process. */
const localSchema = z.strictObject({
  flagsAs: z.enum(['boolean', 'text'], { error: 'must be boolean or text' }).default('boolean'),
});

/** The listener for signals to the strategy. */
const signalsSchema = z.strictObject({
  port: port.optional(),
  tokenFile: z.string('must be the path of a file').optional(),
  maxAgeMs: amount({ preset: 300_000, min: 1 }),
});

/** Reads a number of days. */
function days(preset: number) {
  return amount({ preset, words: { what: 'a number of days', hint: 'write for example 7; 0 is everything that has ended' } });
}

/** How long files that only people read are kept, in days. The turns of one run also have a limit in bytes (bot/run/state/turn-recorder.ts). */
const retentionSchema = z.strictObject({
  /** Ended runs of the embedded exchange, which nothing can continue. */
  runDays: days(7),
  /** Recordings of turns. */
  recordingDays: days(30),
});

/** Alerts of a run to a person. */
export const notifySchema = z.strictObject({
  /** URLs of targets, or @FILE with one per line. */
  to: z.array(z.string('must be a URL or @FILE'), 'must be a list of URLs').default([]),
  /** File with the secret that signs webhook bodies. */
  secretFile: z.string('must be the path of a file').optional(),
  kinds: z
    .array(z.enum(ALERT_KINDS, { error: `must be one of ${ALERT_KINDS.join(', ')}` }), 'must be a list of kinds')
    .default([...ALERT_KINDS]),
  /** Seconds after which an order without a definite answer is reported. */
  unknownAfterS: amount({ preset: 60 }),
  /** Share of a margin line at which the margin is reported. */
  marginShare: amount({ preset: 0.8, max: 1 }),
  /** Seconds for which warnings and infos are collected into one alert. */
  groupS: amount({ preset: 30 }),
  mostAnHour: amount({ preset: 20, min: 1 }),
});

export const settingsSchema = z.strictObject({
  strategy: z.string('must be a name or a path').optional(),
  exchange: z.string('must be a name, a path or a package').optional(),
  polling: pollingSchema.prefault({}),
  local: localSchema.prefault({}),
  signals: signalsSchema.prefault({}),
  retention: retentionSchema.prefault({}),
  notify: notifySchema.prefault({}),
});
export type Settings = z.infer<typeof settingsSchema>;
