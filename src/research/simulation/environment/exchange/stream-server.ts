// The websocket of the simulated exchange: it sends frames at its own pace, and loses all connections when the exchange goes down.
import type { Clock, Millis } from '../../../../base/clock.ts';
import type { HttpRequest } from '../../../../base/transport/transport.ts';
import type { Book } from '../../../../bot/domain/book.ts';
import type { MarketId, UpdateId } from '../../../../bot/domain/ids.ts';
import type { ApiServer } from '../../exchange-api.ts';
import type { PathOf } from '../../plan/faults.ts';
import type { StreamRules } from '../../plan/options.ts';

interface StreamServerOptions {
  readonly clock: Clock;
  readonly rules: StreamRules;
  readonly server: Pick<ApiServer, 'streams' | 'books'>;
  readonly pathOf: PathOf;
  readonly venue: {
    /** Brings the exchange to the present. */
    catchUp(): void;
    readonly isDown: boolean;
  };
}

export interface FrameListener {
  readonly frame: (text: string) => void;
  /** The connection is lost. */
  readonly lost: () => void;
}

/** A connection at the exchange's end. */
export interface StreamConnection {
  /** A message of the client has arrived. */
  receive(text: string): void;
  close(): void;
}

/** Undefined without rules: nothing listens. */
export const streamServerOf = (rules: StreamRules | undefined, options: Omit<StreamServerOptions, 'rules'>): StreamServer | undefined =>
  rules && new StreamServer({ ...options, rules });

export class StreamServer {
  readonly #options: StreamServerOptions;
  readonly #open = new Map<FrameListener, () => void>();
  #isPacing = false;
  /** What the exchange has shown under each number, of polls and frames; several books if it was rolled back. */
  readonly #shown = new Map<string, Set<string>>();
  readonly #polled = new Set<string>();
  /** By number, when another book was first there. */
  readonly #until = new Map<string, Millis>();
  /** The keys of the books that the exchange has now, by market. */
  #currentKeys: ReadonlyMap<MarketId, string> = new Map();

  constructor(options: StreamServerOptions) {
    this.#options = options;
    this.#recordBooks();
  }

  /** Returns undefined if nothing listens there. */
  open(path: string, listener: FrameListener): StreamConnection | undefined {
    const { venue, server } = this.#options;
    if (venue.isDown) return undefined;
    this.#sendNow();
    let receive: ((text: string) => void) | undefined;
    this.#open.set(
      listener,
      server.streams.open(path)(listener.frame, (given) => {
        receive = given;
      }),
    );
    this.#pace();
    return {
      receive: (text) => {
        if (!this.#open.has(listener)) return;
        this.#sendNow();
        receive?.(text);
      },
      close: () => this.#disconnect(listener),
    };
  }

  /** The exchange has answered a request. */
  answered(request: HttpRequest): void {
    const { pathOf, rules, server } = this.#options;
    this.#recordBooks();
    if (pathOf(request) === 'book') for (const key of this.#currentKeys.values()) this.#polled.add(key);
    if (rules.atOnce) server.streams.sendChanges();
  }

  /** The exchange is another one, or was restarted: all connections are lost. */
  restart(): void {
    const listeners = [...this.#open.keys()];
    for (const listener of listeners) this.#disconnect(listener);
    for (const { lost } of listeners) lost();
  }

  hasShown(book: Book): boolean {
    return this.#shown.get(keyOf(book))?.has(textOf(book)) === true;
  }

  /** True if a poll was answered while this was the book. */
  wasPolled(book: Pick<Book, 'market' | 'updateId'>): boolean {
    return this.#polled.has(keyOf(book));
  }

  /** The simulation's time at which the book was no longer the exchange's; undefined if it still is. */
  currentUntil(book: Pick<Book, 'market' | 'updateId'>): Millis | undefined {
    return this.#until.get(keyOf(book));
  }

  #disconnect(listener: FrameListener): void {
    this.#open.get(listener)?.();
    this.#open.delete(listener);
  }

  #pace(): void {
    if (this.#isPacing || this.#open.size === 0) return;
    this.#isPacing = true;
    const { clock, rules } = this.#options;
    clock.at(clock.now() + rules.everyMs, () => {
      this.#isPacing = false;
      if (!this.#options.venue.isDown) this.#sendNow();
      this.#pace();
    });
  }

  /** Brings the exchange to the present, and sends what has changed. */
  #sendNow(): void {
    this.#options.venue.catchUp();
    this.#recordBooks();
    this.#options.server.streams.sendChanges();
  }

  #recordBooks(): void {
    const books = this.#options.server.books();
    for (const book of books) {
      const [key, before] = [keyOf(book), this.#currentKeys.get(book.market)];
      if (before !== undefined && before !== key) this.#until.set(before, this.#options.clock.now());
      this.#shown.set(key, (this.#shown.get(key) ?? new Set()).add(textOf(book)));
    }
    this.#currentKeys = new Map(books.map((book) => [book.market, keyOf(book)]));
  }
}

const keyOf = ({ market, updateId }: { readonly market: MarketId; readonly updateId: UpdateId }): string => `${market}/${updateId}`;

const textOf = ({ bids, asks }: Book): string =>
  JSON.stringify([bids, asks].map((levels) => levels.map(({ price, size }) => [price, size])));
