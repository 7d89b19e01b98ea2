// Emits books and fills from sockets earlier than the polls. Polling continues, because a silent socket proves nothing.
import { filter, merge, mergeMap, Observable, Subject, share } from 'rxjs';
import { type Millis, SingleTimer } from '../../base/clock.ts';
import type { SeenAnswer } from '../../base/streams/answer.ts';
import type { Dial } from '../../base/transport/transport.ts';
import type { Book } from '../../bot/domain/book.ts';
import type { LiveInfo } from '../../bot/domain/event.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import type { Fill, Trade } from '../../bot/domain/order.ts';
import type { EarlyBooks, StreamContext, VenueStreams } from '../../bot/exchange/kit/venue-client.ts';
import type { BookDelta } from './delta-book.ts';
import { type DeltaEvent, earlyBooks } from './early-books.ts';
import { Reconnecting } from './reconnecting.ts';

const PING_EVERY: Millis = 1_000;
/** A connection whose ping is unanswered for this time is closed. */
const PING_TIMEOUT: Millis = 5_000;

/** A message of a socket, as `read` returns it. */
export type PushMessage =
  | { readonly kind: 'pong'; readonly number: number }
  /** A message of the exchange that must be answered with this text, such as a ping of its own. */
  | { readonly kind: 'reply'; readonly text: string }
  /** With the update numbers of the polled books. */
  | { readonly kind: 'book'; readonly book: Book }
  /** What has changed in the book of a market that is in `deltasOf`. */
  | { readonly kind: 'delta'; readonly market: MarketId; readonly delta: BookDelta }
  | { readonly kind: 'fill'; readonly fill: Fill }
  /** Public trades, oldest first. A message with older trades, as after each subscription, may be passed on: they are known by their ids. */
  | { readonly kind: 'trades'; readonly market: MarketId; readonly trades: readonly Trade[] }
  /** Live info of some markets. */
  | { readonly kind: 'info'; readonly infos: readonly LiveInfo[] }
  /** The account has changed: it and our trades are polled at once. */
  | { readonly kind: 'changed' };

/** A socket of an exchange: how it is opened, and how its messages are read. */
export interface PushSource {
  readonly dial: Dial;
  /** Returns what is sent when a socket has opened: a login, which may be signed anew each time, and subscriptions. Absent if its address says it all. */
  readonly hello?: (() => readonly string[]) | undefined;
  /** Absent for a socket that sends only what needs no age: deltas of books, and changes of the account. */
  readonly ping?: ((number: number) => string) | undefined;
  /** Returns undefined for an unneeded message. Throws for an invalid one, which ends the connection. */
  readonly read: (text: string) => PushMessage | undefined;
  /** The markets of whose books it sends deltas instead of whole books. */
  readonly deltasOf?: readonly MarketId[] | undefined;
}

type Pushed = Exclude<PushMessage, { kind: 'pong' | 'reply' }>;

interface PushOptions extends StreamContext {
  readonly source: PushSource;
}

/**
 * One socket, connected while `pushed` is subscribed; reconnects with back-off. Messages arrive in order, so a message after the answer to a ping
 * was sent after that ping: the ping's time is the message's `asked`. Messages before the first answer are dropped.
 */
export class PushSocket {
  readonly pushed: Observable<SeenAnswer<Pushed>>;
  readonly #options: PushOptions;
  readonly #begins = new Subject<DeltaEvent>();
  #connection: PushConnection | undefined;

  constructor(options: PushOptions) {
    this.#options = options;
    this.pushed = new Observable<SeenAnswer<Pushed>>((listener) => {
      const report = (seen: SeenAnswer<Pushed>): void => listener.next(seen);
      const connection = new PushConnection(options, { report, begins: () => this.#begins.next({ kind: 'begins' }) });
      this.#connection = connection;
      return () => connection.close();
    }).pipe(share());
  }

  /** Returns the books of a market of whose book the socket sends deltas; undefined for another. */
  deltaBooksOf(id: MarketId): EarlyBooks | undefined {
    const { clock, source } = this.#options;
    if (source.deltasOf?.includes(id) !== true) return undefined;
    const deltas = this.pushed.pipe(mergeMap(({ value }) => (value.kind === 'delta' && value.market === id ? [value] : [])));
    return earlyBooks({ clock, events: merge(this.#begins, deltas), restart: (reason) => this.#connection?.restart(reason) });
  }
}

/** Returns the streams of a client whose sockets push books, and some of trades, live info, fills and changes of the account. */
export function pushStreams(sources: PushSource | readonly PushSource[], tools: StreamContext): VenueStreams {
  const sockets = [sources].flat().map((source) => new PushSocket({ ...tools, source }));
  const pushed = merge(...sockets.map((socket) => socket.pushed));
  const wholeBooksOf = (id: MarketId): ReturnType<VenueStreams['booksOf']> => ({
    pushed: pushed.pipe(
      mergeMap(({ value, ...when }) => (value.kind === 'book' && value.book.market === id ? [{ ...when, value: value.book }] : [])),
    ),
  });
  return {
    booksOf: ({ id }) => sockets.map((socket) => socket.deltaBooksOf(id)).find((books) => books !== undefined) ?? wholeBooksOf(id),
    tradesOf: ({ id }) => pushed.pipe(mergeMap(({ value }) => (value.kind === 'trades' && value.market === id ? [value.trades] : []))),
    infos: pushed.pipe(mergeMap(({ value, ...when }) => (value.kind === 'info' ? [{ ...when, value: value.infos }] : []))),
    changed: pushed.pipe(filter(({ value }) => value.kind === 'changed')),
    fills: pushed.pipe(mergeMap(({ value }) => (value.kind === 'fill' ? [value.fill] : []))),
  };
}

interface Reports {
  report(this: void, seen: SeenAnswer<Pushed>): void;
  /** Called before each connection. */
  begins(this: void): void;
}

class PushConnection {
  readonly #options: PushOptions;
  readonly #report: Reports['report'];
  readonly #connection: Reconnecting;
  readonly #timer: SingleTimer;
  #pings = 0;
  #pinged: Millis = 0;
  /** When the last ping that was answered on this connection was sent. */
  #asked: Millis | undefined;

  constructor(options: PushOptions, { report, begins }: Reports) {
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
        begins();
      },
      opened: (send) => {
        for (const text of source.hello?.() ?? []) send(text);
        this.#ping(send);
      },
      message: (text, send) => this.#received(text, send),
    });
  }

  restart(reason: string): void {
    this.#connection.restart(reason);
  }

  close(): void {
    this.#timer.cancel();
    this.#connection.close();
  }

  #ping(send: (text: string) => void): void {
    const { clock, source } = this.#options;
    this.#pinged = clock.now();
    if (source.ping === undefined) {
      this.#asked = this.#pinged;
      return;
    }
    send(source.ping(++this.#pings));
    this.#timer.set(PING_TIMEOUT, () => this.#connection.restart(`no answer to a ping for ${PING_TIMEOUT / 1_000} s`));
  }

  #received(text: string, send: (text: string) => void): void {
    const { clock, source } = this.#options;
    const message = source.read(text);
    if (source.ping === undefined) this.#connection.succeeded();
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
