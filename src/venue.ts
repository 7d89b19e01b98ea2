// The exports of `tickwright/venue`: what the adapter of another exchange needs. docs/exchanges.md says how to write one.
// The version of this interface is `API_VERSION`.

export { z } from 'zod';
export type { Cancel, Clock, Millis } from './base/clock.ts';
export { UserError } from './base/errors.ts';
export type { Rng } from './base/rng.ts';
export { type Dial, type HttpReply, type HttpRequest, type Transport, TransportError } from './base/transport.ts';
export type { Account, Margins, Position, RestingOrder } from './domain/account.ts';
export type { Action, CancelOrder, PlaceOrder } from './domain/action.ts';
export type { Book, Level } from './domain/book.ts';
export type { Candle } from './domain/candle.ts';
export type { AccountEvent, LiveInfo } from './domain/event.ts';
export { type MarketId, NO_ACTION } from './domain/ids.ts';
export { Market, type MarketSpec } from './domain/market.ts';
export { type Lots, lots, type Micros, micros, type Ticks, ticks } from './domain/numbers.ts';
export type { Fill, FillMode, Trade } from './domain/order.ts';
export type { Side } from './domain/side.ts';
export { ClientError, type ClientErrorKind, type ClientErrorParts } from './exchange/kit/client-error.ts';
export { tradesByCursor } from './exchange/kit/cursor-pages.ts';
export { type JsonOptions, type JsonRequest, jsonOver, subjectMismatch, validated } from './exchange/kit/json-request.ts';
export { listedMarket } from './exchange/kit/listing.ts';
export { tradesWithoutIds } from './exchange/kit/pages-without-ids.ts';
export { AcceptedOrders } from './exchange/kit/sending/accepted-orders.ts';
export type { SealedAction } from './exchange/kit/sending/outgoing.ts';
export { type ActionCalls, prepareUnsigned } from './exchange/kit/sending/prepare-unsigned.ts';
export { DeltaBook } from './exchange/kit/streams/delta-book.ts';
export { type PushMessage, type PushSource, pushStreams } from './exchange/kit/streams/push.ts';
export { heldLotsOf, levelsOf, lotsOf, moneyOf, positiveLotsOf, ticksNear, ticksOf } from './exchange/kit/streams/validate.ts';
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
} from './exchange/kit/venue-client.ts';
export type { CandleRequest, PastCandles, Token } from './exchange/port.ts';
export {
  API_VERSION,
  type ClientOptions,
  defineVenue,
  type VenueDefinition,
  type VenueKeyFile,
} from './run/venues/modules/define-venue.ts';
export { readAs } from './wire/json/shapes.ts';
