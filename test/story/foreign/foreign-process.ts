// The life of one process of the bot, which may end at any moment, and its line to an exchange that may lose replies.
import type { Clock } from '../../../src/base/clock.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../../src/base/transport.ts';
import { inProcessTransport } from '../../../src/exchange/transport/in-process.ts';

interface Life {
  readonly clock: Clock;
  readonly transport: Transport;
}

/** What a process may use while it lives. Once killed, no timer of it rings and no reply reaches it; what it has sent arrives all the same. */
export function lifeOf({ clock, transport }: Life): Life & { readonly kill: () => void } {
  let alive = true;
  const ifAlive =
    <Args extends readonly unknown[]>(run: (...args: Args) => void) =>
    (...args: Args): void => {
      if (alive) run(...args);
    };
  return {
    clock: { now: () => clock.now(), at: (when, run) => clock.at(when, ifAlive(run)), skipped: () => clock.skipped() },
    transport: {
      request: (request, limits) =>
        new Promise((resolve, reject) => void transport.request(request, limits).then(ifAlive(resolve), ifAlive(reject))),
      close: () => transport.close(),
    },
    kill: () => {
      alive = false;
    },
  };
}

const LOST: HttpReply = { status: 0, contentType: '', body: new Uint8Array() };

/** An in-process transport to a server that may lose a reply. */
export function lineTo(
  handle: (request: HttpRequest) => HttpReply | undefined,
  network: { clock: Clock; latencyMs: () => number },
): Transport {
  const line = inProcessTransport({ handler: (request) => handle(request) ?? LOST, ...network });
  return {
    async request(request, limits) {
      const reply = await line.request(request, limits);
      if (reply === LOST) throw new TransportError('noReply', 'the line went dead');
      return reply;
    },
    close: () => line.close(),
  };
}
