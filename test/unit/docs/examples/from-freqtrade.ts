// Long while the fast average is above the slow one and the market is not overbought; out when the averages cross back.
import { type CandleView, defineStrategy, ema, type Indicator, rsi } from 'tickwright';

const CANDLES = 200; // startup_candle_count

export default defineStrategy({
  name: 'ema-rsi',
  defaults: { market: 'BTCUSDC', fast: 12, slow: 26, rsiLength: 14, overbought: 70, size: 0.01 },
  history: { candles: { '15m': CANDLES } },
  every: '15m',
  create({ market, fast, slow, rsiLength, overbought, size }) {
    return (view) => {
      const btc = view.market(market);
      const finished = btc.candles('15m').slice(-CANDLES);
      const [fastEma, slowEma, strength] = [last(ema(fast), finished), last(ema(slow), finished), last(rsi(rsiLength), finished)];
      if (finished.length < CANDLES || fastEma === undefined || slowEma === undefined || strength === undefined) return [];
      const isLong = fastEma > slowEma && (btc.position > 0 || strength < overbought);
      return [btc.target({ position: isLong ? size : 0 })];
    };
  },
});

/** The newest value of an indicator over the closes. */
const last = (indicator: Indicator<number, number>, candles: readonly CandleView[]): number | undefined =>
  candles.map(({ close }) => indicator.update(close)).at(-1);
