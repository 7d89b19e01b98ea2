// Two transports with fixed replies, one in order and one by method and path. Both record their requests.
import type { HttpReply, HttpRequest, Transport } from '../../../../src/base/transport/transport.ts';
import { type LocalClient, type LocalClientOptions, localClient } from '../../../../src/venues/client/local/client.ts';

/** A string is a body with status 200. An object with `result` is put into the envelope of the API. */
export type Canned = string | Reply | Error | { readonly result: unknown; readonly hasMoreData?: unknown };

interface Reply {
  readonly status: number;
  readonly body: string | Uint8Array;
}

interface RecordedRequest {
  /** `GET /markets?page=0` */
  readonly line: string;
  readonly body: unknown;
  readonly request: HttpRequest;
  readonly limits: { readonly timeoutMs: number; readonly maxBytes: number };
}

interface Bench {
  readonly client: LocalClient;
  readonly asked: readonly RecordedRequest[];
  /** The requests, as lines. */
  readonly lines: () => readonly string[];
}

type Options = Omit<LocalClientOptions, 'transport'>;

/** The n-th request gets the n-th reply; the last reply repeats. */
export const clientOn = (replies: readonly Canned[], options: Options = {}): Bench =>
  bench((_, index) => replies[Math.min(index, replies.length - 1)] ?? '', options);

/** A request gets the reply of its method and path, without the query; without one, the error page of Express. */
export const clientOf = (routes: Readonly<Record<string, Canned>>, options: Options = {}): Bench =>
  bench((line) => routes[line.split('?')[0] ?? ''] ?? unrouted(line), options);

export const unrouted = (line: string): Reply => ({
  status: 404,
  body: `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot ${line}</pre>\n</body>\n</html>\n`,
});

/** The answer of the real process to every internal failure. */
export const crashed = (message: string): Reply => ({ status: 500, body: JSON.stringify({ message }) });

function bench(replyTo: (line: string, index: number) => Canned, options: Options): Bench {
  const asked: RecordedRequest[] = [];
  const transport: Transport = {
    request(request, limits) {
      const line = `${request.method} ${request.path}`;
      const canned = replyTo(line, asked.length);
      const body: unknown = request.body === undefined ? undefined : JSON.parse(new TextDecoder().decode(request.body));
      asked.push({ line, body, request, limits });
      return canned instanceof Error ? Promise.reject(canned) : Promise.resolve(httpReply(canned));
    },
    close: () => Promise.resolve(),
  };
  return { client: localClient({ ...options, transport }), asked, lines: () => asked.map(({ line }) => line) };
}

function httpReply(canned: Exclude<Canned, Error>): HttpReply {
  const { status, body } = typeof canned === 'string' ? { status: 200, body: canned } : 'status' in canned ? canned : enveloped(canned);
  return { status, contentType: 'application/json', body: typeof body === 'string' ? new TextEncoder().encode(body) : body };
}

const enveloped = (content: object): Reply => ({ status: 200, body: JSON.stringify({ success: true, ...content }) });

export async function allOf<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}
