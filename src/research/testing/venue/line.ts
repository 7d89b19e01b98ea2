// The connection of an adapter to a fake exchange: HTTP and sockets on virtual time, with the fault of a check, and a record of what was sent.
import type { Clock, Millis } from '../../../base/clock.ts';
import {
  type Dial,
  type HttpReply,
  type HttpRequest,
  type SocketListener,
  type Transport,
  TransportError,
} from '../../../base/transport/transport.ts';
import type { FakeExchange, FakeSocket } from './fake.ts';

/** What becomes of a request: a reply, or its loss. `notSent`: the connection was refused. `silence`: no reply comes. */
export type Delivery = HttpReply | 'notSent' | 'silence';

/** Handles a request instead of the exchange; `pass` lets the exchange handle it. Undefined: as if there were no fault. */
export type Mishap = (request: HttpRequest, pass: () => HttpReply) => Delivery | undefined;

/** Each way. */
const LATENCY: Millis = 10;

export class FakeLine implements Transport {
  /** The fault of the check, if there is one now. */
  mishap: Mishap | undefined;
  /** False while the exchange sends nothing on its sockets, although they are open. */
  pushes = true;
  readonly requests: HttpRequest[] = [];
  readonly #sockets = new Set<() => void>();
  readonly #exchange: FakeExchange;
  readonly #clock: Clock;

  constructor(exchange: FakeExchange, clock: Clock) {
    this.#exchange = exchange;
    this.#clock = clock;
  }

  request(request: HttpRequest, { timeoutMs, maxBytes }: { timeoutMs: Millis; maxBytes: number }): Promise<HttpReply> {
    this.requests.push(request);
    return new Promise((resolve, reject) => {
      const stopTimer = this.#after(timeoutMs, () => reject(new TransportError('noReply', `no reply within ${timeoutMs} ms`)));
      this.#after(LATENCY, () => {
        const pass = (): HttpReply => this.#exchange.handle(request);
        const outcome = this.mishap?.(request, pass) ?? pass();
        if (outcome === 'silence') return;
        this.#after(LATENCY, () => {
          stopTimer();
          if (outcome === 'notSent') reject(new TransportError('notSent', 'connection refused'));
          else if (outcome.body.length > maxBytes) reject(new TransportError('tooLarge', `the reply exceeds ${maxBytes} bytes`));
          else resolve(outcome);
        });
      });
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  cutSockets(): void {
    for (const cut of this.#sockets) cut();
  }

  readonly dial =
    (path: string): Dial =>
    (listener) =>
      this.#open(path, listener);

  #open(path: string, { opened, message, closed }: SocketListener): ReturnType<Dial> {
    let served: FakeSocket | undefined;
    let isOpen = true;
    const close = (reason: string): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#sockets.delete(cut);
      served?.closed();
      closed(reason);
    };
    const cut = (): void => close('the socket was cut');
    this.#sockets.add(cut);
    this.#after(LATENCY, () => {
      if (!isOpen) return;
      const send = (text: string): void => void this.#after(LATENCY, () => isOpen && this.pushes && message(text));
      served = this.#exchange.connect?.(path, send);
      if (served === undefined) close('the exchange serves no socket');
      else opened();
    });
    return {
      send: (text) => void this.#after(LATENCY, () => isOpen && served?.message(text)),
      close: () => close('the socket was closed'),
    };
  }

  #after(span: Millis, run: () => void): () => void {
    return this.#clock.at(this.#clock.now() + span, run);
  }
}
