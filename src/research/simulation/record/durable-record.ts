// The record of the bot: the lines of its journal, read from the simulated disk when they become durable.
import type { Millis } from '../../../base/clock.ts';
import type { Disk } from '../../../base/files/disk.ts';
import { fillKey, type Line } from '../../../bot/accounting/lines.ts';
import { fileOf, segmentsIn } from '../../../bot/journal/segment.ts';
import type { WireAction } from '../../../venues/wire/codec.ts';

type OrderLine = Extract<Line, { kind: 'order' }>;
type FillLine = Extract<Line, { kind: 'fill' }>;
type CorrectionLine = Extract<Line, { kind: 'correction' }>;

interface RecordOptions {
  readonly now: () => Millis;
  readonly onNewLine: (text: string) => void;
  readonly tradeIdOf?: (reported: string) => string;
}

/** The kinds of lines that are kept of what was printed or written. */
const KEPT: ReadonlySet<string> = new Set<Line['kind']>(['order', 'fill', 'correction', 'alarm']);

interface Sent {
  readonly kind: 'sent';
  readonly action: string;
  readonly clientOrderId?: string;
  readonly body?: string;
}

interface Alarm {
  readonly kind: 'alarm';
  readonly at: string;
  readonly alarm: string;
  readonly reason: string;
}

/** The history of one order, by its lines. */
export interface RecordedOrderHistory {
  readonly lines: OrderLine[];
  /** When its first and its last line were written, since the start of the run. */
  readonly first: Millis;
  last: Millis;
}

const ENDED: ReadonlySet<string> = new Set(['filled', 'cancelled', 'rejected']);
export const hasEnded = ({ status }: OrderLine): boolean => ENDED.has(status);

export class DurableRecord {
  readonly orders = new Map<string, RecordedOrderHistory>();
  /** By trade and side. */
  readonly fills = new Map<string, FillLine>();
  readonly alarms: Alarm[] = [];
  /** Client order ids that were without a definite answer for a while. */
  readonly unknown = new Set<string>();
  /** Fills written twice. */
  readonly repeated: FillLine[] = [];
  /** The signed bytes of all announced actions, in base64. */
  readonly #bodies = new Set<string>();
  /** The kind and the client order id of announced actions without bytes. */
  readonly #unsigned = new Set<string>();
  /** How often the state directory was lost. */
  losses = 0;
  /** When it was last lost, since the start of the run. */
  lostAt: Millis = Number.NEGATIVE_INFINITY;
  /** By trade and side. */
  readonly toleratedTrades = new Set<string>();
  /** All entries so far, as text. */
  readonly #seen = new Set<string>();
  /** Client order ids with an order line that was durable or printed. */
  readonly #durable = new Set<string>();
  /** By trade, side and order: after a rollback, which assigns ids again, two fills may share an id. */
  readonly booked = new Map<string, FillLine>();
  /** When each fill was first reported, since the start of the run, by trade and side. */
  readonly reportedAt = new Map<string, Millis>();
  readonly #written = new Set<string>();
  readonly #tails = new Map<string, string>();
  readonly #onNewLine: (text: string) => void;
  readonly #now: () => Millis;
  readonly #tradeIdOf: (reported: string) => string;
  segments = 0;

  /** `onNewLine` is called with each line once, as text. `tradeIdOf`: the exchange's id of a trade that the bot names so. */
  constructor({ now, onNewLine, tradeIdOf = (id) => id }: RecordOptions) {
    this.#now = now;
    this.#tradeIdOf = tradeIdOf;
    this.#onNewLine = onNewLine;
  }

  /** Called with each change of an order's state. */
  readonly followers: ((line: OrderLine, before: OrderLine | undefined) => void)[] = [];

  /** True if the action is announced: its bytes, or if another process signs them or they are signed when they are sent, its order. */
  hasSent(action: WireAction, body: Uint8Array): boolean {
    if (this.#bodies.has(Buffer.from(body).toString('base64'))) return true;
    if (action.kind === 'placeOrder') return this.#unsigned.has(`place ${action.clientOrderId}`);
    if (action.kind !== 'cancelOrder') return false;
    const isIts = (id: string): boolean => this.orders.get(id)?.lines.some(({ orderId }) => orderId === action.orderId) === true;
    return [...this.#unsigned].some((text) => text.startsWith('cancel ') && isIts(text.slice('cancel '.length)));
  }

  latest(clientOrderId: string): OrderLine | undefined {
    return this.orders.get(clientOrderId)?.lines.at(-1);
  }

  /** Takes the bytes that have just become durable at the end of a file of the journal. */
  synced(file: string, bytes: Uint8Array): void {
    if (!file.startsWith('journal-')) return;
    const text = (this.#tails.get(file) ?? '') + Buffer.from(bytes).toString('utf8');
    const lines = text.split('\n');
    this.#tails.set(file, lines.pop() ?? '');
    for (const line of lines) this.#line(line);
  }

  /** Takes a line that is printed for people and scripts; most lines are durable by then. */
  printed(line: Line): void {
    if (KEPT.has(line.kind)) this.#entry(line, { isCheckpoint: true });
  }

  /**
   * Called after a crash. Bytes that it cut off do not continue; others that were not synced may have survived, and the next process finds them.
   * After a kill a power cut may still take them; what a power cut has left is durable.
   */
  crashed(disk: Disk, { power }: { power: boolean }): void {
    this.#tails.clear();
    const newest = segmentsIn(disk).at(-1);
    const text = newest === undefined ? '' : Buffer.from(disk.read(fileOf(newest)) ?? new Uint8Array()).toString('utf8');
    for (const line of text.split('\n').slice(0, -1))
      for (const entry of entriesOf(line)) this.#entry(entry, { isCheckpoint: true, isDurable: power });
  }

  /** Called when the state directory was replaced: the next process does not know the orders of the lost one. */
  stateLost(): void {
    this.losses++;
    this.lostAt = this.#now();
    this.#tails.clear();
    this.#written.clear();
  }

  /** Tolerates that the bot does not know these trades, made before the start of a process whose state was lost. By trade and side. */
  tolerateTrades(trades: Iterable<string>): void {
    for (const trade of trades) if (!this.fills.has(trade)) this.toleratedTrades.add(trade);
  }

  /** True if a report of this order was ever durable or printed: until then a crash may undo all of it. */
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
      const { body, action, clientOrderId } = entry as Sent;
      if (body !== undefined) this.#bodies.add(body);
      else this.#unsigned.add(`${action} ${clientOrderId}`);
      return;
    }
    if (!KEPT.has(entry.kind)) return;
    if (entry.kind === 'order' && isDurable) this.#durable.add((entry as OrderLine).clientOrderId);
    const text = JSON.stringify(entry);
    if (this.#seen.has(text) && (isCheckpoint || entry.kind !== 'fill')) return;
    this.#seen.add(text);
    if (entry.kind === 'order') this.#order(entry as OrderLine);
    else if (entry.kind === 'fill') this.#fill(this.#named(entry as FillLine), isCheckpoint);
    else if (entry.kind === 'correction') this.#correct(this.#named(entry as CorrectionLine));
    else this.alarms.push(entry as Alarm);
  }

  #named<T extends { readonly tradeId: string }>(line: T): T {
    return { ...line, tradeId: this.#tradeIdOf(line.tradeId) };
  }

  #order(line: OrderLine): void {
    const now = this.#now();
    const history = this.orders.get(line.clientOrderId) ?? { lines: [], first: now, last: now };
    history.last = now;
    this.orders.set(line.clientOrderId, history);
    const before = history.lines.at(-1);
    history.lines.push(line);
    if (line.status === 'unknown') this.unknown.add(line.clientOrderId);
    for (const follower of this.followers) follower(line, before);
    this.#onNewLine(`order ${line.clientOrderId} ${before?.status ?? 'new'} -> ${line.status} ${line.orderId ?? ''} ${line.reason ?? ''}`);
  }

  /** The fill counts with another price or fee from now on. An order that became known later is not kept: it is not what the bot knew then. */
  #correct(line: CorrectionLine): void {
    const { price, fee, provisional } = line;
    for (const [fills, key] of [[this.fills, keyOf(line)] as const, [this.booked, fillKey(line)] as const]) {
      const fill = fills.get(key);
      if (fill !== undefined) fills.set(key, { ...fill, price, fee, provisional });
    }
    this.#onNewLine(`fill ${keyOf(line)} corrected to ${price}, fee ${fee ?? 'unknown'}`);
  }

  #fill(line: FillLine, isCheckpoint: boolean): void {
    const key = keyOf(line);
    if (!this.fills.has(key) || !isCheckpoint)
      this.#onNewLine(
        `fill ${key} of ${line.clientOrderId ?? 'nobody known'}, ${line.size} at ${line.price}${isCheckpoint ? ', reported' : ', written'}`,
      );
    this.fills.set(key, line);
    if (!this.reportedAt.has(key)) this.reportedAt.set(key, this.#now());
    const full = fillKey(line);
    this.booked.set(full, line);
    if (isCheckpoint) return;
    if (this.#written.has(full)) this.repeated.push(line);
    this.#written.add(full);
  }
}

const keyOf = ({ tradeId, side }: Pick<FillLine, 'tradeId' | 'side'>): string => `${tradeId}/${side}`;

/** The entries of a line; none for a torn line that is durable by chance. */
function entriesOf(line: string): readonly { kind: string }[] {
  const start = line.indexOf('[');
  try {
    const entries: unknown = start < 0 ? [] : JSON.parse(line.slice(start));
    return Array.isArray(entries) ? (entries as { kind: string }[]) : [];
  } catch {
    return [];
  }
}
