// Replies of a fake exchange with one thing changed: a field that is missing or new, or another subject.
import { JSON_LIMITS } from '../../../base/text/json.ts';
import type { HttpReply } from '../../../base/transport/transport.ts';
import { parseJson } from '../../../base/wire/json.ts';
import type { Mishap } from './line.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Path = readonly (string | number)[];

const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const childrenOf = (value: Json): readonly (readonly [string | number, Json])[] => {
  if (Array.isArray(value)) return (value as readonly Json[]).slice(0, 1).map((item) => [0, item] as const); // rows are alike
  return isObject(value) ? Object.entries(value) : [];
};

/** The paths of all fields of objects; of a list, those of its first row. */
export const fieldsOf = (value: Json, at: Path = []): readonly Path[] =>
  childrenOf(value).flatMap(([name, child]) => {
    const path = [...at, name];
    return [...(typeof name === 'string' ? [path] : []), ...fieldsOf(child, path)];
  });

/** Returns the value with what `change` makes of the part at a path; undefined removes it. */
function changed(value: Json, [name, ...rest]: Path, change: (part: Json) => Json | undefined): Json | undefined {
  if (name === undefined) return change(value);
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return items.map((item, index) => (index === name ? (changed(item, rest, change) ?? null) : item));
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, child]): readonly (readonly [string, Json])[] => {
    const made = key === name ? changed(child, rest, change) : child;
    return made === undefined ? [] : [[key, made]];
  });
  return Object.fromEntries(entries);
}

export const withoutField = (value: Json, path: Path): Json => changed(value, path, () => undefined) ?? null;
export const withField = (value: Json, path: Path, made: Json): Json => changed(value, path, () => made) ?? null;

/** Every object gets a field that no exchange has. */
export function withNewFields(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withNewFields);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, child]) => [name, withNewFields(child)] as const);
  return { ...Object.fromEntries(entries), addedLaterByTheExchange: 1 };
}

/** Replaces a text wherever it is a whole value or a name, and the number that it writes. */
export function withOther(value: Json, text: string, other: string): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => withOther(item, text, other));
  if (isObject(value)) {
    const entries = Object.entries(value).map(([name, child]) => [name === text ? other : name, withOther(child, text, other)] as const);
    return Object.fromEntries(entries);
  }
  if (typeof value === 'number' && String(value) === text) return Number(other);
  return value === text ? other : value;
}

export function jsonIn({ body }: HttpReply): Json | undefined {
  try {
    return parseJson(body, JSON_LIMITS.reply) as Json;
  } catch {
    return undefined;
  }
}

export const replyWith = (reply: HttpReply, value: Json): HttpReply => ({
  ...reply,
  body: new TextEncoder().encode(JSON.stringify(value)),
});

/** A mishap that changes the JSON of each reply with a success. */
export const changing =
  (change: (value: Json) => Json): Mishap =>
  (_request, pass) => {
    const reply = pass();
    const value = jsonIn(reply);
    return value === undefined || reply.status >= 300 ? reply : replyWith(reply, change(value));
  };

const text = (status: number, body: string, contentType = 'text/html'): HttpReply => ({
  status,
  contentType,
  body: new TextEncoder().encode(body),
});

/** Answers that say nothing about what became of a request. `refusal` is a body with which the exchange refuses. */
export const unreadableReplies = (refusal: string | undefined): Readonly<Record<string, HttpReply>> => ({
  'status 500': text(500, '<h1>Internal error</h1>'),
  'status 502': text(502, '<h1>Bad gateway</h1>'),
  'status 503 with a refusal in it': text(503, refusal ?? '{"error":"busy"}', 'application/json'),
  'status 429': text(429, '<h1>Too many requests</h1>'),
  'status 429 with a refusal in it': text(429, refusal ?? '{"error":"busy"}', 'application/json'),
  'status 408': text(408, refusal ?? '{"error":"timeout"}', 'application/json'),
  'a success that is HTML': text(200, '<!doctype html><h1>Welcome</h1>'),
  'a success without a body': text(200, ''),
  'a success that is {}': text(200, '{}', 'application/json'),
  'a success that is []': text(200, '[]', 'application/json'),
  'a success that is null': text(200, 'null', 'application/json'),
});
