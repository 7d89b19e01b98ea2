// Sends one JSON request to an exchange and validates the answer.
import type { z } from 'zod';
import type { Millis } from '../clock.ts';
import { messageOf } from '../errors.ts';
import { JSON_LIMITS } from '../text/json.ts';
import { WireError } from '../wire/framing.ts';
import { parseJson } from '../wire/json.ts';
import { readAs } from '../wire/shapes.ts';
import { ClientError, type ClientErrorKind, redirectText, replyTo, retryAfterMsIn } from './client-error.ts';
import { type HttpReply, type HttpRequest, isRead, type Transport } from './transport.ts';

/** Statuses below 500 that do not prove a refusal: timeout, too early, rate limit. */
const NO_PROOF: ReadonlySet<number> = new Set([408, 425, 429]);

export interface RequestLine extends Omit<HttpRequest, 'body' | 'contentType' | 'reads'> {
  /** Sent as JSON; undefined properties are omitted. */
  readonly body?: unknown;
  readonly timeoutMs: Millis;
  /** The request, for messages: by default its method, and its path without the query, which may have a signature. */
  readonly what?: string | undefined;
}

/** One request, and the shape of its answer. */
export interface JsonRequest<S extends z.ZodType> extends RequestLine {
  readonly shape: S;
  /** Returns a description of the answer if it can only belong to another request, such as `the answer about order 7`; see `subjectMismatch`. */
  readonly mismatchIn?: ((answer: z.output<S>) => string | undefined) | undefined;
}

export interface SendOptions {
  /** Returns the headers that authenticate a request. It receives the bytes that are sent, as a signature needs them. */
  readonly sign?: ((request: HttpRequest) => Readonly<Record<string, string>>) | undefined;
  /**
   * Paths whose POST requests only read, such as `/info`: they use the connections of reads, and a paper run may send them. Never list a path that
   * also takes actions.
   */
  readonly reads?: readonly string[] | undefined;
}

/** How all requests of one client are signed, marked and refused. */
export interface JsonOptions extends SendOptions {
  /** Returns the exchange's reason from the body of an error. */
  readonly reasonIn: (body: unknown) => string | undefined;
  /** Shapes of which each has fields that no other one has: an answer that fits another of them than its own belongs to another request. */
  readonly distinct?: readonly z.ZodType[] | undefined;
}

/**
 * Returns a function that sends a request whose body is JSON, and returns what `read` makes of the reply. It rejects with a ClientError, or with the
 * error of `read`. After an action that was answered with an error later ones do not use its connection, because an error does not say which action it
 * answers.
 */
export const sendOver =
  (transport: Transport, { sign, reads = [] }: SendOptions = {}) =>
  async <T>(line: RequestLine, read: (reply: HttpReply, what: string) => T): Promise<T> => {
    const { method, path, headers, ownConnection, body, timeoutMs } = line;
    const query = path.indexOf('?');
    const resource = query === -1 ? path : path.slice(0, query);
    const what = line.what ?? `${method} ${resource}`;
    // Each field is named: copying the rest of an object, or adding fields after `...`, takes up to a microsecond a field.
    const unsigned: HttpRequest = {
      method,
      path,
      headers,
      ownConnection,
      body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
      contentType: body === undefined ? undefined : 'application/json',
      reads: method === 'POST' && reads.includes(resource) ? true : undefined,
    };
    const request: HttpRequest = sign === undefined ? unsigned : { ...unsigned, headers: { ...headers, ...sign(unsigned) } };
    let reply: HttpReply | undefined;
    try {
      reply = await replyTo(transport, request, { what, timeoutMs, maxBytes: JSON_LIMITS.reply.maxBytes });
      return read(reply, what);
    } catch (error) {
      if (!isRead(request)) transport.renew?.(reply?.body);
      throw error;
    }
  };

/**
 * Returns a function that sends a request and returns its validated answer. It rejects with a ClientError. An answer to another request means that a
 * proxy is one answer behind, so all connections are closed.
 */
export function jsonOver(transport: Transport, { sign, reads, ...options }: JsonOptions) {
  const send = sendOver(transport, { sign, reads });
  const tools: AnswerTools = { ...options, answers: new ParsedAnswers(), reset: (reason) => transport.reset?.(reason) };
  return <S extends z.ZodType>(request: JsonRequest<S>): Promise<z.output<S>> =>
    send(request, (reply, what) => answerIn(reply, { tools, what, request }));
}

interface AnswerTools extends Omit<JsonOptions, 'sign' | 'reads'> {
  readonly answers: ParsedAnswers;
  readonly reset: (reason: string) => void;
}

function answerIn<S extends z.ZodType>(
  reply: HttpReply,
  { tools, what, request }: { tools: AnswerTools; what: string; request: Pick<JsonRequest<S>, 'shape' | 'mismatchIn'> },
): z.output<S> {
  const { reasonIn, distinct = [], answers, reset } = tools;
  const { shape, mismatchIn } = request;
  const { status } = reply;
  if (status < 200 || status > 299) throw statusError(reply, { what, reason: reasonIn(parsedOrNothing(reply)) });
  const read = <T>(kind: ClientErrorKind, parse: () => T): T => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      throw new ClientError({ kind, status, message: `${what}: ${error.message}` });
    }
  };
  const misdelivered = (named: string): ClientError => {
    const message = `${what} was answered with ${named}: all connections are closed`;
    reset(message);
    return new ClientError({ kind: 'shape', status, message });
  };
  const answer = answers.of(shape, reply.body, () => {
    const value = read('notJson', () => parseJson(reply.body, JSON_LIMITS.reply));
    try {
      return read('shape', () => readAs(shape, value, 'the answer'));
    } catch (error) {
      if (distinct.some((other) => other !== shape && other.safeParse(value).success)) throw misdelivered('the answer to another request');
      throw error;
    }
  });
  const mismatch = mismatchIn?.(answer);
  if (mismatch !== undefined) throw misdelivered(mismatch);
  return answer;
}

/** Returns a `mismatchIn` that compares the subject that an answer names, such as an order id, with the wanted one. */
export const subjectMismatch =
  <T>(subject: string, wanted: string, namedBy: (answer: T) => string) =>
  (answer: T): string | undefined => {
    const named = namedBy(answer);
    return named === wanted ? undefined : `the answer about ${subject} ${named}`;
  };

/** Returns the result of `convert`, the conversion of an answer. Its errors become `shape` errors, so that no partly valid answer is used. */
export function validated<T>(what: string, convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    throw new ClientError({ kind: 'shape', message: `${what}: ${messageOf(error)}` });
  }
}

/** Returns the error of an answer with a status that is no success. */
export function statusError(reply: HttpReply, { what, reason }: { what: string; reason?: string | undefined }): ClientError {
  const { status } = reply;
  const kind = statusKind(status, reason);
  const message = `${what} answered ${status}${redirectText(status)}${reason === undefined ? '' : `: ${reason}`}`;
  return new ClientError({ kind, status, reason, message, retryAfterMs: retryAfterMsIn(reply) });
}

function statusKind(status: number, reason: string | undefined): ClientErrorKind {
  if (status === 404) return 'notFound';
  const provesRefusal = status >= 400 && status < 500 && !NO_PROOF.has(status);
  return provesRefusal && reason !== undefined ? 'refused' : 'http';
}

function parsedOrNothing({ body }: HttpReply): unknown {
  try {
    return parseJson(body, JSON_LIMITS.reply);
  } catch {
    return undefined;
  }
}

/** Number of kept answers per shape: lists of one shape are polled in turn (trades as maker, as taker, and of a few markets). */
const KEPT_PER_SHAPE = 4;

/** Keeps the newest parsed answers, because most polled answers are unchanged. Returns the same value for the same bytes; it must never be modified. */
class ParsedAnswers {
  readonly #newest = new WeakMap<z.ZodType, readonly { readonly body: Uint8Array; readonly value: unknown }[]>();

  of<S extends z.ZodType>(shape: S, body: Uint8Array, read: () => z.output<S>): z.output<S> {
    const known = this.#newest.get(shape) ?? [];
    const same = known.find((answer) => Buffer.compare(answer.body, body) === 0);
    if (same !== undefined) return same.value as z.output<S>;
    const value = read();
    this.#newest.set(shape, [{ body, value }, ...known.slice(0, KEPT_PER_SHAPE - 1)]);
    return value;
  }
}
