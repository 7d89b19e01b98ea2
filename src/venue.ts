// The exports of `tickwright/venue`: what the adapter of another exchange needs. docs/exchanges.md says how to write one.
// The version of this interface is `API_VERSION`.

export { z } from 'zod';
export type { Cancel, Clock, Millis } from './base/clock.ts';
export { UserError } from './base/errors.ts';
export type { Rng } from './base/rng.ts';
export { ClientError, type ClientErrorKind, type ClientErrorParts } from './base/transport/client-error.ts';
export { type JsonOptions, type JsonRequest, jsonOver, subjectMismatch, validated } from './base/transport/json-request.ts';
export { type Dial, type HttpReply, type HttpRequest, type Transport, TransportError } from './base/transport/transport.ts';
export { readAs } from './base/wire/shapes.ts';
export type { Account, Margins, Position, RestingOrder } from './bot/domain/account.ts';
export type { Action, CancelOrder, PlaceOrder } from './bot/domain/action.ts';
export type { Book, Level, Side } from './bot/domain/book.ts';
export type { Candle } from './bot/domain/candle.ts';
export type { AccountEvent, LiveInfo } from './bot/domain/event.ts';
export { type MarketId, NO_ACTION } from './bot/domain/ids.ts';
export { Market, type MarketSpec } from './bot/domain/market.ts';
export { type Lots, lots, type Micros, micros, type Ticks, ticks } from './bot/domain/numbers.ts';
export type { Fill, FillMode, Trade } from './bot/domain/order.ts';
export { listedMarket } from './bot/exchange/kit/listing.ts';
export type { SealedAction } from './bot/exchange/kit/sending/outgoing.ts';
export { hintsOf } from './bot/exchange/kit/start-retries.ts';
export type {
  ActionResult,
  ClientRules,
  FillPages,
  PlaceReceipt,
  PrepareContext,
  PreparedAction,
  PublicClient,
  ReadAccount,
  StreamContext,
  TradePages,
  Unnumbered,
  VenueClient,
  VenueClock,
  VenueListing,
  VenueStreams,
} from './bot/exchange/kit/venue-client.ts';
export type { CandleRequest, PastCandles, Token } from './bot/exchange/port.ts';
export {
  API_VERSION,
  type ClientOptions,
  defineVenue,
  type VenueDefinition,
  type VenueKeyFile,
} from './venues/kind/modules/define-venue.ts';
export { AcceptedOrders } from './venues/shared/accepted-orders.ts';
export { candleIn, fillIn, inMicros, orderIn, positionIn, sideOf, tradeIn, tradeSideOf } from './venues/shared/convert.ts';
export { tradesByCursor } from './venues/shared/cursor-pages.ts';
export { DeltaBook } from './venues/shared/delta-book.ts';
export { FlagVerifier } from './venues/shared/flag-verifier.ts';
export { tradesWithoutIds } from './venues/shared/pages-without-ids.ts';
export { type ActionCalls, prepareUnsigned } from './venues/shared/prepare-unsigned.ts';
export { type PushMessage, type PushSource, pushStreams } from './venues/shared/push.ts';
export { gridOf, heldLotsOf, levelsOf, lotsOf, moneyOf, positiveLotsOf, ticksNear, ticksOf } from './venues/shared/validate.ts';
