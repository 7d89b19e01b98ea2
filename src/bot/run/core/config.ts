// Reads and checks the configuration file of a run; every error names file, line and column.
import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf, type Place, UserError } from '../../../base/errors.ts';
import {
  complaint,
  emptySource,
  invalid,
  keyInConfig,
  type PlaceOf,
  readSource,
  withPlainKeys,
  type YamlPath,
} from '../../../base/files/yaml-source.ts';
import { holdsKey } from '../../../base/text/secrets.ts';
import { limitsSchema } from '../../risk/rules.ts';
import { settingsSchema } from './settings.ts';

const { strategy, exchange, ...settings } = settingsSchema.shape;
const configSchema = z.strictObject({
  strategy,
  exchange,
  params: z.record(z.string(), z.unknown()).default({}),
  limits: limitsSchema.prefault({}),
  ...settings,
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
  const merged = overrides.reduce<unknown>((value, { path, value: set }) => changedAt(value, path, () => set), source.value);
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
    refuseUnsafeKeys(path, value);
    return { path, value, placeOf: () => ({ file: `--set ${text}` }) };
  } catch (error) {
    throw invalid(messageOf(error), { file: `--set ${text}` });
  }
}

/** Throws an error for a key such as `__proto__`, in the path or in the value, and for a value that is nested too deeply. */
function refuseUnsafeKeys(path: readonly string[], value: unknown): void {
  withPlainKeys([path.map((key) => Object.fromEntries([[key, true]])), value]);
}

/** True if one path is a prefix of the other. */
const isPrefixOfEither = (one: YamlPath, other: YamlPath): boolean =>
  one.every((key, depth) => depth >= other.length || String(key) === String(other[depth]));

/** Returns a copy of nested maps with the value at a path changed. */
export function changedAt(target: unknown, [head, ...rest]: readonly string[], change: (before: unknown) => unknown): unknown {
  if (head === undefined) return change(target);
  const map = typeof target === 'object' && target !== null ? (target as Record<string, unknown>) : {};
  return { ...map, [head]: changedAt(map[head], rest, change) };
}
