// A socket that reconnects with back-off after each failure. The books of a lost connection are void: `delta-book.ts` starts again from a polled
// book. A new connection subscribes by its URL or by the first messages that `push.ts` sends.
import { type Clock, type Millis, SingleTimer } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Rng } from '../../base/rng.ts';
import { backOffMs } from '../../base/streams/back-off.ts';
import type { Dial } from '../../base/transport/transport.ts';
import type { AdapterLog } from '../../bot/exchange/port.ts';

/** A socket that does not open within this time is closed and dialled again. */
const OPEN_TIMEOUT: Millis = 5_000;
const FIRST_PAUSE: Millis = 500;

export interface ReconnectingOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: AdapterLog;
  readonly dial: Dial;
  /** Called before each connection, including the first: the state of the previous connection is void. */
  readonly begins: () => void;
  /** Called when a socket has opened. */
  readonly opened: (send: (text: string) => void) => void;
  /** Called for each message. Throws for an invalid one, which ends the connection. */
  readonly message: (text: string, send: (text: string) => void) => void;
}

export class Reconnecting {
  readonly #options: ReconnectingOptions;
  #end: (reason: string) => void = () => undefined;
  #closeSocket: () => void = () => undefined;
  readonly #timer: SingleTimer;
  #failures = 0;
  #closed = false;

  constructor(options: ReconnectingOptions) {
    this.#options = options;
    this.#timer = new SingleTimer(options.clock);
    this.#connect();
  }

  /** Called when the connection has proved to work. Resets the back-off; the next failure is logged again. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** Ends the connection and reconnects. */
  restart(reason: string): void {
    this.#end(reason);
  }

  close(): void {
    this.#closed = true;
    this.#timer.cancel();
    this.#closeSocket();
  }

  #connect(): void {
    const { dial, begins, opened, message } = this.#options;
    begins();
    let isOver = false;
    const end = (reason: string): void => {
      if (isOver || this.#closed) return;
      isOver = true;
      socket.close();
      this.#reconnect(reason);
    };
    const send = (text: string): void => socket.send(text);
    const socket = dial({
      opened: () => {
        if (isOver || this.#closed) return;
        this.#timer.cancel();
        opened(send);
      },
      message: (text) => {
        if (isOver || this.#closed) return;
        try {
          message(text, send);
        } catch (error) {
          end(messageOf(error));
        }
      },
      closed: end,
    });
    this.#end = end;
    this.#closeSocket = () => socket.close();
    this.#timer.set(OPEN_TIMEOUT, () => end('no connection'));
  }

  #reconnect(reason: string): void {
    const { rng, log } = this.#options;
    this.#failures += 1;
    if (this.#failures === 1) log.warn(`the socket is down: ${reason}; polling continues, and the socket is connected again`);
    this.#timer.set(backOffMs({ rng, firstMs: FIRST_PAUSE, retryAfterCapMs: 0 }, this.#failures), () => this.#connect());
  }
}
