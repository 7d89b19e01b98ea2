// Sends one request to the local process, once.
import type { z } from 'zod';
import { assert } from '../../../base/assert.ts';
import type { Millis } from '../../../base/clock.ts';
import { JSON_LIMITS } from '../../../base/text/json.ts';
import type { HttpRequest, Transport } from '../../../base/transport.ts';
import { replyTo } from '../../../exchange/kit/reply-to.ts';
import { LocalError } from './error.ts';
import type { NumberedPage } from './pages.ts';
import { answersAnotherRequest, type EnvelopeResult, openEnvelope } from './reply.ts';

export interface WriteRequest {
  readonly method: HttpRequest['method'];
  readonly path: string;
  /** Sent as JSON; undefined properties are omitted. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

export interface Requests {
  readonly read: <T>(path: string, shape: z.ZodType<T>) => Promise<T>;
  /** One page of a list. */
  readonly list: <T>(path: string, shape: z.ZodType<T[]>) => Promise<NumberedPage<T>>;
  /** A write: uses the timeout that a transaction needs, whatever the method. */
  readonly act: <T>(writeRequest: WriteRequest, shape: z.ZodType<T>) => Promise<T>;
  /** As in `Transport`. */
  readonly reset: (reason: string) => void;
}

export function requestsOver(transport: Transport, { readMs, writeMs }: { readMs: Millis; writeMs: Millis }): Requests {
  const ask = async <T>(
    request: HttpRequest,
    { shape, timeoutMs }: { shape: z.ZodType<T>; timeoutMs: Millis },
  ): Promise<EnvelopeResult<T>> => {
    const what = `${request.method} ${request.path}`;
    const reply = await replyTo(transport, request, { what, Failure: LocalError, timeoutMs, maxBytes: JSON_LIMITS.reply.maxBytes });
    try {
      return openEnvelope(reply, { what, shape });
    } catch (error) {
      if (answersAnotherRequest(reply)) transport.reset?.(`${what} was answered with the answer to another request`);
      // a refusal has no fields to compare, so the next action uses a connection where no older answer can be pending
      else if (request.method !== 'GET') transport.renew?.();
      throw error;
    }
  };
  const get = <T>(path: string, shape: z.ZodType<T>): Promise<EnvelopeResult<T>> =>
    ask({ method: 'GET', path }, { shape, timeoutMs: readMs });
  return {
    read: async (path, shape) => (await get(path, shape)).result,
    list: async (path, shape) => {
      const { result, hasMoreData } = await get(path, shape);
      return { items: result, hasMoreData };
    },
    act: async ({ method, path, body }, shape) =>
      (await ask({ method, path, ...(body && json(body)) }, { shape, timeoutMs: writeMs })).result,
    reset: (reason) => transport.reset?.(reason),
  };
}

const json = (body: object): Pick<HttpRequest, 'body' | 'contentType'> => ({
  body: new TextEncoder().encode(JSON.stringify(body)),
  contentType: 'application/json',
});

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns a path such as `/markets/BTC%2FUSDC/trades?page=0`: segments and values are encoded, undefined parameters left out. */
export function pathOf(segments: readonly string[], parameters: Parameters = {}): string {
  for (const segment of segments) assert(!/^\.{0,2}$/.test(segment), `"${segment}" cannot be part of a path`);
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  const path = `/${segments.map(encodeURIComponent).join('/')}`;
  return given.length === 0 ? path : `${path}?${given.join('&')}`;
}
