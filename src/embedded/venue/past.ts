// Candles from before the embedded exchange began, for strategies that request a history.

import type { Venue } from '../../bot/exchange/port.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { pastCandles } from '../exchange/history/past.ts';
import { pastMovesOf, type Regime } from '../exchange/traders/regimes.ts';

interface PastOptions {
  readonly seed: string;
  /** How its markets move; the exchange's default if absent. */
  readonly regime?: Regime | undefined;
}

/** Returns the history of an embedded exchange, generated from its seed on request and ending at its current prices. */
export function embeddedPast(exchange: Exchange, { seed, regime }: PastOptions): NonNullable<Venue['history']> {
  const end = exchange.now();
  const moves = pastMovesOf(regime);
  const prices = new Map(exchange.markets.map(({ id, symbol }) => [symbol, exchange.live(id)?.mark ?? exchange.live(id)?.index]));
  return ({ market: { symbol }, span, count }) => {
    const price = prices.get(symbol);
    return { span, candles: price === undefined ? [] : pastCandles({ seed, symbol, price, end, moves }, { span, count }) };
  };
}
