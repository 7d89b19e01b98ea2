// Sends the events of one run to its pages. Keeps the newest events for pages that reconnect, and bounds the unsent data of each page.
import { type Cancel, type Clock, every, type Millis } from '../../../base/clock.ts';
import type { ReplyStream } from '../../../base/transport/transport.ts';
import type { NewEvent } from './feed.ts';

const KEPT_EVENTS = 2_000;
/** Events are written in batches, at most once per this time. */
const BATCH: Millis = 100;
/** A page with more unsent data gets no more events until it has read everything; then it has to load the state again. */
const MAX_UNSENT_BYTES = 1_000_000;
const MAX_UNSENT_BATCHES = 64;
/** Keeps connections alive: a connection without data is closed after 30 s. */
const HEARTBEAT: Millis = 10_000;
const RESET = `data: ${JSON.stringify({ kind: 'reset' })}\n\n`;

export class EventStream {
  readonly #clock: Clock;
  readonly #clients = new Set<Client>();
  /** The newest events as text, oldest first. */
  #kept: string[] = [];
  /** The number of the first kept event. */
  #first = 1;
  /** Events that were not written yet. */
  #pending: string[] = [];
  #flush: Cancel | undefined;
  #beat: Cancel | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of the last event. */
  get seq(): number {
    return this.#first + this.#kept.length - 1;
  }

  /** Number of open pages. */
  get clients(): number {
    return this.#clients.size;
  }

  emit(event: NewEvent): void {
    const seq = this.seq + 1;
    const text = `id: ${seq}\ndata: ${JSON.stringify({ ...event, seq })}\n\n`;
    this.#kept.push(text);
    if (this.#kept.length >= 2 * KEPT_EVENTS) {
      this.#first += KEPT_EVENTS;
      this.#kept = this.#kept.slice(KEPT_EVENTS);
    }
    if (this.#clients.size === 0) return;
    this.#pending.push(text);
    this.#flush ??= this.#clock.at(this.#clock.now() + BATCH, () => this.flush());
  }

  /** Writes the pending events to all pages. */
  flush(): void {
    this.#flush?.();
    this.#flush = undefined;
    const text = this.#pending.join('');
    this.#pending = [];
    if (text !== '') for (const client of this.#clients) client.write(text);
  }

  /** Adds a page that has all events up to `from`. If later ones are no longer kept, the page has to load the state again. */
  open(to: ReplyStream, from: number): void {
    this.flush();
    const client = new Client(to);
    this.#clients.add(client);
    to.whenClosed(() => this.#closed(client));
    const isKept = from >= this.#first - 1 && from <= this.seq;
    client.write(isKept ? this.#kept.slice(from + 1 - this.#first).join('') || ':\n\n' : RESET);
    this.#beat ??= every(this.#clock, HEARTBEAT, () => {
      for (const other of this.#clients) other.write(':\n\n');
    });
  }

  /** Makes every page load the state again. */
  reset(): void {
    this.flush();
    for (const client of this.#clients) client.write(RESET);
  }

  close(): void {
    this.flush();
    this.#beat?.();
    this.#flush?.();
    for (const client of this.#clients) client.end();
    this.#clients.clear();
  }

  #closed(client: Client): void {
    this.#clients.delete(client);
    if (this.#clients.size > 0) return;
    this.#beat?.();
    this.#beat = undefined;
    this.flush();
  }
}

/** One open page. If it reads too slowly, it gets nothing more until it has read everything, and then has to load the state again. */
class Client {
  readonly #to: ReplyStream;
  #batches = 0;
  #isBehind = false;

  constructor(to: ReplyStream) {
    this.#to = to;
  }

  write(text: string): void {
    if (this.#isBehind) return;
    if (this.#to.waiting === 0) this.#batches = 0;
    if (this.#to.waiting + text.length > MAX_UNSENT_BYTES || this.#batches >= MAX_UNSENT_BATCHES) return this.#fallBehind();
    this.#batches += 1;
    this.#to.write(text);
  }

  end(): void {
    this.#to.end();
  }

  #fallBehind(): void {
    this.#isBehind = true;
    this.#to.whenRead(() => {
      this.#isBehind = false;
      this.write(RESET);
    });
  }
}
