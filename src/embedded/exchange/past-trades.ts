// Trades from before the start of the exchange: four for each minute of its past, at the open, the extremes and the close, so that candles built from
// them equal those minutes in their prices; volumes are rounded.
import { MINUTE, type Millis } from '../../base/clock.ts';
import type { Candle } from '../../bot/domain/candle.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import { lots, type Ticks } from '../../bot/domain/numbers.ts';
import { type Past, pastCandles } from './history/past.ts';
import { addAccount, type ExchangeState, feePpm, nextAction } from './state/exchange-state.ts';
import { feeOn } from './state/fees.ts';
import type { MarketState } from './state/market-state.ts';

export interface PastTradesOptions extends Pick<Past, 'seed' | 'moves'> {
  readonly spanMs: Millis;
}

/** The times in a minute of its four trades: at its open, its two extremes, and its close. */
const OFFSETS: readonly Millis[] = [0, 20_000, 40_000, 59_000];

interface PastTrade {
  readonly time: Millis;
  readonly price: Ticks;
  readonly volume: number;
  /** True if the price rises in this minute, or stays. */
  readonly rises: boolean;
  readonly taker: AccountId;
  readonly maker: AccountId;
}

/** Adds the trades to the list and to the statistics of the day. Nothing may have been traded yet. The traders' balances stay as they are. */
export function addPastTrades(state: ExchangeState, { spanMs, ...past }: PastTradesOptions): void {
  const count = Math.floor(spanMs / MINUTE);
  const taker = addAccount(state, { isOtherTrader: true }).id;
  const maker = addAccount(state, { isOtherTrader: true }).id;
  const minutes = state.marketStates.map(({ market, prices }) =>
    pastCandles({ ...past, symbol: market.symbol, price: prices.index, end: state.now }, { span: MINUTE, count }),
  );
  for (let index = 0; index < count; index++) {
    for (const [step, offset] of OFFSETS.entries()) {
      for (const [id, marketState] of state.marketStates.entries()) {
        const candle = minutes[id]![index]!;
        const { start, open, close, volume = lots(0) } = candle;
        const price = pathOf(candle)[step]!;
        add(state, marketState, { time: start + offset, price, volume, rises: close >= open, taker, maker });
      }
    }
  }
}

/** Returns the prices of a minute's trades. A minute that rises reaches its low first. */
const pathOf = ({ open, high, low, close }: Candle): readonly Ticks[] =>
  close >= open ? [open, low, high, close] : [open, high, low, close];

function add(state: ExchangeState, { market, statistics }: MarketState, { time, price, volume, rises, taker, maker }: PastTrade): void {
  const size = lots(Math.max(1, Math.floor(volume / OFFSETS.length)));
  const notional = market.notional(price, size);
  const entry = {
    time,
    action: nextAction(state),
    market: market.id,
    takerId: taker,
    takerSide: rises ? ('bid' as const) : ('ask' as const),
    makerId: maker,
    order: ++state.orders,
    price,
    size,
    makerFee: feeOn(notional, feePpm(state, state.accounts[maker]!, 'maker')),
    takerFee: feeOn(notional, feePpm(state, state.accounts[taker]!, 'taker')),
    liquidation: false,
  };
  statistics.add(entry, notional);
  state.trades.record(entry);
}
