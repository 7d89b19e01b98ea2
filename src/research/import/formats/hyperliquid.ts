// Reads recordings of Hyperliquid's websocket: books of twenty levels a side, and trades; one message a line, after its time of receipt.
import { STAMPS_PER_MILLI, type Stamp } from '../../../embedded/rows/rows.ts';
import type { Format, LevelText, LineReader, Listener, TradeMessage } from './feed-message.ts';
import { type Fields, fieldsOf, Malformed, receivedMessage, stampIn, textIn } from './fields.ts';

export const hyperliquid: Format = {
  holds: 'lines of "<receive time> <JSON>" with the channels l2Book and trades',
  looksLike: (line) => /^\d+ \{\s*"channel"/.test(line),
  reader: hyperliquidReader,
  // A book is sent with every block, several times a second, even if it has not changed.
  longestSilence: 10_000_000,
  fundingInterval: 3_600_000 * STAMPS_PER_MILLI,
};

function hyperliquidReader({ emit, symbol }: Listener): LineReader {
  /** Start of the recording, and time of its newest trade. A subscription first sends older trades, which are excluded. */
  let since: Stamp | undefined;
  let newest: Stamp = 0;

  const book = (data: Fields, received: Stamp): void => {
    const time = stampIn(data, 'time');
    since ??= time;
    symbol(textIn(data, 'coin'));
    const [bids, asks] = listIn(data, 'levels');
    emit({ kind: 'book', how: 'poll', time, received, bids: levelsOf(bids), asks: levelsOf(asks) });
  };

  const trades = (list: readonly unknown[], received: Stamp): void => {
    since ??= received;
    const messages = list.map((trade) => {
      const data = fieldsOf(trade);
      symbol(textIn(data, 'coin'));
      return tradeOf(data, received);
    });
    const span = { since, newest };
    for (const trade of messages) {
      newest = Math.max(newest, trade.time);
      emit({ ...trade, excluded: reasonToExclude(trade, span) });
    }
  };

  return {
    line(text) {
      const { received, message } = receivedMessage(text);
      const { channel } = message;
      if (channel === 'l2Book') return book(fieldsOf(message['data']), received);
      if (channel === 'trades') return trades(listIn(message, 'data'), received);
      emit({ kind: 'other', time: received, received, what: typeof channel === 'string' ? channel : 'unnamed' });
    },
    end: () => undefined,
  };
}

function reasonToExclude({ time }: TradeMessage, { since, newest }: { since: Stamp; newest: Stamp }): string | undefined {
  if (time < since) return 'older than the recording';
  return time < newest ? 'older than a trade received before' : undefined;
}

function tradeOf(data: Fields, received: Stamp): TradeMessage {
  const side = textIn(data, 'side');
  if (side !== 'A' && side !== 'B') throw new Malformed(`"side" is "${side}", neither A nor B`);
  const [price, size] = [textIn(data, 'px'), textIn(data, 'sz')];
  return { kind: 'trade', time: stampIn(data, 'time'), received, side: side === 'A' ? 'ask' : 'bid', price, size };
}

function listIn(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw new Malformed(`"${name}" is not a list`);
  return value;
}

function levelsOf(side: unknown): readonly LevelText[] {
  if (!Array.isArray(side)) throw new Malformed('"levels" is not a pair of lists');
  return side.map((level) => {
    const data = fieldsOf(level);
    return [textIn(data, 'px'), textIn(data, 'sz')];
  });
}
