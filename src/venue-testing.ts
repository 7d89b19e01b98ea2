// The exports of `tickwright/venue-testing`: checks of the adapter of another exchange, against a fake of it that its author writes.

export type { Cancel, Clock, Millis } from './base/clock.ts';
export type { Rng } from './base/rng.ts';
export type { HttpReply, HttpRequest } from './base/transport/transport.ts';
export type { Side } from './bot/domain/book.ts';
export { checkVenue } from './research/testing/venue/check-venue.ts';
export {
  type DeclaredCapability,
  defineFake,
  type FakeDefinition,
  type FakeExchange,
  type FakeFill,
  type FakeOptions,
  type FakeOrder,
  type FakeSocket,
  type OthersOrder,
} from './research/testing/venue/fake.ts';
export type { VenueCapability, VenueCheckOptions, VenueCheckResult } from './research/testing/venue/result.ts';
export { type FakeServer, type ServeFakeOptions, serveFake } from './research/testing/venue/serve-fake.ts';
