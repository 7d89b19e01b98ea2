// The public API: everything that a strategy author imports.
export type { Millis } from './base/clock.ts';
export { UserError } from './base/errors.ts';
export type { Rng } from './base/rng.ts';
export type { Resolution } from './bot/domain/candle.ts';
export type { Exit, Intent, Quote, Target } from './bot/domain/intent.ts';
export { type Decide, defineStrategy, type History, type Strategy, type Tools } from './bot/strategy/contract.ts';
export {
  adx,
  atr,
  type DirectionalMovement,
  donchian,
  keltner,
  type Stochastic,
  stochastic,
  supertrend,
  type Trend,
  type VolumeCandle,
  vwap,
} from './bot/strategy/indicators/candle.ts';
export type { Bands, Candle, Indicator, TimedIndicator } from './bot/strategy/indicators/indicator.ts';
export { bollinger, ema, type Macd, macd, rsi, sma } from './bot/strategy/indicators/price.ts';
export { ewma, realisedVolatility } from './bot/strategy/indicators/timed.ts';
export {
  type FileInput,
  type FileRequest,
  type Freshness,
  file,
  type Input,
  type InputView,
  type PollInput,
  type PollRequest,
  poll,
  type StreamInput,
  type Subscribable,
  stream,
  type WebhookInput,
  webhook,
} from './bot/strategy/inputs.ts';
export type { BracketRequest, ExitAt, Exits, StopRequest } from './bot/strategy/intents/exits.ts';
export type { PriceLevel, QuoteRequest, TargetRequest } from './bot/strategy/intents/intents.ts';
export type { Log, LogFields } from './bot/strategy/log.ts';
export type { Memory } from './bot/strategy/memory.ts';
export { millisOf } from './bot/strategy/params.ts';
export type { CandleView, ExitedView, FillView, OrderView, TradeView } from './bot/strategy/view/market-parts.ts';
export type { MarketView } from './bot/strategy/view/market-view.ts';
export type { AccountView, AlignedCandles, View } from './bot/strategy/view/view.ts';
