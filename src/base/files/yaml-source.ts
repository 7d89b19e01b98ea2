// Reads YAML files with the place of each key and value, so that errors name file, line and column.
import { type Document, isMap, isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { messageOf, type Place, UserError } from '../errors.ts';
import { MAX_DEPTH } from '../text/json.ts';
import { suggestion } from '../text/phrases.ts';
import { holdsKey } from '../text/secrets.ts';
import { schemaAt, unwrapped } from './amount.ts';
import { readNamedFile } from './text-file.ts';

const MAX_BYTES = 256 * 1024;

export type YamlPath = readonly PropertyKey[];
export type YamlPart = 'key' | 'value';
export type PlaceOf = (path: YamlPath, part: YamlPart) => Place | undefined;

export interface YamlSource {
  readonly value: unknown;
  readonly placeOf: PlaceOf;
}

export const emptySource: YamlSource = { value: {}, placeOf: () => undefined };

/** Throws a UserError `config` if the file cannot be read, is not YAML, or contains text that looks like a key. */
export function readSource(file: string, option = '--config'): YamlSource {
  const text = readNamedFile(file, {
    code: 'config',
    what: `the configuration ${file}`,
    hint: `give the path of a YAML file to ${option}`,
    maxBytes: MAX_BYTES,
  });
  const withKey = text.split('\n').findIndex(holdsKey);
  if (withKey >= 0) throw keyInConfig({ file, line: withKey + 1 });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const broken = document.errors[0] ?? document.warnings[0];
  if (broken !== undefined) {
    const hint = broken.code === 'TAB_AS_INDENT' ? 'indent with spaces' : undefined;
    throw invalid(`not valid YAML: ${broken.message}`, at(broken.pos[0]), hint);
  }
  try {
    return { value: withPlainKeys(document.toJS({ maxAliasCount: 20 })), placeOf: (path, part) => at(offsetOf(document, path, part)) };
  } catch (error) {
    throw invalid(messageOf(error), { file });
  }
}

/** Offset of the node at a path, or of the nearest node that contains it. */
function offsetOf(document: Document, path: YamlPath, what: YamlPart): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true);
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === String(path[depth - 1])) : undefined;
    const node = what === 'key' || !isNode(pair?.value) ? pair?.key : pair.value;
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

/** Returns the value. Throws for keys that could change an object's prototype, and for values that are nested too deep. */
export function withPlainKeys(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) throw new Error(`it is nested deeper than ${MAX_DEPTH} levels`);
  for (const key of Object.getOwnPropertyNames(value)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw new Error(`the key "${key}" is not allowed`);
    withPlainKeys((value as Record<string, unknown>)[key], depth + 1);
  }
  return value;
}

/** Returns the error for the first issue in a value of `schema`. */
export function complaint(schema: z.core.$ZodType, issues: readonly z.core.$ZodIssue[], placeOf: PlaceOf): UserError {
  const issue = issues[0];
  if (issue === undefined) return invalid('not a configuration', undefined);
  if (issue.code !== 'unrecognized_keys')
    return invalid(`${issue.path.join('.') || 'the configuration'}: ${messageFor(issue)}`, placeOf(issue.path, 'value'));
  const key = issue.keys[0] ?? '';
  const hint = suggestion(key, keysAt(schema, issue.path));
  return invalid(
    `unknown key "${key}"${issue.path.length > 0 ? ` in ${issue.path.join('.')}` : ''}`,
    placeOf([...issue.path, key], 'key'),
    hint,
  );
}

/** The message of an issue. Replaces that of zod for a missing map, which names JavaScript types. */
const messageFor = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_type' && (issue.expected === 'object' || issue.expected === 'record') && issue.message.startsWith('Invalid input')
    ? 'must be a map of keys and values, as in key: value'
    : issue.message;

/** Keys that a schema allows at a path. */
function keysAt(schema: z.core.$ZodType, path: YamlPath): readonly string[] {
  const found = schemaAt(schema, path);
  const map = found && unwrapped(found);
  return map instanceof z.ZodObject ? Object.keys(map.shape) : [];
}

export const keyInConfig = (place: Place): UserError =>
  invalid('this looks like a key that signs; a configuration must not contain one', place, 'put the key in its own file: --key FILE');

export const invalid = (message: string, place: Place | undefined, hint?: string): UserError =>
  new UserError({ code: 'config', message, place, hint });
