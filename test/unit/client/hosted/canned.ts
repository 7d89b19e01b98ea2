// A transport that answers from a list, and records its requests.
import type { HttpReply, HttpRequest, Transport } from '../../../../src/base/transport/transport.ts';
import { hostedClient } from '../../../../src/venues/client/hosted.ts';

type Canned = Partial<Omit<HttpReply, 'body'>> & { readonly body?: string | Uint8Array };

interface RecordedRequest extends HttpRequest {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export interface CannedClient {
  readonly client: ReturnType<typeof hostedClient>;
  readonly asked: readonly RecordedRequest[];
}

/** The n-th request gets the n-th reply; the last reply repeats. A string is a body with status 200. An Error rejects the request. */
export function clientOn(...replies: readonly (string | Canned | Error)[]): CannedClient {
  const asked: RecordedRequest[] = [];
  const transport: Transport = {
    request(request, limits) {
      const reply = replies[Math.min(asked.length, replies.length - 1)];
      asked.push({ ...request, ...limits });
      return reply instanceof Error
        ? Promise.reject(reply)
        : Promise.resolve(replyOf(typeof reply === 'string' ? { body: reply } : (reply ?? {})));
    },
    close: () => Promise.resolve(),
  };
  return { client: hostedClient({ transport }), asked };
}

const replyOf = ({ body = '', ...head }: Canned): HttpReply => ({
  status: 200,
  contentType: 'application/json',
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  ...head,
});
