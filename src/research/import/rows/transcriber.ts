// Turns messages in order of time into rows of a tape, and counts the excluded ones by reason.
import { unreachable } from '../../../base/errors.ts';
import { scale } from '../../../base/text/decimal.ts';
import type { Market } from '../../../bot/domain/market.ts';
import type { Row } from '../../../embedded/rows/row-builder.ts';
import { codeOf, KIND_BITS, ROW, type RowKind, STAMPS_PER_MILLI, type Stamp, stampText } from '../../../embedded/rows/rows.ts';
import { BestCheck, type BestChecks, type ScaledLevel } from '../checks/best-check.ts';
import { createRegularity, type Regularity, type RegularityChecks } from '../checks/regularity.ts';
import type { SurveyedCandles } from '../checks/survey.ts';
import type {
  BestMessage,
  CandleMessage,
  FeedMessage,
  LevelText,
  MarksMessage,
  SettlementMessage,
  TradeMessage,
} from '../formats/feed-message.ts';
import { wrongInput } from '../formats/input.ts';
import type { Scaler } from '../formats/numbers.ts';
import { type BookChecks, BookRows } from './book-rows.ts';

/** Takes rows in order of time. */
export interface RowSink {
  add(row: Row): void;
}

export interface TranscriberChecks {
  readonly rows: Readonly<Partial<Record<RowKind, number>>>;
  readonly excluded: readonly Exclusion[];
  readonly book: BookChecks;
  readonly best: BestChecks;
  /** Announced times of settlement, in order. */
  readonly announced: readonly Stamp[];
  readonly settled: RegularityChecks;
  readonly candles: RegularityChecks;
}

export interface TranscriberOptions {
  readonly market: Market;
  readonly scaler: Scaler;
  readonly sink: RowSink;
  /** True if the recording has no book but the best bid and ask. */
  readonly bestIsBook: boolean;
  readonly candles?: SurveyedCandles | undefined;
  readonly longestSilence?: Stamp | undefined;
}

const VALUES = ['open', 'high', 'low', 'close', 'volume'] as const;
const KINDS = Object.keys(ROW) as readonly RowKind[];

export class Transcriber {
  readonly #options: TranscriberOptions;
  readonly #best = new BestCheck();
  readonly #books: BookRows;
  readonly #counts = new Uint32Array(KIND_BITS + 1);
  readonly #excluded = createExclusions();
  readonly #announced = new Set<Stamp>();
  readonly #settled = createRegularity();
  readonly #candles: Regularity;
  #newestCandle: CandleMessage | undefined;
  /** The last mark, index and funding written: a row of these kinds is written only when its value changes. */
  readonly #written = new Map<RowKind, string>();

  constructor(options: TranscriberOptions) {
    this.#options = options;
    this.#candles = createRegularity(options.candles?.length);
    const { scaler, longestSilence } = options;
    this.#books = new BookRows({ scaler, add: (row) => this.#add(row), best: this.#best, longestSilence });
  }

  take(message: FeedMessage): void {
    this.#books.pass(message.time); // messages of any kind show that time has passed without a poll of the book
    switch (message.kind) {
      case 'book':
        return this.#books.take(message);
      case 'best':
        return this.#takeBest(message);
      case 'trade':
        return this.#addTrade(message);
      case 'marks':
        return this.#addMarks(message);
      case 'settlement':
        return this.#settlement(message);
      case 'candle':
        return this.#addCandle(message);
      case 'other':
        return;
      default:
        return unreachable(message);
    }
  }

  exclude(message: FeedMessage, reason: string): void {
    const example = message.kind === 'trade' ? `${message.price} × ${message.size}` : undefined;
    this.#excluded.add({ what: message.kind, reason, first: message.time, example });
  }

  checks(): TranscriberChecks {
    const counted = KINDS.map((kind) => [kind, this.#counts[ROW[kind]] ?? 0] as const).filter(([, count]) => count > 0);
    return {
      rows: Object.fromEntries(counted),
      excluded: this.#excluded.list(),
      book: this.#books.checks(),
      best: this.#best.checks(),
      announced: [...this.#announced],
      settled: this.#settled.checks(),
      candles: this.#candles.checks(),
    };
  }

  #takeBest({ time, received, upTo, bid, ask }: BestMessage): void {
    if (this.#options.bestIsBook) {
      this.#books.take({ kind: 'book', how: 'poll', time, received, bids: sideOf(bid), asks: sideOf(ask) });
      return;
    }
    this.#best.quote({ bid: this.#scaled(bid), ask: this.#scaled(ask) }, upTo ?? time);
  }

  #addTrade(message: TradeMessage): void {
    const { side, price, size } = message;
    if (Number(size) === 0) return this.exclude(message, 'its size is 0');
    const { ticks, lots } = this.#options.scaler;
    this.#writeRow(message, { code: codeOf('trade', { side, last: true }), price: ticks(price), size: lots(size, price) });
  }

  #addMarks(message: MarksMessage): void {
    for (const kind of ['mark', 'index'] as const) {
      const text = message[kind];
      const price = text === undefined ? undefined : this.#options.market.ticksNear(this.#options.scaler.price(text));
      if (price !== undefined && this.#isNew(kind, String(price))) this.#writeRow(message, { code: codeOf(kind, { last: true }), price });
    }
    const { due, rate, time } = message;
    if (due === undefined || rate === undefined) return;
    this.#announced.add(due);
    if (!this.#isNew('funding', `${due} ${rate}`)) return;
    // a funding row has the milliseconds until it is due in `price`, the rate in `size`
    const price = Math.max(0, Math.round((due - time) / STAMPS_PER_MILLI));
    this.#writeRow(message, { code: codeOf('funding', { last: true }), price, size: scaledRate(rate) });
  }

  #settlement(message: SettlementMessage): void {
    const { candles } = this.#options;
    if (!this.#settled.add(message.time)) return this.exclude(message, 'already settled');
    if (candles !== undefined && (message.time < candles.first || message.time > candles.end))
      return this.exclude(message, 'outside the candles');
    this.#writeRow(message, { code: codeOf('settlement', { last: true }), size: scaledRate(message.rate) });
  }

  #addCandle(message: CandleMessage): void {
    if (!this.#candles.add(message.time)) return this.#excludeRepeated(message);
    this.#newestCandle = message;
    const { ticks, lots } = this.#options.scaler;
    const length = (this.#options.candles?.length ?? 0) / STAMPS_PER_MILLI;
    const prices = [message.open, message.high, message.low, message.close].map(ticks) as [number, number, number, number];
    const [open, , , close] = prices;
    // Floating-point noise can put a price above the high or below the low; the extreme of the four prices is used then.
    // The first row of a candle has its length in `size`.
    this.#writeRow(message, { code: codeOf('open'), price: open, size: length });
    this.#writeRow(message, { code: codeOf('high'), price: Math.max(...prices) });
    this.#writeRow(message, { code: codeOf('low'), price: Math.min(...prices) });
    this.#writeRow(message, { code: codeOf('close', { last: true }), price: close, size: lots(message.volume, message.close) });
  }

  /** Excludes a candle that two files contain. Throws a `UserError` if they differ. */
  #excludeRepeated(message: CandleMessage): void {
    const first = this.#newestCandle;
    if (first !== undefined && VALUES.some((value) => Number(first[value]) !== Number(message[value])))
      throw wrongInput(
        `two files differ in the candle of ${stampText(message.time)}`,
        'give files that do not overlap, or agree where they do',
      );
    this.exclude(message, 'already received');
  }

  #isNew(kind: RowKind, written: string): boolean {
    if (this.#written.get(kind) === written) return false;
    this.#written.set(kind, written);
    return true;
  }

  #scaled(level: LevelText | undefined): ScaledLevel | undefined {
    const { ticks, lots } = this.#options.scaler;
    return level === undefined ? undefined : { price: ticks(level[0]), size: lots(level[1], level[0]) };
  }

  #writeRow({ time, received }: FeedMessage, { code, price = 0, size = 0 }: Pick<Row, 'code'> & Partial<Row>): void {
    this.#add({ time, lag: received - time, code, price, size });
  }

  #add(row: Row): void {
    const kind = row.code & KIND_BITS;
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
    this.#options.sink.add(row);
  }
}

const sideOf = (level: LevelText | undefined): readonly LevelText[] => (level === undefined ? [] : [level]);

/** Returns a rate in units of 10^-12. */
const scaledRate = (rate: string): number => Number(scale(rate, 12, 'down'));

/** Messages that are excluded from a tape for one reason. */
export interface Exclusion {
  /** The kind of message. */
  readonly what: string;
  readonly reason: string;
  readonly count: number;
  /** Exchange time of the first such message. */
  readonly first: Stamp;
  /** For trades, price and size: `28722.50 × 0.001`. */
  readonly example?: string | undefined;
}

interface Exclusions {
  add(one: Omit<Exclusion, 'count'>): void;
  list(): readonly Exclusion[];
}

export function createExclusions(): Exclusions {
  const byReason = new Map<string, Exclusion>();
  return {
    add(one) {
      const key = `${one.what}: ${one.reason}`;
      const before = byReason.get(key);
      byReason.set(key, { ...(before ?? one), count: (before?.count ?? 0) + 1 });
    },
    list: () => [...byReason.values()],
  };
}
