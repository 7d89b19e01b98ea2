// A process of the bot that can be killed at any moment, and its transport to an exchange that may lose replies.
import type { Clock } from '../../../src/base/clock.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../../src/base/transport/transport.ts';
import { inProcessTransport } from '../../in-process.ts';

interface ProcessParts {
  readonly clock: Clock;
  readonly transport: Transport;
}

/** Returns the clock and transport of a process. After `kill` its timers do not fire and no reply reaches it; requests already sent still arrive. */
export function killableProcess({ clock, transport }: ProcessParts): ProcessParts & { readonly kill: () => void } {
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

/** Returns an in-process transport to a server that may lose a reply. */
export function transportTo(
  handle: (request: HttpRequest) => HttpReply | undefined,
  network: { clock: Clock; latencyMs: () => number },
): Transport {
  const line = inProcessTransport({ handler: (request) => handle(request) ?? LOST, ...network });
  return {
    async request(request, limits) {
      const reply = await line.request(request, limits);
      if (reply === LOST) throw new TransportError('noReply', 'the reply was lost');
      return reply;
    },
    close: () => line.close(),
  };
}
