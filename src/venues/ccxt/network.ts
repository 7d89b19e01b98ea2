// Sends the requests of ccxt over transports of this program (`base/transport/`): with its limits of time, size and JSON, without redirects, and only reads
// unless the caller allows more.
import type { Millis } from '../../base/clock.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { JsonError, type JsonLimits, readJsonText } from '../../base/text/json.ts';
import { replyTo } from '../../base/transport/client-error.ts';
import { statusError } from '../../base/transport/json-request.ts';
import type { HttpRequest, Transport } from '../../base/transport/transport.ts';
import type { CcxtExchange, FetchImplementation, FetchRequest } from './library.ts';

/** Lists of thousands of markets come in one answer. */
const LIMITS: JsonLimits = { maxBytes: 64 << 20, maxDepth: 32, maxValues: 5_000_000 };
const TIMEOUT: Millis = 10_000;
/** The statuses by which an exchange asks for fewer requests. Their Retry-After is obeyed. */
const SLOWER: ReadonlySet<number> = new Set([418, 429, 503]);

/** By exchange, the paths that only read although they are asked by POST. */
const READS: Readonly<Record<string, readonly string[]>> = { hyperliquid: ['/info'] };

/** True for a POST that is known to change nothing. */
const isKnownRead = ({ id }: Pick<CcxtExchange, 'id'>, path: string): boolean => READS[id]?.includes(path) ?? false;

/**
 * `transportTo` returns the transport to an origin. `mayPost` says which paths may be asked by POST; by default those that are known to only read. Each
 * request rejects with a ClientError, or with the error that ccxt makes of the answer.
 */
export function sendOver(
  exchange: CcxtExchange,
  transportTo: (origin: string) => Transport,
  mayPost = (path: string): boolean => isKnownRead(exchange, path),
): void {
  const send: FetchImplementation = async (address, asked) => {
    const { origin, pathname, search } = new URL(address);
    const request = requestOf(asked, { path: `${pathname}${search}`, isRead: mayPost(pathname) });
    const what = `${request.method} ${pathname}`;
    if (request.method !== 'GET' && request.reads === undefined) throw notARead(exchange.id, what);
    const reply = await replyTo(transportTo(origin), request, { what, timeoutMs: TIMEOUT, maxBytes: LIMITS.maxBytes });
    if (SLOWER.has(reply.status) || (reply.status >= 300 && reply.status < 400)) throw statusError(reply, { what });
    return {
      status: reply.status,
      statusText: '',
      headers: { 'content-type': reply.contentType },
      text: async () => new TextDecoder().decode(reply.body),
    };
  };
  exchange.fetchImplementation = send;
  boundJson(exchange);
}

const isType = (name: string): boolean => name.toLowerCase() === 'content-type';

function requestOf({ method, headers = {}, body }: FetchRequest, { path, isRead }: { path: string; isRead: boolean }): HttpRequest {
  return {
    method: method as HttpRequest['method'],
    path,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !isType(name))),
    contentType: Object.entries(headers).find(([name]) => isType(name))?.[1],
    ...(body !== undefined && { body: new TextEncoder().encode(body) }),
    ...(method === 'POST' && isRead && { reads: true as const }),
  };
}

const notARead = (exchange: string, what: string): UserError =>
  new UserError({
    code: 'exchange',
    message: `${exchange} is asked for its public data by ${what}; a paper run sends only requests that are known to change nothing`,
    hint: 'choose another exchange',
  });

/** Numbers beyond 2^53 are left to the parser of ccxt, which keeps their digits as text. */
function boundJson(exchange: CcxtExchange): void {
  const parse = exchange.parseJson?.bind(exchange);
  exchange.parseJson = (text) => {
    try {
      const { value, hasLongNumber } = readJsonText(text, LIMITS);
      return hasLongNumber && parse !== undefined ? parse(text) : value;
    } catch (error) {
      if (error instanceof JsonError && error.fault === 'syntax') return undefined;
      throw new Error(`an answer of ${exchange.id} is not used: ${messageOf(error)}`, { cause: error });
    }
  };
}
