// Books and fills that a socket reports sooner than the polls do. Polling continues beside it, because the silence of a socket proves nothing.
import { mergeMap, Observable } from 'rxjs';
import type { Cancel, Clock, Millis } from '../../../base/clock.ts';
import type { Rng } from '../../../base/rng.ts';
import type { Dial } from '../../../base/transport.ts';
import type { Book } from '../../../domain/book.ts';
import type { Market } from '../../../domain/market.ts';
import type { Fill } from '../../../domain/order.ts';
import type { Seen } from '../../../streams/answer.ts';
import type { Log } from '../log.ts';
import { Reconnecting } from './reconnecting.ts';

const PING_EVERY: Millis = 1_000;
/** How long a ping may be unanswered before the connection is closed. */
const SILENT_FOR: Millis = 5_000;

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
  readonly #connection: Reconnecting;
  #wake: Cancel = () => undefined;
  #pings = 0;
  #pinged: Millis = 0;
  /** When the last ping that was answered on this connection was sent. */
  #asked: Millis | undefined;

  constructor(options: PushOptions, report: (seen: Seen<Pushed>) => void) {
    const { source, ...tools } = options;
    this.#options = options;
    this.#report = report;
    this.#connection = new Reconnecting({
      ...tools,
      dial: source.dial,
      begins: () => {
        this.#wake();
        this.#asked = undefined;
      },
      opened: (send) => {
        for (const text of source.hello) send(text);
        this.#ping(send);
      },
      message: (text, send) => this.#heard(text, send),
    });
  }

  close(): void {
    this.#wake();
    this.#connection.close();
  }

  #ping(send: (text: string) => void): void {
    this.#pinged = this.#options.clock.now();
    send(this.#options.source.ping(++this.#pings));
    this.#wakeAfter(SILENT_FOR, () => this.#connection.restart(`no answer to a ping for ${SILENT_FOR / 1_000} s`));
  }

  #heard(text: string, send: (text: string) => void): void {
    const { clock, source } = this.#options;
    const message = source.read(text);
    if (message === undefined) return;
    if (message.kind !== 'pong') {
      if (this.#asked !== undefined) this.#report({ kind: 'seen', value: message, asked: this.#asked, at: clock.now() });
      return;
    }
    if (message.number !== this.#pings) return;
    this.#asked = this.#pinged;
    this.#connection.works();
    this.#wakeAfter(PING_EVERY, () => this.#ping(send));
  }

  #wakeAfter(span: Millis, wake: () => void): void {
    const { clock } = this.#options;
    this.#wake();
    this.#wake = clock.at(clock.now() + span, wake);
  }
}
