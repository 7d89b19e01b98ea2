// A transport that answers from a list, and records its requests.
import type { HttpReply, HttpRequest, Transport } from '../../../../../src/base/transport.ts';
import { hostedClient } from '../../../../../src/exchange/hosted/client/client.ts';

type Canned = Partial<Omit<HttpReply, 'body'>> & { readonly body?: string | Uint8Array };

interface Asked extends HttpRequest {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export interface CannedClient {
  readonly client: ReturnType<typeof hostedClient>;
  readonly asked: readonly Asked[];
}

/** The n-th request gets the n-th reply, a body of text being JSON with status 200; all after the last get the last again. An error is thrown. */
export function clientOn(...replies: readonly (string | Canned | Error)[]): CannedClient {
  const asked: Asked[] = [];
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
