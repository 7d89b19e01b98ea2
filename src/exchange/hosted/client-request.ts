// One request to the hosted exchange, and the check of what came back.
import type { ZodType } from 'zod';
import { type Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../base/transport.ts';
import { unframe, WireError } from '../../wire/framing.ts';
import { parseJson } from '../../wire/json.ts';
import { HostedError } from './client-error.ts';

const JSON_LIMITS = { maxBytes: 2 * 1024 * 1024, maxDepth: 32 };
const SCHEMA_MAX_BYTES = 1024 * 1024;
const RECEIPT_MAX_BYTES = 128 * 1024;

export interface Requests {
  json<T>(path: string, shape: ZodType<T>): Promise<T>;
  schemaText(): Promise<string>;
  action(body: Uint8Array, timeoutMs: Millis): Promise<Uint8Array>;
}

export function requestsOver(transport: Transport, readMs: Millis): Requests {
  const get = async (path: string, maxBytes: number): Promise<Uint8Array> => {
    const request: HttpRequest = { method: 'GET', path };
    const reply = await replyTo(transport, request, { timeoutMs: readMs, maxBytes });
    if (reply.status !== 200) throw statusError(request, reply);
    return reply.body;
  };
  return {
    json: async (path, shape) => checked(path, await get(path, JSON_LIMITS.maxBytes), shape),
    schemaText: async () => textOf('/schema.proto', await get('/schema.proto', SCHEMA_MAX_BYTES)),
    async action(body, timeoutMs) {
      const request: HttpRequest = { method: 'POST', path: '/action', body, contentType: 'application/octet-stream' };
      const reply = await replyTo(transport, request, { timeoutMs, maxBytes: RECEIPT_MAX_BYTES });
      // Some servers put a receipt under a status of failure; the receipt is the better evidence.
      if (reply.status !== 200 && !isFrame(reply.body)) throw statusError(request, reply);
      return reply.body;
    },
  };
}

async function replyTo(transport: Transport, request: HttpRequest, limits: { timeoutMs: Millis; maxBytes: number }): Promise<HttpReply> {
  try {
    return await transport.request(request, limits);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    throw new HostedError({ kind: error.kind, message: `${nameOf(request)}: ${error.message}` });
  }
}

const nameOf = ({ method, path }: HttpRequest): string => `${method} ${path}`;

function statusError(request: HttpRequest, { status, retryAfter }: HttpReply): HostedError {
  const redirected = status >= 300 && status < 400 ? ', a redirect, which is not followed' : '';
  return new HostedError({
    kind: status === 404 ? 'notFound' : 'http',
    message: `${nameOf(request)} answered ${status}${redirected}`,
    status,
    retryAfterMs: retryAfter === undefined ? undefined : retryAfter * 1_000,
  });
}

function checked<T>(path: string, body: Uint8Array, shape: ZodType<T>): T {
  const result = shape.safeParse(parsed(path, body));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'the answer' : issue.path.join('.');
  throw new HostedError({ kind: 'shape', message: `GET ${path}: ${where}: ${issue?.message ?? 'unexpected'}`, status: 200 });
}

function parsed(path: string, body: Uint8Array): unknown {
  try {
    return parseJson(body, JSON_LIMITS);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new HostedError({ kind: 'notJson', message: `GET ${path}: ${error.message}`, status: 200 });
  }
}

function textOf(path: string, body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    throw new HostedError({ kind: 'shape', message: `GET ${path}: the answer is not UTF-8 text: ${messageOf(error)}`, status: 200 });
  }
}

function isFrame(body: Uint8Array): boolean {
  try {
    unframe(body, { maxLength: RECEIPT_MAX_BYTES, trailing: 'refused' });
    return true;
  } catch {
    return false;
  }
}
