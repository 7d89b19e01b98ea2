// The public API: everything that a strategy author imports.
export type { Millis } from './base/clock.ts';
export { UserError } from './base/errors.ts';
export type { Rng } from './base/rng.ts';
export type { Resolution } from './domain/candle.ts';
export type { Exit, Intent, Quote, Target } from './domain/intent.ts';
export { type Decide, defineStrategy, type History, type Strategy, type Tools } from './strategy/contract.ts';
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
} from './strategy/indicators/candle.ts';
export type { Bands, Candle, Indicator, TimedIndicator } from './strategy/indicators/indicator.ts';
export { bollinger, ema, type Macd, macd, rsi, sma } from './strategy/indicators/price.ts';
export { ewma, realisedVolatility } from './strategy/indicators/timed.ts';
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
} from './strategy/inputs.ts';
export type { BracketRequest, ExitAt, Exits, StopRequest } from './strategy/intents/exits.ts';
export type { PriceLevel, QuoteRequest, TargetRequest } from './strategy/intents/intents.ts';
export type { Log, LogFields } from './strategy/log.ts';
export type { Memory } from './strategy/memory.ts';
export { millisOf } from './strategy/params.ts';
export type { CandleView, ExitedView, FillView, OrderView, TradeView } from './strategy/view/market-parts.ts';
export type { MarketView } from './strategy/view/market-view.ts';
export type { AccountView, AlignedCandles, View } from './strategy/view/view.ts';
