// The first pass over a recording: finds its market, kinds of messages and decimals, before the first row is written.
import { isDecimalText } from '../../../base/text/decimal.ts';
import type { MarketKind } from '../../../bot/domain/market.ts';
import { STAMPS_PER_MILLI, type Stamp, stampText } from '../../../embedded/rows/rows.ts';
import type { TapeHeader } from '../../../embedded/tape/header.ts';
import type { FeedMessage, LayoutFacts, Listener, ReaderOptions } from '../formats/feed-message.ts';
import { Malformed } from '../formats/fields.ts';
import { type Packing, type RecordingInput, wrongInput } from '../formats/input.ts';
import type { Decimals } from '../formats/numbers.ts';
import { type ImportFormat, reading } from '../formats/reading.ts';
import { MessageStats } from './message-stats.ts';

export interface Survey {
  readonly lines: number;
  /** The files that have messages, with the time of receipt of their first one, earliest first. */
  readonly files: readonly { readonly input: RecordingInput; readonly begins: Stamp }[];
  /** The exchange's name of the market, if the recording has it. */
  readonly symbol: string | undefined;
  /** The kind of the market, if the data shows it. */
  readonly kind: { readonly kind: MarketKind; readonly because: string } | undefined;
  /** Number of unused messages by name. */
  readonly notRead: Readonly<Record<string, number>>;
  /** The decimals that all prices and sizes need. */
  readonly decimals: Decimals;
  readonly highestPrice: number;
  readonly lowestPrice: number;
  readonly highestSize: number;
  /** True if prices are floats with noise. */
  readonly noisyPrices: boolean;
  /** The inferred layout of each file of candles. */
  readonly layouts: readonly FileLayout[];
  /** The price at the earliest time. */
  readonly basePrice: number;
  readonly books: TapeHeader['books'];
  /** True if the recording has no book but the best bid and ask, which is then used as the book. */
  readonly bestIsBook: boolean;
  /** Median time between two books, if they are polled. */
  readonly pollSpacing?: Stamp | undefined;
  readonly candles?: SurveyedCandles | undefined;
  /** Time between two funding payments, if the recording shows it. */
  readonly fundingInterval: Stamp | undefined;
}

export interface FileLayout extends LayoutFacts {
  readonly file: string;
  readonly packing: Packing;
}

export interface SurveyedCandles {
  /** Length of a candle: the median time to the next. */
  readonly length: Stamp;
  readonly first: Stamp;
  /** End of the last candle. */
  readonly end: Stamp;
}

export interface SurveyOptions {
  readonly from: ImportFormat;
  readonly options?: ReaderOptions | undefined;
  readonly onRead: (bytes: number) => void;
}

/** Reads all files. Throws a `UserError` if they hold several markets, two kinds of books, or nothing to import. */
export async function survey(inputs: readonly RecordingInput[], { from, options, onRead }: SurveyOptions): Promise<Survey> {
  const { listener, result } = createSurveyor(options?.interval);
  const files: Survey['files'][number][] = [];
  const layouts: FileLayout[] = [];
  let lines = 0;
  for (const input of inputs) {
    let begins: Stamp | undefined;
    const emit = (message: FeedMessage): void => {
      begins ??= message.received;
      listener.emit(message);
    };
    const layout = (facts: LayoutFacts): void => void layouts.push({ file: input.file, packing: input.packing, ...facts });
    for await (const count of reading(input, { from, listener: { ...listener, emit, layout }, onRead, options })) lines += count;
    if (begins !== undefined) files.push({ input, begins });
  }
  return { lines, files: files.toSorted((a, b) => a.begins - b.begins), layouts, ...result() };
}

/** Creates the listener of the first pass. `interval`: the length of a candle, if the user gave it. */
function createSurveyor(interval: Stamp | undefined): { listener: Listener; result: () => Omit<Survey, 'lines' | 'files' | 'layouts'> } {
  const stats: StatsByKind = {
    change: new MessageStats(),
    poll: new MessageStats(),
    best: new MessageStats(),
    trade: new MessageStats(),
    candle: new MessageStats({ mayBeNoisy: true }),
  };
  const funding = createFundingIntervalFinder();
  const notRead: Record<string, number> = {};
  let symbol: string | undefined;
  let kind: Survey['kind'];
  const setKind = (is: MarketKind, because: string): void => void (kind ??= { kind: is, because });

  let firstCandle: Stamp | undefined;

  const emit = (message: FeedMessage): void => {
    switch (message.kind) {
      case 'book':
        return stats[message.how === 'poll' ? 'poll' : 'change'].add(message.time, [...message.bids, ...message.asks], {
          priced: message.how !== 'change',
        });
      case 'best':
        return stats.best.add(message.time, [message.bid, message.ask]);
      case 'trade':
        if (message.excluded === undefined) stats.trade.add(message.time, [[message.price, message.size]]);
        return;
      case 'candle':
        firstCandle ??= message.time;
        if (interval !== undefined) checkInterval(message.time - firstCandle, interval);
        return stats.candle.add(message.time, [
          [message.open, message.volume],
          [message.high, '0'],
          [message.low, '0'],
          [message.close, '0'],
        ]);
      case 'marks':
        if (message.due !== undefined) funding.add(message.due);
        if (message.rate !== undefined) setKind('perp', HAS_FUNDING);
        return [message.mark, message.index, message.rate].forEach(checkNumber);
      case 'settlement':
        funding.add(message.time);
        setKind('perp', HAS_FUNDING);
        return checkNumber(message.rate);
      case 'other':
        notRead[message.what] = (notRead[message.what] ?? 0) + 1;
    }
  };
  return {
    listener: {
      emit,
      kind: setKind,
      symbol(name) {
        symbol ??= name;
        if (name !== symbol)
          throw new Malformed(`is about ${name}, others are about ${symbol}`, 'a tape holds one market: split the recording first');
      },
    },
    result: () => ({ symbol, kind, notRead, fundingInterval: funding.interval, ...resultOf(stats, interval) }),
  };
}

const HAS_FUNDING = 'the files have funding rates';

function checkNumber(text: string | undefined): void {
  if (text !== undefined && !isDecimalText(text)) throw new Malformed(`"${text}" is not a decimal number`);
}

type StatsByKind = Record<'change' | 'poll' | 'best' | 'trade' | 'candle', MessageStats>;

function resultOf(
  { change, poll, best, candle, trade }: StatsByKind,
  interval: Stamp | undefined,
): Omit<Survey, 'lines' | 'files' | 'layouts' | 'symbol' | 'kind' | 'notRead' | 'fundingInterval'> {
  if (change.count > 0 && poll.count > 0)
    throw wrongInput('the files hold two kinds of books: changes, and snapshots of limited depth', 'give the files of one kind');
  const bestIsBook = change.count + poll.count === 0 && best.count > 0;
  const used = [change, poll, best, trade, candle].filter(({ count }) => count > 0);
  const [base] = used.toSorted((a, b) => a.first.time - b.first.time);
  if (base === undefined) throw wrongInput('the files hold neither books nor trades nor candles', 'check that it is the right recording');
  if (base.first.price === 0)
    throw wrongInput(
      'the files hold changes of a book, but no snapshot to begin from',
      'give the snapshot, or record one with the changes',
    );
  const polled = bestIsBook ? best : poll;
  const books = candle.count > 0 ? 'candles' : booksOf(polled);
  return {
    decimals: {
      price: Math.max(...used.map(({ decimals }) => decimals.price)),
      size: Math.max(...used.map(({ decimals }) => decimals.size)),
    },
    highestPrice: Math.max(...used.map(({ highest }) => highest)),
    lowestPrice: Math.min(...used.map(({ lowest }) => lowest)),
    highestSize: Math.max(...used.map(({ highestSize }) => highestSize)),
    noisyPrices: candle.noisy,
    basePrice: base.first.price,
    books,
    bestIsBook,
    pollSpacing: books === 'polled' ? polled.spacing : undefined,
    candles: books === 'candles' ? candleSpan(candle, interval) : undefined,
  };
}

const booksOf = (polled: MessageStats): TapeHeader['books'] => (polled.count > 0 ? 'polled' : 'changes');

function checkInterval(since: Stamp, interval: Stamp): void {
  if (since % interval === 0) return;
  throw new Malformed(
    `is a candle that begins ${lengthText(since % interval)} after the last multiple of ${lengthText(interval)} since the first candle`,
    'give the length of a candle with --interval, and times in UTC or with --timezone',
  );
}

/** Throws a `UserError` if there is only one candle and no interval is given, or if candles overlap. */
function candleSpan({ first, last, spacing, closest }: MessageStats, interval: Stamp | undefined): SurveyedCandles {
  const length = interval ?? spacing;
  if (length === undefined)
    throw wrongInput('there is only one candle, so its length is not known', 'give two candles or more, or --interval 1h');
  if (closest.spacing < length)
    throw wrongInput(
      `the candle of ${stampText(closest.time)} begins ${lengthText(closest.spacing)} after the previous one, but most are ${lengthText(length)} apart`,
      'if candles without trades are missing, give the length of one, as in --interval 1m; else give candles of one interval, with times in UTC; months are not supported',
    );
  return { length, first: first.time, end: last + length };
}

/** Every venue settles at least daily: if two settlements are further apart, some in between were not recorded. */
const LONGEST: Stamp = 24 * 3_600_000 * STAMPS_PER_MILLI;

/** Finds the funding interval: the shortest time between two settlements, recorded or announced. */
interface FundingIntervalFinder {
  /** Adds the time of a settlement. */
  readonly add: (at: Stamp) => void;
  /** Undefined if no two settlements are at most a day apart. */
  readonly interval: Stamp | undefined;
}

function createFundingIntervalFinder(): FundingIntervalFinder {
  let last: Stamp | undefined;
  let least = Number.POSITIVE_INFINITY;
  return {
    add(at) {
      if (last !== undefined && at > last) least = Math.min(least, at - last);
      last = at;
    },
    get interval() {
      return least <= LONGEST ? least : undefined;
    },
  };
}

/** The units that a length is counted in, largest first. */
const UNITS: readonly (readonly [name: string, length: Stamp])[] = [
  ['day', 86_400e6],
  ['hour', 3_600e6],
  ['minute', 60e6],
  ['second', 1e6],
];

/** Returns the length of a candle as text, `5 minutes` or `1 hour`: in the largest unit that divides the length; `0.5 seconds` if none does. */
export function lengthText(length: Stamp): string {
  const [name, unit] = UNITS.find(([, one]) => length % one === 0) ?? ['second', 1e6];
  const count = length / unit;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
