// The requests of the local process: JSON in an envelope, with `base/transport/json-request.ts`.
import type { z } from 'zod';
import type { Millis } from '../../../base/clock.ts';
import { assert } from '../../../base/errors.ts';
import { type RequestLine, sendOver } from '../../../base/transport/json-request.ts';
import type { Transport } from '../../../base/transport/transport.ts';
import type { NumberedPage } from './pages.ts';
import { answersAnotherRequest, type EnvelopeResult, openEnvelope } from './reply.ts';

export interface Requests {
  readonly read: <T>(path: string, shape: z.ZodType<T>) => Promise<T>;
  /** One page of a list. */
  readonly list: <T>(path: string, shape: z.ZodType<T[]>) => Promise<NumberedPage<T>>;
  /** A write: uses the timeout that a transaction needs, whatever the method. */
  readonly act: <T>(request: Omit<RequestLine, 'timeoutMs'>, shape: z.ZodType<T>) => Promise<T>;
  /** As in `Transport`. */
  readonly reset: (reason: string) => void;
}

export function requestsOver(transport: Transport, { readMs, writeMs }: { readMs: Millis; writeMs: Millis }): Requests {
  const send = sendOver(transport);
  const ask = <T>(request: RequestLine, shape: z.ZodType<T>): Promise<EnvelopeResult<T>> =>
    send({ ...request, what: `${request.method} ${request.path}` }, (reply, what) => {
      try {
        return openEnvelope(reply, { what, shape });
      } catch (error) {
        if (answersAnotherRequest(reply)) transport.reset?.(`${what} was answered with the answer to another request`);
        throw error;
      }
    });
  const get = <T>(path: string, shape: z.ZodType<T>): Promise<EnvelopeResult<T>> => ask({ method: 'GET', path, timeoutMs: readMs }, shape);
  return {
    read: async (path, shape) => (await get(path, shape)).result,
    list: async (path, shape) => {
      const { result, hasMoreData } = await get(path, shape);
      return { items: result, hasMoreData };
    },
    act: async (request, shape) => (await ask({ ...request, timeoutMs: writeMs }, shape)).result,
    reset: (reason) => transport.reset?.(reason),
  };
}

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
