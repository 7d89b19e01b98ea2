// Reads recordings of Binance's combined stream, with REST snapshots in between: one message a line, after its time of receipt.
import { STAMPS_PER_MILLI, type Stamp } from '../../../domain/rows.ts';
import type { BestMessage, BookMessage, FeedMessage, Format, LineReader, Listener, MarksMessage, TradeMessage } from './feed-message.ts';
import { bestLevel, type Fields, fieldsOf, flagIn, levelsIn, receivedMessage, stampIn, textIn, wholeIn } from './fields.ts';

/** Streams of partial books (a fixed number of levels), whose messages are also named depthUpdate. */
const CUT_BOOK = /@depth\d+(@|$)/;

export const binance: Format = {
  holds: 'lines of "<receive time> <JSON>" of the combined stream',
  looksLike: (line) => /^\d+ \{\s*"(stream|e|lastUpdateId)"/.test(line),
  reader: binanceReader,
  fundingInterval: 8 * 3_600_000 * STAMPS_PER_MILLI,
};

function binanceReader({ tell, symbol }: Listener): LineReader {
  let newest: Stamp | undefined;
  return {
    line(text) {
      const { received, message } = receivedMessage(text);
      const told = messageTold(message, { received, known: newest ?? received });
      if (told.symbol !== undefined) symbol(told.symbol);
      newest = Math.max(newest ?? told.told.time, told.told.time);
      tell(told.told);
    },
    end: () => undefined,
  };
}

interface Heard {
  readonly received: Stamp;
  /** The newest exchange time so far; used if a message of a spot market has none. */
  readonly known: Stamp;
}

function messageTold(message: Fields, heard: Heard): { told: FeedMessage; symbol?: string | undefined } {
  const stream = typeof message['stream'] === 'string' ? message['stream'] : '';
  const data = stream === '' ? message : fieldsOf(message['data']);
  const symbol = typeof data['s'] === 'string' ? data['s'] : undefined;
  return { told: dataTold(data, stream, heard), symbol };
}

function dataTold(data: Fields, stream: string, heard: Heard): FeedMessage {
  if (stream === '' && 'lastUpdateId' in data) return snapshot(data, heard);
  // The book ticker of spot markets is the only event without its name in it.
  const event = typeof data['e'] === 'string' ? data['e'] : stream.endsWith('@bookTicker') ? 'bookTicker' : undefined;
  switch (event) {
    case 'depthUpdate':
      return CUT_BOOK.test(stream) ? other(stream, heard) : change(data, heard);
    case 'trade':
      return trade(data, heard);
    case 'bookTicker':
      return best(data, heard);
    case 'markPriceUpdate':
      return marks(data, heard);
    case undefined:
    default:
      return other(event ?? (stream === '' ? 'unnamed' : stream), heard);
  }
}

const other = (what: string, { received, known }: Heard): FeedMessage => ({ kind: 'other', time: known, received, what });

/** Returns the transaction time, which orders trades and books correctly, or the event time for spot books, which have no other. */
function timeOf(data: Fields, { known }: Heard): Stamp {
  const name = ['T', 'E'].find((name) => data[name] !== undefined);
  return name === undefined ? known : stampIn(data, name);
}

function snapshot(data: Fields, heard: Heard): BookMessage {
  const upTo = wholeIn(data, 'lastUpdateId');
  const levels = { bids: levelsIn(data, 'bids'), asks: levelsIn(data, 'asks') };
  return { kind: 'book', how: 'snapshot', time: timeOf(data, heard), received: heard.received, upTo, ...levels };
}

/** Futures give the number of the previous update (`pu`); at spot markets the numbers are consecutive. */
function change(data: Fields, heard: Heard): BookMessage {
  const after = data['pu'] === undefined ? wholeIn(data, 'U') - 1 : wholeIn(data, 'pu');
  const levels = { bids: levelsIn(data, 'b'), asks: levelsIn(data, 'a') };
  return { kind: 'book', how: 'change', time: timeOf(data, heard), received: heard.received, upTo: wholeIn(data, 'u'), after, ...levels };
}

/** `m` means that the buyer was the maker. An `X` other than MARKET is an execution outside the book, such as the insurance fund's. */
function trade(data: Fields, heard: Heard): TradeMessage {
  const { X: how = 'MARKET' } = data;
  return {
    kind: 'trade',
    time: timeOf(data, heard),
    received: heard.received,
    side: flagIn(data, 'm') ? 'ask' : 'bid',
    price: textIn(data, 'p'),
    size: textIn(data, 'q'),
    excluded: how === 'MARKET' ? undefined : `${String(how)}, no trade on the book`,
  };
}

function best(data: Fields, heard: Heard): BestMessage {
  const side = (name: 'b' | 'a') => bestLevel(textIn(data, name), textIn(data, name.toUpperCase()));
  return { kind: 'best', time: timeOf(data, heard), received: heard.received, upTo: wholeIn(data, 'u'), bid: side('b'), ask: side('a') };
}

/** `T` is the time of the next settlement here. A market without funding has 0 and an empty rate. */
function marks(data: Fields, { received }: Heard): MarksMessage {
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
