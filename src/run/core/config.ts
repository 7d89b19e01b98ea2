// Reads and checks the configuration file of a run; every error names file, line and column.
import { type Document, isMap, isNode, LineCounter, parse, parseDocument } from 'yaml';
import { z } from 'zod';
import type { Millis } from '../../base/clock.ts';
import { messageOf, type Place, UserError } from '../../base/errors.ts';
import { readTextFile } from '../../base/files/text-file.ts';
import { suggestion } from '../../base/text/nearest.ts';
import { holdsKey } from '../../base/text/secrets.ts';
import { USUAL_POLLING } from '../../exchange/kit/streams/polling.ts';
import { amount } from '../../risk/amount.ts';
import { limitsSchema } from '../../risk/rules.ts';
import { ALERT_KINDS } from './alert-kinds.ts';

const MAX_BYTES = 256 * 1024;
const LEAST_INTERVAL = 20;

/** Poll intervals in milliseconds, and the limit on requests per second for all polls. */
const pollingSchema = z.strictObject({
  orderBookMs: every(USUAL_POLLING.orderBookMs),
  liveMs: every(USUAL_POLLING.liveMs),
  accountMs: every(USUAL_POLLING.accountMs),
  tradesMs: every(USUAL_POLLING.tradesMs),
  fillsMs: every(USUAL_POLLING.fillsMs),
  timeMs: every(USUAL_POLLING.timeMs),
  requestsPerSecond: amount({ preset: USUAL_POLLING.requestsPerSecond, min: 1 }),
});

/** Only for runs through a local process. */
const localSchema = z.strictObject({
  flagsAs: z.enum(['boolean', 'text'], { error: 'must be boolean or text' }).default('boolean'),
});

/** The listener for signals to the strategy; absent: none. */
const signalsSchema = z.strictObject({
  port: z.int('must be a port').min(0, 'must be a port').max(65_535, 'must be a port').optional(),
  tokenFile: z.string('must be the path of a file').optional(),
  maxAgeMs: amount({ preset: 300_000, min: 1 }),
});

/** How long what only a person reads is kept, in days. The turns of one run also have a limit in bytes (recording/turn-recorder.ts). */
const retentionSchema = z.strictObject({
  /** Ended runs of the embedded exchange, which nothing can continue. */
  runDays: amount({ preset: 7 }),
  /** Recordings of turns. */
  recordingDays: amount({ preset: 30 }),
});

/** Alerts of a run to a person. */
const notifySchema = z.strictObject({
  /** URLs of targets, or @FILE with one a line. */
  to: z.array(z.string('must be a URL or @FILE'), 'must be a list of URLs').default([]),
  /** Signs what webhooks get. */
  secretFile: z.string('must be the path of a file').optional(),
  kinds: z.array(z.enum(ALERT_KINDS, { error: `must be one of ${ALERT_KINDS.join(', ')}` })).default([...ALERT_KINDS]),
  /** Seconds after which an order without a definite answer is reported. */
  unknownAfterS: amount({ preset: 60 }),
  /** Share of a margin line at which the margin is reported. */
  marginShare: amount({ preset: 0.8, max: 1 }),
  /** Seconds that warnings and infos wait for each other. */
  groupS: amount({ preset: 30 }),
  mostAnHour: amount({ preset: 20, min: 1 }),
});

const configSchema = z.strictObject({
  strategy: z.string('must be a name or a path').optional(),
  params: z.record(z.string(), z.unknown()).default({}),
  limits: limitsSchema.prefault({}),
  polling: pollingSchema.prefault({}),
  local: localSchema.prefault({}),
  signals: signalsSchema.prefault({}),
  retention: retentionSchema.prefault({}),
  notify: notifySchema.prefault({}),
});
export type RunConfig = z.infer<typeof configSchema>;

type Path = readonly PropertyKey[];
type Part = 'key' | 'value';
type PlaceOf = (path: Path, part: Part) => Place | undefined;

export interface LoadedConfig extends RunConfig {
  /** Place of a parameter in the configuration; undefined for a default. */
  placeOfParam(name: string): Place | undefined;
}

/** Loads the configuration. `sets` are `path=value` texts that override the file; each value is parsed as YAML. Throws a UserError for anything wrong. */
export function loadConfig({ file, sets }: { file: string | undefined; sets: readonly string[] }): LoadedConfig {
  const source = file === undefined ? emptySource : readSource(file);
  const overrides = sets.map(parseSet);
  const given = overrides.reduce<unknown>((value, { path, value: set }) => withValue(value, path, set), source.value);
  const placeOf: PlaceOf = (path, part) => {
    const set = overrides.findLast((override) => reachesOneAnother(override.path, path));
    return set === undefined ? source.placeOf(path, part) : { file: `--set ${set.text}` };
  };
  const parsed = configSchema.safeParse(given ?? {});
  if (!parsed.success) throw complaint(parsed.error.issues, placeOf);
  return { ...parsed.data, placeOfParam: (name) => placeOf(['params', name], 'value') };
}

interface Source {
  readonly value: unknown;
  readonly placeOf: PlaceOf;
}

const emptySource: Source = { value: {}, placeOf: () => undefined };

function readSource(file: string): Source {
  const text = readText(file);
  const withKey = text.split('\n').findIndex(holdsKey);
  if (withKey >= 0) throw keyInConfig({ file, line: withKey + 1 });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const broken = document.errors[0] ?? document.warnings[0];
  if (broken !== undefined) throw invalid(`not valid YAML: ${broken.message}`, at(broken.pos[0]));
  try {
    return { value: plain(document.toJS({ maxAliasCount: 20 })), placeOf: (path, part) => at(offsetOf(document, path, part)) };
  } catch (error) {
    throw invalid(messageOf(error), { file });
  }
}

function readText(file: string): string {
  try {
    return readTextFile(file, MAX_BYTES);
  } catch (error) {
    throw new UserError({
      code: 'config',
      message: `the configuration ${file} cannot be read: ${messageOf(error)}`,
      hint: 'give the path of a YAML file to --config',
    });
  }
}

/** Offset of the node at a path, or of the nearest node that contains it. */
function offsetOf(document: Document, path: Path, what: Part): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true);
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === String(path[depth - 1])) : undefined;
    const node = what === 'key' || !isNode(pair?.value) ? pair?.key : pair.value;
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

/** Throws for keys that could change an object's prototype. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const key of Object.getOwnPropertyNames(value)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw new Error(`the key "${key}" is not allowed`);
    plain((value as Record<string, unknown>)[key]);
  }
  return value;
}

interface Override {
  readonly text: string;
  readonly path: readonly string[];
  readonly value: unknown;
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
    return { text, path, value };
  } catch (error) {
    throw invalid(messageOf(error), { file: `--set ${text}` });
  }
}

/** True if one path is a prefix of the other. */
const reachesOneAnother = (one: Path, other: Path): boolean =>
  one.every((key, depth) => depth >= other.length || String(key) === String(other[depth]));

function withValue(target: unknown, [head, ...rest]: readonly string[], value: unknown): unknown {
  if (head === undefined) return value;
  const map = typeof target === 'object' && target !== null ? (target as Record<string, unknown>) : {};
  return { ...map, [head]: withValue(map[head], rest, value) };
}

function complaint(issues: readonly z.core.$ZodIssue[], placeOf: PlaceOf): UserError {
  const issue = issues[0];
  if (issue === undefined) return invalid('not a configuration', undefined);
  if (issue.code !== 'unrecognized_keys') return invalid(`${issue.path.join('.')}: ${issue.message}`, placeOf(issue.path, 'value'));
  const key = issue.keys[0] ?? '';
  const hint = suggestion(key, keysAt(configSchema, issue.path));
  return invalid(
    `unknown key "${key}"${issue.path.length > 0 ? ` in ${issue.path.join('.')}` : ''}`,
    placeOf([...issue.path, key], 'key'),
    hint,
  );
}

/** Keys that a schema allows at a path. */
function keysAt(schema: z.core.$ZodType, path: Path): readonly string[] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return [];
  const [head, ...rest] = path;
  if (head === undefined) return Object.keys(inner.shape);
  const next = inner.shape[String(head)];
  return next === undefined ? [] : keysAt(next, rest);
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? unwrap(schema._zod.def.innerType)
    : schema;
}

const keyInConfig = (place: Place): UserError =>
  invalid('this looks like a key; a configuration must not contain keys', place, 'put the key in its own file: --key FILE');

const invalid = (message: string, place: Place | undefined, hint?: string): UserError =>
  new UserError({ code: 'config', message, place, hint });

function every(preset: Millis) {
  return amount({ preset, min: LEAST_INTERVAL });
}
