// A transport to a handler in this process, with simulated latency: for deterministic tests.

import type { Clock, Millis } from '../src/base/clock.ts';
import { spanText } from '../src/base/text/duration.ts';
import { type Handler, type HttpReply, type Transport, TransportError } from '../src/base/transport/transport.ts';

/**
 * A request arrives after half the latency, is handled at once, and its reply takes the other half. A request that times out is executed
 * nevertheless, and its reply is lost. Errors of the handler are thrown out of the clock: a server's bug is not a network failure.
 */
export function inProcessTransport({ handler, clock, latencyMs }: { handler: Handler; clock: Clock; latencyMs: () => Millis }): Transport {
  let open = true;
  return {
    request(request, { timeoutMs, maxBytes }) {
      if (!open) return Promise.reject(new TransportError('notSent', 'the transport is closed'));
      const half = latencyMs() / 2;
      return new Promise<HttpReply>((resolve, reject) => {
        const stopTimer = clock.at(clock.now() + timeoutMs, () =>
          reject(new TransportError('noReply', `no reply within ${spanText(timeoutMs)}`)),
        );
        const deliver = (reply: HttpReply): void => {
          stopTimer();
          if (reply.body.length > maxBytes) reject(new TransportError('tooLarge', `the reply exceeds ${maxBytes} bytes`));
          else resolve(reply);
        };
        clock.at(clock.now() + half, () => {
          const reply = handler(request);
          clock.at(clock.now() + half, () => deliver(reply));
        });
      });
    },
    close() {
      open = false;
      return Promise.resolve();
    },
  };
}
