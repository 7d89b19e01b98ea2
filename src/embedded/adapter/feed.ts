// Polls the public data of the embedded exchange: order books, trades, live info, and time.
import type { Cancel, Millis } from '../../base/clock.ts';
import { Broadcast } from '../../base/streams/broadcast.ts';
import type { Book } from '../../bot/domain/book.ts';
import type { Candle } from '../../bot/domain/candle.ts';
import type { BookSeen, CandlesSeen, InfoSeen, LiveInfo, MarketEvent, TimeSeen, TradesSeen } from '../../bot/domain/event.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Trade } from '../../bot/domain/order.ts';
import { MARKET_TRADE_PAGES, OVERLAP } from '../../bot/exchange/kit/streams/trade-tail.ts';
import type { Feed } from '../../bot/exchange/port.ts';
import { GAP, stream } from './stream.ts';
import { type EmbeddedTailOptions, EmbeddedTradeTail } from './trade-tail.ts';
import type { VenueContext } from './venue-context.ts';

type Emit = (event: MarketEvent) => void;

const NO_CANDLES: readonly Candle[] = [];

export function embeddedFeed(context: VenueContext): Feed {
  const { exchange, markets, closing, looks } = context;
  const start = (emit: Emit): Cancel => {
    looks?.end.emitTo(emit);
    const streams = [timeStream(context, emit), infoStream(context, emit)];
    for (const market of markets) {
      if (looks === undefined) streams.push(tradeStream(context, market, emit)); // trades on the path inside a candle are not market trades
      streams.push(bookStream(context, market, emit), candleStream(context, market, emit));
    }
    return () => {
      for (const stop of streams) stop();
    };
  };
  const tokens = exchange.tokens.map(({ tokenId, symbol, decimals, weightBps }) => ({ tokenId, symbol, decimals, weightBps }));
  return { markets, tokens, events: new Broadcast({ start, closing }).events };
}

function timeStream(context: VenueContext, emit: Emit): Cancel {
  const { exchange, polling } = context;
  const engineSeconds = (): number => Math.floor(exchange.now() / 1_000);
  return stream<number, TimeSeen>(
    context,
    {
      stream: 'time',
      what: 'exchange time',
      everyMs: polling.timeMs,
      look: engineSeconds,
      own: true,
      eventOf: (engineSeconds, asked, at) => ({ kind: 'timeSeen', at, asked, engineSeconds }),
    },
    emit,
  );
}

function infoStream(context: VenueContext, emit: Emit): Cancel {
  const { exchange, polling, markets, looks } = context;
  const shownInfos = (): readonly LiveInfo[] | typeof GAP => {
    const infos: LiveInfo[] = [];
    for (const { id } of markets) {
      const isShown = !exchange.inGap(id) && (looks === undefined || looks.shows(id));
      const info = isShown ? exchange.live(id) : undefined;
      const ended = looks?.ended(id);
      if (info !== undefined) infos.push(ended === undefined ? info : withRange(info, ended));
    }
    return infos.length === 0 ? GAP : infos;
  };
  return stream<readonly LiveInfo[], InfoSeen>(
    context,
    {
      stream: 'info',
      what: 'market info',
      everyMs: polling.liveMs,
      look: shownInfos,
      eventOf: (infos, asked, at) => ({ kind: 'infoSeen', at, asked, infos }),
    },
    emit,
  );
}

/** Field by field, because a spread that adds a field is slow on Node 20, and this runs once for each candle. */
function withRange(info: LiveInfo, { low, high }: Candle): LiveInfo {
  const { market, index, indexConf, mark, frozen, fundingRate, nextFunding, fundingPaid, openInterest } = info;
  return { market, index, indexConf, mark, frozen, range: { low, high }, fundingRate, nextFunding, fundingPaid, openInterest };
}

function bookStream(context: VenueContext, market: Market, emit: Emit): Cancel {
  const { exchange, polling } = context;
  const book = (): Book | typeof GAP => (exchange.inGap(market.id) ? GAP : (exchange.book(market.id) ?? GAP));
  return stream<Book, BookSeen>(
    context,
    {
      stream: 'book',
      market: market.id,
      what: 'order book',
      everyMs: polling.orderBookMs,
      look: book,
      eventOf: (seen, asked, at) => ({ kind: 'bookSeen', at, asked, book: seen }),
    },
    emit,
  );
}

function tradeStream(context: VenueContext, market: Market, emit: Emit): Cancel {
  const { records } = context.exchange;
  const list: EmbeddedTailOptions<Trade>['list'] = (query, newest) => records.publicTradesSince(query, newest);
  const tail = new EmbeddedTradeTail({ ...context, query: { marketId: market.id }, list, maxPages: MARKET_TRADE_PAGES, overlap: OVERLAP });
  return stream<readonly Trade[], TradesSeen>(
    context,
    {
      stream: 'trades',
      market: market.id,
      what: 'list of trades',
      everyMs: context.polling.tradesMs,
      look: () => tail.look().fresh,
      ask: (onReply) => tail.read(({ fresh, inGap }) => onReply(inGap && fresh.length === 0 ? GAP : fresh)),
      eventOf: (trades, _, at) => (trades.length === 0 ? undefined : { kind: 'tradesSeen', at, market: market.id, trades }),
    },
    emit,
  );
}

/** Emits each candle of a tape after its end. The first event declares the source complete. */
function candleStream({ candles, shorterCandles, clock, looks }: VenueContext, { id: market }: Market, emit: Emit): Cancel {
  const [source, shorter] = [candles[market], shorterCandles[market]];
  if (source === undefined || looks === undefined) return () => undefined;
  const { span } = source;
  const seen = (asked: Millis, list: readonly Candle[]): CandlesSeen => {
    return { kind: 'candlesSeen', at: clock.now(), asked, market, candles: list, span, complete: true };
  };
  let hasBegun = false;
  return looks.add({
    own: false,
    look: () => ({ list: source.take(clock.now()), details: shorter?.take(clock.now()) ?? NO_CANDLES }),
    answered: ({ list, details }, asked) => {
      if (details.length > 0) emit({ ...seen(asked, details), span: shorter?.span, hidden: true });
      if (list.length > 0 || !hasBegun) emit(seen(asked, list));
      hasBegun = true;
    },
  });
}
