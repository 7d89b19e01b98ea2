// The messages of a recording in one form for all venues: the format readers make them, and `rows/` turns them into rows.

import type { Side } from '../../../bot/domain/book.ts';
import type { MarketKind } from '../../../bot/domain/market.ts';
import type { Stamp } from '../../../embedded/rows/rows.ts';

/** Decimal texts without an exponent; the price is above 0. */
export type LevelText = readonly [price: string, size: string];

interface Timed {
  /** Exchange time. */
  readonly time: Stamp;
  /** Time of receipt by the recorder; the exchange time if the recording does not have it. */
  readonly received: Stamp;
}

export interface BookMessage extends Timed {
  readonly kind: 'book';
  /**
   * - `change`: new totals of some levels; 0 means that the level is empty.
   * - `snapshot`: the complete book, to start from.
   * - `poll`: the complete book up to the depth shown, sent repeatedly.
   */
  readonly how: 'change' | 'snapshot' | 'poll';
  readonly bids: readonly LevelText[];
  readonly asks: readonly LevelText[];
  /** The exchange's number of the last update contained in it, if updates are numbered. */
  readonly upTo?: number | undefined;
  /** For a change: the number of the update before it. If the book has not reached it, updates are missing. */
  readonly after?: number | undefined;
}

/** The best bid and ask that the exchange sends beside the book. */
export interface BestMessage extends Timed {
  readonly kind: 'best';
  readonly bid: LevelText | undefined;
  readonly ask: LevelText | undefined;
  readonly upTo?: number | undefined;
}

export interface TradeMessage extends Timed {
  readonly kind: 'trade';
  /** The taker's side. */
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  /** Why the trade is not imported; undefined if it is. */
  readonly excluded?: string | undefined;
}

export interface MarksMessage extends Timed {
  readonly kind: 'marks';
  readonly mark?: string | undefined;
  readonly index?: string | undefined;
  /** The rate that will be settled at `due`, a fraction. */
  readonly rate?: string | undefined;
  readonly due?: Stamp | undefined;
}

/** A settlement of funding at `time`. */
export interface SettlementMessage extends Timed {
  readonly kind: 'settlement';
  readonly rate: string;
}

/** A candle; `time` is its opening time. */
export interface CandleMessage extends Timed {
  readonly kind: 'candle';
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}

/** An unused message; counted by name. */
export interface OtherMessage extends Timed {
  readonly kind: 'other';
  readonly what: string;
}

export type FeedMessage = BookMessage | BestMessage | TradeMessage | MarksMessage | SettlementMessage | CandleMessage | OtherMessage;

/** Receives what a reader reads. */
export interface Listener {
  readonly emit: (message: FeedMessage) => void;
  /** Called with the exchange's name of the market that a line is about. */
  readonly symbol: (name: string) => void;
  /** Called with the kind of the market, if a line shows it, and how. */
  readonly kind?: ((kind: MarketKind, because: string) => void) | undefined;
  /** Called after the last line with the inferred layout of the file. */
  readonly layout?: ((facts: LayoutFacts) => void) | undefined;
}

/** What a reader of candles inferred from a file. */
export interface LayoutFacts {
  /** `comma-separated`, `JSON objects`, … */
  readonly layout: string;
  /** The name of the column that each value was read from. */
  readonly columns: Readonly<Record<string, string>>;
  /** Names of the columns that were not read. */
  readonly unused: readonly string[];
  /** Number of times by the unit they are in. */
  readonly units: Readonly<Record<string, number>>;
  /** What is unusual in a column as a whole, as text. */
  readonly remarks: readonly string[];
}

/** What readers of candles are given besides the lines. */
export interface ReaderOptions {
  readonly file?: string | undefined;
  /** Name of the market on the tape; a file of another one is refused. */
  readonly market?: string | undefined;
  /** Sorts the rows of a file by time. Otherwise unsorted ones are refused. */
  readonly sort?: boolean | undefined;
  /** Of candles: the name of the column of volumes, or a number to assume in each candle. */
  readonly volume?: string | undefined;
  /** Of candles: the length of one, in microseconds. Without it, the median time between two. */
  readonly interval?: Stamp | undefined;
  /** The zone of times without one: `Europe/Athens`, `UTC` or `+02:00`. Without it, times of day without a zone are refused. */
  readonly timezone?: string | undefined;
}

/** Reads the lines of one file in order. Throws `Malformed` if a line is not valid. */
export interface LineReader {
  line(text: string, number: number): void;
  /** Called after the last line. */
  end(): void;
}

export interface Format {
  /** True if a file with this first line may be of the format. */
  looksLike(line: string): boolean;
  /** What a file of the format holds, for the error about a file of another format. */
  readonly holds: string;
  reader(listener: Listener, options: ReaderOptions): LineReader;
  /** Longest time between two books on a working connection; a longer silence is a gap. */
  readonly longestSilence?: Stamp | undefined;
  /** Time between two funding payments, used if the recording does not show it. */
  readonly fundingInterval?: Stamp | undefined;
}
