// The servers' answers: JSON with plain numbers, bytes, and refusals that a handler may throw.
import { Decimal } from 'decimal.js';
import { assert } from '../errors.ts';
import type { HttpReply } from '../transport/transport.ts';

/** A value to be written as JSON; a bigint becomes a JSON number with all its digits, an undefined property is left out. */
export type Json = null | boolean | number | bigint | string | WrittenJson | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A part of many answers, written once. */
export class WrittenJson {
  readonly text: string;

  constructor(value: Json) {
    this.text = Buffer.from(jsonText(value)).toString(); // a copy in one piece: each answer would join the concatenated pieces again
  }
}

const encoder = new TextEncoder();

export const bytesReply = (contentType: string, body: Uint8Array): HttpReply => ({ status: 200, contentType, body });
export const textReply = (text: string): HttpReply => bytesReply('text/plain; charset=utf-8', encoder.encode(text));

export const jsonReply = (body: Json, status = 200): HttpReply => ({
  status,
  contentType: 'application/json',
  body: encoder.encode(jsonText(body)),
});

/** Thrown from any depth of a handler for a request that cannot be served; the client gets `body`. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly status: number;
  readonly body: Json;

  constructor(status: number, body: Json) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** Returns a reply as the text of an HTTP response that closes the connection, for sockets without a response object. `status`: `404 Not Found`. */
export function responseText(status: string, { contentType, body }: HttpReply): string {
  const head = [`HTTP/1.1 ${status}`, 'connection: close', `content-type: ${contentType}`, `content-length: ${body.length}`];
  return `${head.join('\r\n')}\r\n\r\n${Buffer.from(body).toString()}`;
}

/** Converts the body of a refusal to the API's format. */
export type WriteRefusal = (body: Json) => Json;
export const unchanged: WriteRefusal = (body) => body;

/** The body of a 500. */
export const INTERNAL_ERROR = { message: 'internal server error; the log has the details' };

export const badRequest = (message: string): RefusedRequest => new RefusedRequest(400, { message });

/** Returns JSON whose numbers have no exponent, because some clients read prices as decimal text. */
export const jsonText = (value: Json): string => valueText(value, new Map());

/** `names` has the properties of the same text as they are written, because rows have the same ones and writing one takes longer than finding it. */
function valueText(value: Json, names: Map<string, string>): string {
  if (typeof value === 'number') return plainNumber(value);
  if (value === null) return 'null';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof WrittenJson) return value.text;
  return isList(value) ? listText(value, names) : objectText(value, names);
}

/** Concatenates text, because an array of parts for each object would be slower, and replies are written many times a second. */
function listText(parts: readonly Json[], names: Map<string, string>): string {
  let text = '[';
  for (const part of parts) {
    if (text.length > 1) text += ',';
    text += valueText(part, names);
  }
  return `${text}]`;
}

function objectText(value: { readonly [key: string]: Json | undefined }, names: Map<string, string>): string {
  let text = '{';
  for (const key in value) {
    const member = value[key];
    if (member === undefined) continue;
    let name = names.get(key);
    if (name === undefined) names.set(key, (name = `${JSON.stringify(key)}:`));
    if (text.length > 1) text += ',';
    text += name;
    text += valueText(member, names);
  }
  return `${text}}`;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** `String` writes numbers between these without an exponent. */
const [SMALLEST_PLAIN, FIRST_LARGE] = [1e-6, 1e21];

function plainNumber(value: number): string {
  const size = Math.abs(value);
  if (Number.isSafeInteger(value) || (size >= SMALLEST_PLAIN && size < FIRST_LARGE)) return String(value);
  assert(Number.isFinite(value), `${value} cannot be written as JSON`);
  return new Decimal(value).toFixed();
}
