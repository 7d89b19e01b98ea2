// What the bot has written down and synced, read off the disk as it becomes durable.
import type { Millis } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import { fileOf, segmentsIn } from '../../journal/segment.ts';
import type { Line } from '../../report/accounting/lines.ts';

type OrderLine = Extract<Line, { kind: 'order' }>;
type FillLine = Extract<Line, { kind: 'fill' }>;

interface Sent {
  readonly kind: 'sent';
  readonly clientOrderId?: string;
  readonly body?: string;
}

interface Alarm {
  readonly kind: 'alarm';
  readonly at: string;
  readonly alarm: string;
  readonly reason: string;
}

/** The story of one order, by its lines. */
export interface Told {
  readonly lines: OrderLine[];
  /** When its first and its last line were told, since the start of the run. */
  readonly first: Millis;
  last: Millis;
}

const ENDED: ReadonlySet<string> = new Set(['filled', 'cancelled', 'rejected']);
export const hasEnded = ({ status }: OrderLine): boolean => ENDED.has(status);

export class Record {
  readonly orders = new Map<string, Told>();
  /** By trade and side. */
  readonly fills = new Map<string, FillLine>();
  readonly alarms: Alarm[] = [];
  /** Client order ids that were without a definite answer for a while. */
  readonly unknown = new Set<string>();
  /** Fills written down twice. */
  readonly repeated: FillLine[] = [];
  /** In base64: the signed bytes of all that was announced. */
  readonly #bodies = new Set<string>();
  /** How often the state directory was lost. */
  losses = 0;
  /** When it was last lost, since the start of the run. */
  lostAt: Millis = Number.NEGATIVE_INFINITY;
  /** By trade and side. */
  readonly excusedTrades = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #durable = new Set<string>();
  /** By trade, side and order: where a rollback gives ids again, there are two of one id. */
  readonly booked = new Map<string, FillLine>();
  readonly #written = new Set<string>();
  readonly #tails = new Map<string, string>();
  readonly #onNews: (text: string) => void;
  readonly #now: () => Millis;
  segments = 0;

  /** `onNews` hears of each line once, in words. */
  constructor({ now, onNews }: { now: () => Millis; onNews: (text: string) => void }) {
    this.#now = now;
    this.#onNews = onNews;
  }

  /** Who hears of each state that an order comes into. */
  readonly followers: ((line: OrderLine, before: OrderLine | undefined) => void)[] = [];

  hasSent(body: Uint8Array): boolean {
    return this.#bodies.has(Buffer.from(body).toString('base64'));
  }

  latest(clientOrderId: string): OrderLine | undefined {
    return this.orders.get(clientOrderId)?.lines.at(-1);
  }

  /** Of a file of the journal: the bytes that have just become durable at its end. */
  synced(file: string, bytes: Uint8Array): void {
    if (!file.startsWith('journal-')) return;
    const text = (this.#tails.get(file) ?? '') + Buffer.from(bytes).toString('utf8');
    const lines = text.split('\n');
    this.#tails.set(file, lines.pop() ?? '');
    for (const line of lines) this.#line(line);
  }

  /** A line that people and scripts are shown; most are durable by then. */
  told(line: Line): void {
    if (line.kind === 'order' || line.kind === 'fill' || line.kind === 'alarm') this.#entry(line, { isCheckpoint: true });
  }

  /**
   * Bytes that a crash has torn off do not continue; others that nobody had synced may have survived it, and the next process finds them. After a kill a
   * power cut may still take them; what a power cut has left is durable.
   */
  crashed(disk: Disk, { power }: { power: boolean }): void {
    this.#tails.clear();
    const newest = segmentsIn(disk).at(-1);
    const text = newest === undefined ? '' : Buffer.from(disk.read(fileOf(newest)) ?? new Uint8Array()).toString('utf8');
    for (const line of text.split('\n').slice(0, -1))
      for (const entry of entriesOf(line)) this.#entry(entry, { isCheckpoint: true, isDurable: power });
  }

  /** The state directory is another one than it was: what was written there of orders that had not ended then is not known to the next process. */
  stateLost(): void {
    this.losses++;
    this.lostAt = this.#now();
    this.#tails.clear();
    this.#written.clear();
  }

  /** These trades were made before a process began that had lost the state of those before it: it need not know them. By trade and side. */
  excuseTrades(trades: Iterable<string>): void {
    for (const trade of trades) if (!this.fills.has(trade)) this.excusedTrades.add(trade);
  }

  /** Whether a word of this order was ever durable, or shown to anybody: until then a crash may take all of it back. */
  isDurable(clientOrderId: string): boolean {
    return this.#durable.has(clientOrderId);
  }

  #line(line: string): void {
    const entries = entriesOf(line);
    const isCheckpoint = entries[0]?.kind === 'journal';
    if (isCheckpoint) this.segments++;
    for (const entry of entries) this.#entry(entry, { isCheckpoint });
  }

  #entry(entry: { kind: string }, { isCheckpoint, isDurable = true }: { isCheckpoint: boolean; isDurable?: boolean }): void {
    if (entry.kind === 'sent') {
      const { body } = entry as Sent;
      if (body !== undefined) this.#bodies.add(body);
      return;
    }
    if (entry.kind !== 'order' && entry.kind !== 'fill' && entry.kind !== 'alarm') return;
    if (entry.kind === 'order' && isDurable) this.#durable.add((entry as OrderLine).clientOrderId);
    const text = JSON.stringify(entry);
    if (this.#seen.has(text) && (isCheckpoint || entry.kind !== 'fill')) return;
    this.#seen.add(text);
    if (entry.kind === 'order') this.#order(entry as OrderLine);
    else if (entry.kind === 'fill') this.#fill(entry as FillLine, isCheckpoint);
    else this.alarms.push(entry as Alarm);
  }

  #order(line: OrderLine): void {
    const now = this.#now();
    const told = this.orders.get(line.clientOrderId) ?? { lines: [], first: now, last: now };
    told.last = now;
    this.orders.set(line.clientOrderId, told);
    const before = told.lines.at(-1);
    told.lines.push(line);
    if (line.status === 'unknown') this.unknown.add(line.clientOrderId);
    for (const follower of this.followers) follower(line, before);
    this.#onNews(`order ${line.clientOrderId} ${before?.status ?? 'new'} -> ${line.status} ${line.orderId ?? ''} ${line.reason ?? ''}`);
  }

  #fill(line: FillLine, isCheckpoint: boolean): void {
    const key = `${line.tradeId}/${line.side}`;
    if (!this.fills.has(key) || !isCheckpoint)
      this.#onNews(
        `fill ${key} of ${line.clientOrderId ?? 'nobody known'}, ${line.size} at ${line.price}${isCheckpoint ? ', told' : ', written'}`,
      );
    this.fills.set(key, line);
    const full = `${key}/${line.orderId}`;
    this.booked.set(full, line);
    if (isCheckpoint) return;
    if (this.#written.has(full)) this.repeated.push(line);
    this.#written.add(full);
  }
}

/** None of a line that was torn, and is durable by chance. */
function entriesOf(line: string): readonly { kind: string }[] {
  const start = line.indexOf('[');
  try {
    const entries: unknown = start < 0 ? [] : JSON.parse(line.slice(start));
    return Array.isArray(entries) ? (entries as { kind: string }[]) : [];
  } catch {
    return [];
  }
}
