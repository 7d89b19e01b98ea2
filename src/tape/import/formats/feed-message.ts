// What a line of a recording says, whichever venue wrote it: the one language between the readers of formats and the maker of rows.

import type { Stamp } from '../../../domain/rows.ts';
import type { Side } from '../../../domain/side.ts';

/** Plain decimal texts, the price above 0. */
export type LevelText = readonly [price: string, size: string];

interface Timed {
  /** Exchange time. */
  readonly time: Stamp;
  /** When the recorder heard it; the exchange time where nobody says. */
  readonly received: Stamp;
}

export interface BookMessage extends Timed {
  readonly kind: 'book';
  /**
   * - `change`: the totals of the levels it names; 0: nothing rests there.
   * - `snapshot`: the whole book, to start from.
   * - `poll`: the whole book as far as it is shown, told again and again.
   */
  readonly how: 'change' | 'snapshot' | 'poll';
  readonly bids: readonly LevelText[];
  readonly asks: readonly LevelText[];
  /** The exchange's number of the last update that is in it, where updates are numbered. */
  readonly upTo?: number | undefined;
  /** Of a change: the number that the book must have reached for nothing to be missing. */
  readonly after?: number | undefined;
}

/** The best bid and ask as the exchange says them beside the book. */
export interface BestMessage extends Timed {
  readonly kind: 'best';
  readonly bid: LevelText | undefined;
  readonly ask: LevelText | undefined;
  readonly upTo?: number | undefined;
}

export interface TradeMessage extends Timed {
  readonly kind: 'trade';
  /** The taker's. */
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  /** Why it is no trade of this market and this recording, in words. */
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

/** Funding was settled at `time`. */
export interface SettlementMessage extends Timed {
  readonly kind: 'settlement';
  readonly rate: string;
}

/** `time` is its opening. */
export interface CandleMessage extends Timed {
  readonly kind: 'candle';
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}

/** A message that is of no use here; counted by its name. */
export interface OtherMessage extends Timed {
  readonly kind: 'other';
  readonly what: string;
}

export type FeedMessage = BookMessage | BestMessage | TradeMessage | MarksMessage | SettlementMessage | CandleMessage | OtherMessage;

/** Who listens to a reader. */
export interface Listener {
  readonly tell: (told: FeedMessage) => void;
  /** The exchange's name of the market that a line is about. */
  readonly symbol: (name: string) => void;
}

/** Reads the lines of one file, in their order; throws `Malformed` where a line is not what it should be. */
export interface LineReader {
  line(text: string): void;
  /** There is no further line. */
  end(): void;
}

export interface Format {
  /** Whether a file whose first line this is may be of the format. */
  looksLike(line: string): boolean;
  /** What a file of the format holds, for whoever gave another one. */
  readonly holds: string;
  reader(listener: Listener): LineReader;
  /** How long the venue is never silent about its book while the line holds; a longer silence is a gap. */
  readonly longestSilence?: Stamp | undefined;
  /** From one payment of funding to the next, where the recording tells of no two. */
  readonly fundingInterval?: Stamp | undefined;
}
