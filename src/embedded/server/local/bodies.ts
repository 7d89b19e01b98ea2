// Reads the fields of a JSON body. Every fault is a 400 that names the field and the expected value.

import { badRequest } from '../../../base/server/reply.ts';
import { JSON_LIMITS } from '../../../base/text/json.ts';
import { suggestion } from '../../../base/text/phrases.ts';
import type { HttpRequest } from '../../../base/transport/transport.ts';
import { WireError } from '../../../base/wire/framing.ts';
import { parseJson } from '../../../base/wire/json.ts';

/** The reader of each field. It gets undefined if the field is absent, and throws `RefusedRequest` if the value is invalid. */
interface Fields {
  readonly [field: string]: (value: unknown, name: string) => unknown;
}

/** Returns the fields of a body. Refuses unknown fields too, so that a client that writes `reduceonly` learns of its mistake. */
export function bodyOf<F extends Fields>({ body = new Uint8Array() }: HttpRequest, fields: F): { [K in keyof F]: ReturnType<F[K]> } {
  const sent = objectOf(body);
  for (const name of Object.keys(sent)) {
    if (!Object.hasOwn(fields, name)) throw badRequest(`unknown field "${name}": ${suggestion(name, Object.keys(fields))}`);
  }
  const read = Object.entries(fields).map(([name, reader]) => [name, reader(sent[name], name)]);
  return Object.fromEntries(read) as { [K in keyof F]: ReturnType<F[K]> };
}

function objectOf(body: Uint8Array): Record<string, unknown> {
  const value = parsed(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest('the body is not a JSON object');
  return value as Record<string, unknown>;
}

function parsed(body: Uint8Array): unknown {
  try {
    return parseJson(body, JSON_LIMITS.request);
  } catch (thrown) {
    throw thrown instanceof WireError ? badRequest(thrown.message) : thrown;
  }
}

export function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw wrong(name, value, 'a string');
  return value;
}

export const oneOf =
  <Choice extends string>(...choices: readonly Choice[]) =>
  (value: unknown, name: string): Choice => {
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) throw wrong(name, value, choices.map((choice) => `"${choice}"`).join(' or '));
    return chosen;
  };

export function positive(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) throw wrong(name, value, 'a positive number');
  return value;
}

export function positiveOrNull(value: unknown, name: string): number | undefined {
  return value === null ? undefined : positive(value, name);
}

/** Accepts a boolean, or `true` or `false` as text, which is all that some versions of the real process accepted. */
export function flag(value: unknown, name: string): boolean {
  if (value === undefined || value === false || value === 'false') return false;
  if (value === true || value === 'true') return true;
  throw wrong(name, value, 'true or false');
}

const LONGEST_ID = 100;

export function optionalId(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_ID)
    throw wrong(name, value, `null or a text of 1 to ${LONGEST_ID} characters`);
  return value;
}

function wrong(name: string, value: unknown, expected: string) {
  return badRequest(`${name} is ${value === undefined ? 'missing' : JSON.stringify(value).slice(0, 50)}; expected ${expected}`);
}
