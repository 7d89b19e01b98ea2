// Books and fills that a socket reports sooner than the polls do. Polling continues beside it, because the silence of a socket proves nothing.
import { mergeMap, Observable } from 'rxjs';
import type { Cancel, Clock, Millis } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Rng } from '../../../base/rng.ts';
import type { Dial, Socket } from '../../../base/transport.ts';
import type { Book } from '../../../domain/book.ts';
import type { Market } from '../../../domain/market.ts';
import type { Fill } from '../../../domain/order.ts';
import type { Seen } from '../../../streams/answer.ts';
import { backOffMs } from '../../../streams/back-off.ts';
import type { Log } from '../log.ts';

const PING_EVERY: Millis = 1_000;
/** How long a ping may be unanswered before the connection is closed. */
const SILENT_FOR: Millis = 5_000;
const FIRST_PAUSE: Millis = 500;

export type PushMessage =
  | { readonly kind: 'pong'; readonly number: number }
  /** Numbered as the polled books are. */
  | { readonly kind: 'book'; readonly book: Book }
  | { readonly kind: 'fill'; readonly fill: Fill };

export interface PushSource {
  readonly dial: Dial;
  /** Sent when the socket has opened. */
  readonly hello: readonly string[];
  readonly ping: (number: number) => string;
  /** Undefined for a message of no interest. Throws for one that makes no sense, which ends the connection. */
  readonly read: (text: string) => PushMessage | undefined;
}

type Pushed = Exclude<PushMessage, { kind: 'pong' }>;

interface PushOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly source: PushSource;
  readonly log: Log;
}

/**
 * What the socket reports while somebody subscribes; connects again with back-off. Messages of a socket come in order, so one that comes after the answer
 * to a ping was sent after that ping: this is the `asked` by which its age is counted. Messages before the first answer are dropped.
 */
export const pushes = (options: PushOptions): Observable<Seen<Pushed>> =>
  new Observable((listener) => {
    const line = new Line(options, (seen) => listener.next(seen));
    return () => line.close();
  });

export const pushedBooks = (pushed: ReturnType<typeof pushes>, { id }: Market): Observable<Seen<Book>> =>
  pushed.pipe(
    mergeMap(({ value, ...when }) => (value.kind === 'book' && value.book.market === id ? [{ ...when, value: value.book }] : [])),
  );

export const pushedFills = (pushed: ReturnType<typeof pushes>): Observable<Fill> =>
  pushed.pipe(mergeMap(({ value }) => (value.kind === 'fill' ? [value.fill] : [])));

class Line {
  readonly #options: PushOptions;
  readonly #report: (seen: Seen<Pushed>) => void;
  #socket: Socket | undefined;
  #wake: Cancel = () => undefined;
  #failures = 0;
  #pings = 0;
  #pinged: Millis = 0;
  /** When the last ping that was answered on this connection was sent. */
  #asked: Millis | undefined;
  #closed = false;

  constructor(options: PushOptions, report: (seen: Seen<Pushed>) => void) {
    this.#options = options;
    this.#report = report;
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
    this.#socket?.close();
  }

  #connect(): void {
    const { source } = this.#options;
    this.#asked = undefined;
    let isOver = false;
    const socket: Socket = source.dial({
      opened: () => {
        for (const text of source.hello) socket.send(text);
        this.#ping(socket, end);
      },
      message: (text) => {
        if (!isOver && !this.#closed) this.#heard(socket, text, end);
      },
      closed: (reason) => end(reason),
    });
    const end = (reason: string): void => {
      if (isOver || this.#closed) return;
      isOver = true;
      socket.close();
      this.#reconnect(reason);
    };
    this.#socket = socket;
    this.#wakeAfter(SILENT_FOR, () => end('no connection'));
  }

  #ping(socket: Socket, end: (reason: string) => void): void {
    this.#pinged = this.#options.clock.now();
    socket.send(this.#options.source.ping(++this.#pings));
    this.#wakeAfter(SILENT_FOR, () => end(`no answer to a ping for ${SILENT_FOR / 1_000} s`));
  }

  #heard(socket: Socket, text: string, end: (reason: string) => void): void {
    const { clock, source } = this.#options;
    try {
      const message = source.read(text);
      if (message === undefined) return;
      if (message.kind !== 'pong') {
        if (this.#asked !== undefined) this.#report({ kind: 'seen', value: message, asked: this.#asked, at: clock.now() });
        return;
      }
      if (message.number !== this.#pings) return;
      this.#asked = this.#pinged;
      this.#failures = 0;
      this.#wakeAfter(PING_EVERY, () => this.#ping(socket, end));
    } catch (error) {
      end(messageOf(error));
    }
  }

  #reconnect(reason: string): void {
    const { rng, log } = this.#options;
    this.#failures += 1;
    if (this.#failures === 1) log.warn(`the socket is down: ${reason}; polling continues, and the socket is connected again`);
    this.#wakeAfter(backOffMs({ rng, firstMs: FIRST_PAUSE, retryAfterCapMs: 0 }, this.#failures), () => this.#connect());
  }

  #wakeAfter(span: Millis, wake: () => void): void {
    const { clock } = this.#options;
    this.#wake();
    this.#wake = clock.at(clock.now() + span, wake);
  }
}
