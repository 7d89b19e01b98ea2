// The exchange at the other end of the network, and one that reports its answers to the streams.
import type { HttpReply, HttpRequest } from '../../../../base/transport/transport.ts';
import type { StreamSource } from './stream-lines.ts';

/** Answers now or later, with undefined if nothing listens there. */
export type Server = (request: HttpRequest, answer: (reply: HttpReply | undefined) => void) => void;

/** Returns the server; each of its answers is reported to the streams. */
export function notifying(server: Server, streams: StreamSource | undefined): Server {
  if (streams === undefined) return server;
  return (request, answer) =>
    server(request, (reply) => {
      answer(reply);
      if (reply !== undefined) streams.answered(request);
    });
}
