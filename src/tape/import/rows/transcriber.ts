// Turns messages in order of time into rows of a tape, and counts what was left out and why.
import { unreachable } from '../../../base/assert.ts';
import { scale } from '../../../base/decimal.ts';
import type { Market } from '../../../domain/market.ts';
import type { Row } from '../../../domain/row-builder.ts';
import { codeOf, KIND_BITS, ROW, type RowKind, STAMPS_PER_MILLI, type Stamp } from '../../../domain/rows.ts';
import { BestCheck, type BestChecks, type SeenLevel } from '../checks/best-check.ts';
import { createLeftOuts, type LeftOut } from '../checks/left-out.ts';
import { createRegularity, type RegularityChecks } from '../checks/regularity.ts';
import type { CandleSpan } from '../checks/survey.ts';
import type {
  BestMessage,
  CandleMessage,
  FeedMessage,
  LevelText,
  MarksMessage,
  SettlementMessage,
  TradeMessage,
} from '../formats/feed-message.ts';
import type { Scaler } from '../formats/numbers.ts';
import { type BookChecks, BookRows } from './book-rows.ts';

/** Takes rows in order of time. */
export interface RowSink {
  add(row: Row): void;
}

export interface TranscriberChecks {
  readonly rows: Readonly<Partial<Record<RowKind, number>>>;
  readonly excluded: readonly LeftOut[];
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
  readonly candles?: CandleSpan | undefined;
  readonly longestSilence?: Stamp | undefined;
}

const KINDS = Object.keys(ROW) as readonly RowKind[];

export class Transcriber {
  readonly #options: TranscriberOptions;
  readonly #best = new BestCheck();
  readonly #books: BookRows;
  readonly #counts = new Uint32Array(KIND_BITS + 1);
  readonly #excluded = createLeftOuts();
  readonly #announced = new Set<Stamp>();
  readonly #settled = createRegularity();
  readonly #candles = createRegularity();
  /** The last value written for each kind: a row is written only when it changes. */
  readonly #said = new Map<RowKind, string>();

  constructor(options: TranscriberOptions) {
    this.#options = options;
    const { scaler, longestSilence } = options;
    this.#books = new BookRows({ scaler, add: (row) => this.#add(row), best: this.#best, longestSilence });
  }

  take(told: FeedMessage): void {
    this.#books.pass(told.time);
    switch (told.kind) {
      case 'book':
        return this.#books.tell(told);
      case 'best':
        return this.#tellBest(told);
      case 'trade':
        return this.#trade(told);
      case 'marks':
        return this.#marks(told);
      case 'settlement':
        return this.#settlement(told);
      case 'candle':
        return this.#candle(told);
      case 'other':
        return;
      default:
        return unreachable(told);
    }
  }

  leaveOut(told: FeedMessage, reason: string): void {
    const example = told.kind === 'trade' ? `${told.price} × ${told.size}` : undefined;
    this.#excluded.add({ what: told.kind, reason, first: told.time, example });
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

  #tellBest({ time, received, upTo, bid, ask }: BestMessage): void {
    if (this.#options.bestIsBook) {
      this.#books.tell({ kind: 'book', how: 'poll', time, received, bids: sideOf(bid), asks: sideOf(ask) });
      return;
    }
    this.#best.tell({ bid: this.#seen(bid), ask: this.#seen(ask) }, upTo ?? time);
  }

  #trade(told: TradeMessage): void {
    const { side, price, size } = told;
    if (Number(size) === 0) return this.leaveOut(told, 'of no size');
    const { ticks, lots } = this.#options.scaler;
    this.#say(told, { code: codeOf('trade', { side, last: true }), price: ticks(price), size: lots(size, price) });
  }

  #marks(told: MarksMessage): void {
    for (const kind of ['mark', 'index'] as const) {
      const text = told[kind];
      const price = text === undefined ? undefined : this.#options.market.ticksNear(this.#options.scaler.price(text));
      if (price !== undefined && this.#isNew(kind, String(price))) this.#say(told, { code: codeOf(kind, { last: true }), price });
    }
    const { due, rate, time } = told;
    if (due === undefined || rate === undefined) return;
    this.#announced.add(due);
    if (!this.#isNew('funding', `${due} ${rate}`)) return;
    const price = Math.max(0, Math.round((due - time) / STAMPS_PER_MILLI));
    this.#say(told, { code: codeOf('funding', { last: true }), price, size: partsOf(rate) });
  }

  #settlement(told: SettlementMessage): void {
    const { candles } = this.#options;
    if (!this.#settled.add(told.time)) return this.leaveOut(told, 'settled before');
    if (candles !== undefined && (told.time < candles.first || told.time > candles.end)) return this.leaveOut(told, 'outside the candles');
    this.#say(told, { code: codeOf('settlement', { last: true }), size: partsOf(told.rate) });
  }

  #candle(told: CandleMessage): void {
    if (!this.#candles.add(told.time)) return this.leaveOut(told, 'told before');
    const { ticks, lots } = this.#options.scaler;
    const length = (this.#options.candles?.length ?? 0) / STAMPS_PER_MILLI;
    this.#say(told, { code: codeOf('open'), price: ticks(told.open), size: length });
    this.#say(told, { code: codeOf('high'), price: ticks(told.high) });
    this.#say(told, { code: codeOf('low'), price: ticks(told.low) });
    this.#say(told, { code: codeOf('close', { last: true }), price: ticks(told.close), size: lots(told.volume, told.close) });
  }

  #isNew(kind: RowKind, said: string): boolean {
    if (this.#said.get(kind) === said) return false;
    this.#said.set(kind, said);
    return true;
  }

  #seen(level: LevelText | undefined): SeenLevel | undefined {
    const { ticks, lots } = this.#options.scaler;
    return level === undefined ? undefined : { price: ticks(level[0]), size: lots(level[1], level[0]) };
  }

  #say({ time, received }: FeedMessage, { code, price = 0, size = 0 }: Pick<Row, 'code'> & Partial<Row>): void {
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
const partsOf = (rate: string): number => Number(scale(rate, 12, 'down'));
