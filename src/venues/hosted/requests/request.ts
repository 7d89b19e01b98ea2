// Sends one request to the hosted exchange and validates its answer.
import type { z } from 'zod';
import type { Millis } from '../../../base/clock.ts';
import { JSON_LIMITS } from '../../../base/text/json.ts';
import type { HttpReply, HttpRequest, Transport } from '../../../base/transport.ts';
import type { ClientErrorKind } from '../../../exchange/kit/client-error.ts';
import { redirectText, replyTo, retryAfterMsIn } from '../../../exchange/kit/reply-to.ts';
import { unframe, WireError } from '../../../wire/framing.ts';
import { account, info, marketsLive, orderbook, readAs, timestamp, tradesPage } from '../../../wire/json/hosted.ts';
import { parseJson } from '../../../wire/json/json.ts';
import { HostedError } from './error.ts';

const SCHEMA_MAX_BYTES = 1024 * 1024;
const RECEIPT_MAX_BYTES = 128 * 1024;

export interface Requests {
  /** `mismatchIn` returns a description of the value if it can only belong to another request. */
  readonly json: <S extends z.ZodType>(
    path: string,
    shape: S,
    mismatchIn?: (value: z.output<S>) => string | undefined,
  ) => Promise<z.output<S>>;
  readonly text: (path: string) => Promise<string>;
  readonly action: (body: Uint8Array, timeoutMs: Millis) => Promise<Uint8Array>;
  /** As in `Transport`. */
  readonly reset: (reason: string) => void;
  readonly renew: () => void;
}

export function requestsOver(transport: Transport, readMs: Millis): Requests {
  const get = async (path: string, maxBytes: number): Promise<Uint8Array> => {
    const request: HttpRequest = { method: 'GET', path };
    const reply = await replyTo(transport, request, { what: nameOf(request), Failure: HostedError, timeoutMs: readMs, maxBytes });
    if (reply.status !== 200) throw statusError(request, reply);
    return reply.body;
  };
  const answers = new ParsedAnswers();
  const books = new NewestBodies();
  const misdelivered = (path: string, what: string): HostedError => {
    const message = `GET ${path} was answered with ${what}: all connections are closed`;
    transport.reset?.(message);
    return new HostedError({ kind: 'shape', message, status: 200 });
  };
  return {
    async json(path, shape, mismatchIn) {
      const body = await get(path, JSON_LIMITS.reply.maxBytes);
      if (BOOK.test(path) && !books.keep(path, body)) throw misdelivered(path, 'the order book of another market');
      const found = answers.of(shape, body, () => {
        const value = orHostedError('notJson', `GET ${path}`, () => parseJson(body, JSON_LIMITS.reply));
        try {
          return orHostedError('shape', `GET ${path}`, () => readAs(shape, value, 'the answer'));
        } catch (error) {
          if (fitsAnotherRequest(shape, value)) throw misdelivered(path, 'the answer to another request');
          throw error;
        }
      });
      const mismatch = mismatchIn?.(found);
      if (mismatch !== undefined) throw misdelivered(path, mismatch);
      return found;
    },
    reset: (reason) => transport.reset?.(reason),
    renew: () => transport.renew?.(),
    async text(path) {
      return new TextDecoder().decode(await get(path, SCHEMA_MAX_BYTES));
    },
    async action(body, timeoutMs) {
      const request: HttpRequest = { method: 'POST', path: '/action', body, contentType: 'application/octet-stream' };
      const reply = await replyTo(transport, request, {
        what: nameOf(request),
        Failure: HostedError,
        timeoutMs,
        maxBytes: RECEIPT_MAX_BYTES,
      });
      // Some servers send a receipt with an error status; the receipt is the better evidence.
      if (reply.status !== 200 && !isFrame(reply.body)) throw statusError(request, reply);
      return reply.body;
    },
  };
}

const BOOK = /^\/market\/\d+\/orderbook$/;

/** The shapes that a run polls; each has fields that no other one has. */
const POLLED_SHAPES = [account, info, marketsLive, orderbook, timestamp, tradesPage];

/** True if the value fits another request but not this one, for example because a proxy is one answer behind. */
const fitsAnotherRequest = (shape: z.ZodType, value: unknown): boolean =>
  POLLED_SHAPES.some((other) => other !== shape && other.safeParse(value).success) && !shape.safeParse(value).success;

/** Keeps the newest body of each path. Order books of two markets never have the same bytes, because each has its own update id. */
class NewestBodies {
  readonly #bodies = new Map<string, Uint8Array>();

  /** Keeps the body and returns true; returns false if it is the newest one of another path. */
  keep(path: string, body: Uint8Array): boolean {
    for (const [other, newest] of this.#bodies) if (other !== path && Buffer.compare(newest, body) === 0) return false;
    this.#bodies.set(path, body);
    return true;
  }
}

/** Number of kept answers per shape: lists of one shape are polled in turn (trades as maker, as taker, and of a few markets). */
const KEPT_PER_SHAPE = 4;

/** Caches the newest parsed answers. Most polled answers are unchanged: the same bytes return the same value, which is never modified. */
class ParsedAnswers {
  readonly #newest = new Map<z.ZodType, readonly { readonly body: Uint8Array; readonly value: unknown }[]>();

  of<S extends z.ZodType>(shape: S, body: Uint8Array, read: () => z.output<S>): z.output<S> {
    const known = this.#newest.get(shape) ?? [];
    const same = known.find((answer) => Buffer.compare(answer.body, body) === 0);
    if (same !== undefined) return same.value as z.output<S>;
    const value = read();
    this.#newest.set(shape, [{ body, value }, ...known.slice(0, KEPT_PER_SHAPE - 1)]);
    return value;
  }
}

const nameOf = ({ method, path }: HttpRequest): string => `${method} ${path}`;

function statusError(request: HttpRequest, reply: HttpReply): HostedError {
  const { status } = reply;
  return new HostedError({
    kind: status === 404 ? 'notFound' : 'http',
    message: `${nameOf(request)} answered ${status}${redirectText(status)}`,
    status,
    retryAfterMs: retryAfterMsIn(reply),
  });
}

function orHostedError<T>(kind: ClientErrorKind, what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new HostedError({ kind, message: `${what}: ${error.message}`, status: 200 });
  }
}

function isFrame(body: Uint8Array): boolean {
  try {
    unframe(body, { maxLength: RECEIPT_MAX_BYTES, trailing: 'refused' });
    return true;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return false;
  }
}
