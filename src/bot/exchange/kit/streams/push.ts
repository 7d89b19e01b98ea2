// Emits books and fills from a socket earlier than the polls. Polling continues, because a silent socket proves nothing.
import { filter, mergeMap, Observable, share } from 'rxjs';
import { type Clock, type Millis, SingleTimer } from '../../../../base/clock.ts';
import type { Rng } from '../../../../base/rng.ts';
import type { SeenAnswer } from '../../../../base/streams/answer.ts';
import type { Dial } from '../../../../base/transport/transport.ts';
import type { Book } from '../../../domain/book.ts';
import type { LiveInfo } from '../../../domain/event.ts';
import type { MarketId } from '../../../domain/ids.ts';
import type { Fill, Trade } from '../../../domain/order.ts';
import type { Log } from '../log.ts';
import type { StreamContext, VenueStreams } from '../venue-client.ts';
import { Reconnecting } from './reconnecting.ts';

const PING_EVERY: Millis = 1_000;
/** A connection whose ping is unanswered for this time is closed. */
const PING_TIMEOUT: Millis = 5_000;

export type PushMessage =
  | { readonly kind: 'pong'; readonly number: number }
  /** A message of the exchange that must be answered with this text, such as a ping of its own. */
  | { readonly kind: 'reply'; readonly text: string }
  /** With the update numbers of the polled books. */
  | { readonly kind: 'book'; readonly book: Book }
  | { readonly kind: 'fill'; readonly fill: Fill }
  /** Public trades, oldest first. A message with older trades, as after each subscription, may be passed on: they are known by their ids. */
  | { readonly kind: 'trades'; readonly market: MarketId; readonly trades: readonly Trade[] }
  /** Live info of some markets. */
  | { readonly kind: 'info'; readonly infos: readonly LiveInfo[] }
  /** The account has changed: it and our trades are polled at once. */
  | { readonly kind: 'changed' };

export interface PushSource {
  readonly dial: Dial;
  /** Returns what is sent when a socket has opened: a login, which may be signed anew each time, and subscriptions. */
  readonly hello: () => readonly string[];
  readonly ping: (number: number) => string;
  /** Returns undefined for an unneeded message. Throws for an invalid one, which ends the connection. */
  readonly read: (text: string) => PushMessage | undefined;
}

type Pushed = Exclude<PushMessage, { kind: 'pong' | 'reply' }>;

interface PushOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly source: PushSource;
  readonly log: Log;
}

/**
 * Emits the socket's books and fills while subscribed; reconnects with back-off. Messages arrive in order, so a message after the answer to a ping
 * was sent after that ping: the ping's time is the message's `asked`. Messages before the first answer are dropped.
 */
export const pushes = (options: PushOptions): Observable<SeenAnswer<Pushed>> =>
  new Observable((listener) => {
    const connection = new PushConnection(options, (seen) => listener.next(seen));
    return () => connection.close();
  });

/** Returns the streams of a client whose socket pushes whole books, and some of trades, live info, fills and changes of the account. */
export function pushStreams(source: PushSource, tools: StreamContext): VenueStreams {
  const pushed = pushes({ ...tools, source }).pipe(share());
  return {
    booksOf: ({ id }) => ({
      pushed: pushed.pipe(
        mergeMap(({ value, ...when }) => (value.kind === 'book' && value.book.market === id ? [{ ...when, value: value.book }] : [])),
      ),
    }),
    tradesOf: ({ id }) => pushed.pipe(mergeMap(({ value }) => (value.kind === 'trades' && value.market === id ? [value.trades] : []))),
    infos: pushed.pipe(mergeMap(({ value, ...when }) => (value.kind === 'info' ? [{ ...when, value: value.infos }] : []))),
    changed: pushed.pipe(filter(({ value }) => value.kind === 'changed')),
    fills: pushed.pipe(mergeMap(({ value }) => (value.kind === 'fill' ? [value.fill] : []))),
  };
}

class PushConnection {
  readonly #options: PushOptions;
  readonly #report: (seen: SeenAnswer<Pushed>) => void;
  readonly #connection: Reconnecting;
  readonly #timer: SingleTimer;
  #pings = 0;
  #pinged: Millis = 0;
  /** When the last ping that was answered on this connection was sent. */
  #asked: Millis | undefined;

  constructor(options: PushOptions, report: (seen: SeenAnswer<Pushed>) => void) {
    const { source, ...tools } = options;
    this.#options = options;
    this.#timer = new SingleTimer(options.clock);
    this.#report = report;
    this.#connection = new Reconnecting({
      ...tools,
      dial: source.dial,
      begins: () => {
        this.#timer.cancel();
        this.#asked = undefined;
      },
      opened: (send) => {
        for (const text of source.hello()) send(text);
        this.#ping(send);
      },
      message: (text, send) => this.#received(text, send),
    });
  }

  close(): void {
    this.#timer.cancel();
    this.#connection.close();
  }

  #ping(send: (text: string) => void): void {
    this.#pinged = this.#options.clock.now();
    send(this.#options.source.ping(++this.#pings));
    this.#timer.set(PING_TIMEOUT, () => this.#connection.restart(`no answer to a ping for ${PING_TIMEOUT / 1_000} s`));
  }

  #received(text: string, send: (text: string) => void): void {
    const { clock, source } = this.#options;
    const message = source.read(text);
    if (message === undefined) return;
    if (message.kind === 'reply') {
      send(message.text);
      return;
    }
    if (message.kind !== 'pong') {
      if (this.#asked !== undefined) this.#report({ kind: 'seen', value: message, asked: this.#asked, at: clock.now() });
      return;
    }
    if (message.number !== this.#pings) return;
    this.#asked = this.#pinged;
    this.#connection.succeeded();
    this.#timer.set(PING_EVERY, () => this.#ping(send));
  }
}
