// Candles from before the embedded exchange began, for strategies that ask for a history.
import type { Exchange } from '../../../embedded/exchange.ts';
import { pastCandles } from '../../../embedded/history/past.ts';
import type { Venue } from '../../../exchange/port.ts';

/** The past that an embedded exchange has at this moment: made from its seed, up to its present prices. Nothing is made until somebody asks. */
export function embeddedPast(exchange: Exchange, seed: string): NonNullable<Venue['history']> {
  const end = exchange.now();
  const prices = new Map(exchange.markets.map(({ id, symbol }) => [symbol, exchange.live(id)?.mark ?? exchange.live(id)?.index]));
  return ({ market: { symbol }, span, count }) => {
    const price = prices.get(symbol);
    return { span, candles: price === undefined ? [] : pastCandles({ seed, symbol, price, end }, { span, count }) };
  };
}
