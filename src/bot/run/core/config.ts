// Reads and checks the configuration file of a run; every error names file, line and column.
import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf, type Place, UserError } from '../../../base/errors.ts';
import { amount } from '../../../base/files/amount.ts';
import {
  complaint,
  emptySource,
  invalid,
  keyInConfig,
  type PlaceOf,
  plain,
  readSource,
  type YamlPath,
} from '../../../base/files/yaml-source.ts';
import { holdsKey } from '../../../base/text/secrets.ts';
import { pollingSchema } from '../../exchange/kit/streams/polling.ts';
import { limitsSchema } from '../../risk/rules.ts';

// The kinds of alerts; each can be switched off in the configuration.

/**
 * `alarm`: a fault that must not occur. `mode`: a stricter mode. `unknown`: orders without an answer. `margin`: near a line. `run`: start and end.
 * `daily`: sums.
 */
export const ALERT_KINDS = ['alarm', 'mode', 'unknown', 'margin', 'run', 'daily'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Options of runs through a local process. */
const localSchema = z.strictObject({
  flagsAs: z.enum(['boolean', 'text'], { error: 'must be boolean or text' }).default('boolean'),
});

/** The listener for signals to the strategy. */
const signalsSchema = z.strictObject({
  port: z.int('must be a port').min(0, 'must be a port').max(65_535, 'must be a port').optional(),
  tokenFile: z.string('must be the path of a file').optional(),
  maxAgeMs: amount({ preset: 300_000, min: 1 }),
});

/** How long files that only people read are kept, in days. The turns of one run also have a limit in bytes (bot/run/state/turn-recorder.ts). */
const retentionSchema = z.strictObject({
  /** Ended runs of the embedded exchange, which nothing can continue. */
  runDays: amount({ preset: 7 }),
  /** Recordings of turns. */
  recordingDays: amount({ preset: 30 }),
});

/** Alerts of a run to a person. */
export const notifySchema = z.strictObject({
  /** URLs of targets, or @FILE with one per line. */
  to: z.array(z.string('must be a URL or @FILE'), 'must be a list of URLs').default([]),
  /** File with the secret that signs webhook bodies. */
  secretFile: z.string('must be the path of a file').optional(),
  kinds: z.array(z.enum(ALERT_KINDS, { error: `must be one of ${ALERT_KINDS.join(', ')}` })).default([...ALERT_KINDS]),
  /** Seconds after which an order without a definite answer is reported. */
  unknownAfterS: amount({ preset: 60 }),
  /** Share of a margin line at which the margin is reported. */
  marginShare: amount({ preset: 0.8, max: 1 }),
  /** Seconds for which warnings and infos are collected into one alert. */
  groupS: amount({ preset: 30 }),
  mostAnHour: amount({ preset: 20, min: 1 }),
});

const configSchema = z.strictObject({
  strategy: z.string('must be a name or a path').optional(),
  exchange: z.string('must be a name, a path or a package').optional(),
  params: z.record(z.string(), z.unknown()).default({}),
  limits: limitsSchema.prefault({}),
  polling: pollingSchema.prefault({}),
  local: localSchema.prefault({}),
  signals: signalsSchema.prefault({}),
  retention: retentionSchema.prefault({}),
  notify: notifySchema.prefault({}),
});
export type RunConfig = z.infer<typeof configSchema>;

export interface LoadedConfig extends RunConfig {
  /** Place of a parameter in the configuration; undefined for a default. */
  placeOfParam(name: string): Place | undefined;
  /** Place of `exchange` in the configuration. */
  readonly placeOfExchange: Place | undefined;
}

export interface ConfigOptions {
  readonly file: string | undefined;
  /** `path=value` texts that override the file; each value is parsed as YAML. */
  readonly sets: readonly string[];
  /** Values that override the file, and are overridden by `sets`. */
  readonly overrides?: readonly Override[] | undefined;
}

/** Loads the configuration. Throws a UserError for anything wrong. */
export function loadConfig({ file, sets, overrides: given = [] }: ConfigOptions): LoadedConfig {
  const source = file === undefined ? emptySource : readSource(file);
  const overrides = [...given, ...sets.map(parseSet)];
  const merged = overrides.reduce<unknown>((value, { path, value: set }) => withValue(value, path, set), source.value);
  const placeOf: PlaceOf = (path, part) => {
    const set = overrides.findLast((override) => isPrefixOfEither(override.path, path));
    return (set ?? source).placeOf(path, part);
  };
  const parsed = configSchema.safeParse(merged ?? {});
  if (!parsed.success) throw complaint(configSchema, parsed.error.issues, placeOf);
  return {
    ...parsed.data,
    placeOfParam: (name) => placeOf(['params', name], 'value'),
    placeOfExchange: placeOf(['exchange'], 'value'),
  };
}

/** A value that replaces the one of the file. */
export interface Override {
  readonly path: readonly string[];
  readonly value: unknown;
  /** Where a person wrote it. */
  readonly placeOf: PlaceOf;
}

function parseSet(text: string): Override {
  if (holdsKey(text)) throw keyInConfig({ file: '--set' });
  const split = text.indexOf('=');
  if (split <= 0)
    throw new UserError({ code: 'config', message: `--set ${text} has no "path=value"`, hint: 'for example --set params.levels=5' });
  try {
    const path = text.slice(0, split).split('.');
    const value = parse(text.slice(split + 1), { maxAliasCount: 0, logLevel: 'error' }) as unknown;
    plain([path.map((key) => Object.fromEntries([[key, true]])), value]);
    return { path, value, placeOf: () => ({ file: `--set ${text}` }) };
  } catch (error) {
    throw invalid(messageOf(error), { file: `--set ${text}` });
  }
}

/** True if one path is a prefix of the other. */
const isPrefixOfEither = (one: YamlPath, other: YamlPath): boolean =>
  one.every((key, depth) => depth >= other.length || String(key) === String(other[depth]));

function withValue(target: unknown, [head, ...rest]: readonly string[], value: unknown): unknown {
  if (head === undefined) return value;
  const map = typeof target === 'object' && target !== null ? (target as Record<string, unknown>) : {};
  return { ...map, [head]: withValue(map[head], rest, value) };
}
