// Reads recordings of Binance's combined stream, with REST snapshots in between: one message a line, after its time of receipt.
import { STAMPS_PER_MILLI, type Stamp } from '../../../embedded/rows/rows.ts';
import type { BestMessage, BookMessage, FeedMessage, Format, LineReader, Listener, MarksMessage, TradeMessage } from './feed-message.ts';
import { bestLevel, type Fields, fieldsOf, flagIn, levelsIn, receivedMessage, stampIn, textIn, wholeIn } from './fields.ts';

/** Streams of partial books (a fixed number of levels). Their messages are named depthUpdate too, but are not read. */
const PARTIAL_BOOK = /@depth\d+(@|$)/;

export const binance: Format = {
  holds: 'lines of "<receive time> <JSON>" of the combined stream',
  looksLike: (line) => /^\d+ \{\s*"(stream|e|lastUpdateId)"/.test(line),
  reader: binanceReader,
  fundingInterval: 8 * 3_600_000 * STAMPS_PER_MILLI,
};

function binanceReader({ emit, symbol, kind }: Listener): LineReader {
  let newest: Stamp | undefined;
  let isKindReported = false;
  return {
    line(text) {
      const { received, message: fields } = receivedMessage(text);
      const { message, market } = read(fields, { received, fallback: newest ?? received });
      if (market !== undefined) symbol(market);
      if (!isKindReported && message.kind === 'book' && message.how === 'change') {
        isKindReported = true;
        if (isOfFutures(fields)) kind?.('perp', 'its updates are those of futures');
        else kind?.('spot', 'its updates are those of a spot market');
      }
      newest = Math.max(newest ?? message.time, message.time);
      emit(message);
    },
    end: () => undefined,
  };
}

interface Times {
  readonly received: Stamp;
  /** The newest exchange time so far; used if a message of a spot market has none. */
  readonly fallback: Stamp;
}

function read(fields: Fields, times: Times): { message: FeedMessage; market?: string | undefined } {
  const stream = typeof fields['stream'] === 'string' ? fields['stream'] : '';
  const data = stream === '' ? fields : fieldsOf(fields['data']);
  const market = typeof data['s'] === 'string' ? data['s'] : undefined;
  return { message: messageIn(data, stream, times), market };
}

function messageIn(data: Fields, stream: string, times: Times): FeedMessage {
  if (stream === '' && 'lastUpdateId' in data) return snapshot(data, times);
  const event = eventOf(data, stream);
  switch (event) {
    case 'depthUpdate':
      return PARTIAL_BOOK.test(stream) ? other(stream, times) : change(data, times);
    case 'trade':
      return trade(data, times);
    case 'bookTicker':
      return best(data, times);
    case 'markPriceUpdate':
      return marks(data, times);
    case undefined:
    default:
      return other(event ?? (stream === '' ? 'unnamed' : stream), times);
  }
}

/** Returns the name of an event. Only the book ticker of spot markets does not have it in the message. */
function eventOf(data: Fields, stream: string): string | undefined {
  if (typeof data['e'] === 'string') return data['e'];
  return stream.endsWith('@bookTicker') ? 'bookTicker' : undefined;
}

const other = (what: string, { received, fallback }: Times): FeedMessage => ({ kind: 'other', time: fallback, received, what });

/** Returns the transaction time, by which trades and books are in the right order; for spot books, which lack it, the event time. */
function timeOf(data: Fields, { fallback }: Times): Stamp {
  const name = ['T', 'E'].find((name) => data[name] !== undefined);
  return name === undefined ? fallback : stampIn(data, name);
}

function snapshot(data: Fields, times: Times): BookMessage {
  const upTo = wholeIn(data, 'lastUpdateId');
  const levels = { bids: levelsIn(data, 'bids'), asks: levelsIn(data, 'asks') };
  return { kind: 'book', how: 'snapshot', time: timeOf(data, times), received: times.received, upTo, ...levels };
}

const isOfFutures = (fields: Fields): boolean => fieldsOf(fields['data'] ?? fields)['pu'] !== undefined;

/** Futures send the number of the previous update (`pu`); on spot markets the numbers are consecutive. */
function change(data: Fields, times: Times): BookMessage {
  const after = data['pu'] === undefined ? wholeIn(data, 'U') - 1 : wholeIn(data, 'pu');
  const levels = { bids: levelsIn(data, 'b'), asks: levelsIn(data, 'a') };
  return { kind: 'book', how: 'change', time: timeOf(data, times), received: times.received, upTo: wholeIn(data, 'u'), after, ...levels };
}

/** `m` means that the buyer was the maker. An `X` other than MARKET is an execution outside the book, such as the insurance fund's. */
function trade(data: Fields, times: Times): TradeMessage {
  const { X: how = 'MARKET' } = data;
  return {
    kind: 'trade',
    time: timeOf(data, times),
    received: times.received,
    side: flagIn(data, 'm') ? 'ask' : 'bid',
    price: textIn(data, 'p'),
    size: textIn(data, 'q'),
    excluded: how === 'MARKET' ? undefined : `${String(how)}, not a trade on the book`,
  };
}

function best(data: Fields, times: Times): BestMessage {
  const side = (name: 'b' | 'a') => bestLevel(textIn(data, name), textIn(data, name.toUpperCase()));
  return { kind: 'best', time: timeOf(data, times), received: times.received, upTo: wholeIn(data, 'u'), bid: side('b'), ask: side('a') };
}

/** Reads an event of mark price and funding. Its `T` is the time of the next settlement. A market without funding has 0 and an empty rate. */
function marks(data: Fields, { received }: Times): MarksMessage {
  const due = data['T'] === undefined ? 0 : stampIn(data, 'T');
  const funded = due > 0 && typeof data['r'] === 'string' && data['r'] !== '';
  return {
    kind: 'marks',
    time: stampIn(data, 'E'),
    received,
    mark: textIn(data, 'p'),
    index: typeof data['i'] === 'string' ? data['i'] : undefined,
    ...(funded && { rate: textIn(data, 'r'), due }),
  };
}
