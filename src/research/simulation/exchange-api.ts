// What the simulation and its invariants must know of an exchange's API: one environment and the same invariants play on each exchange.
import type { Clock, Millis } from '../../base/clock.ts';
import type { Disk } from '../../base/files/disk.ts';
import type { Rng } from '../../base/rng.ts';
import type { Dial, HttpReply, HttpRequest, Transport } from '../../base/transport/transport.ts';
import type { Book } from '../../bot/domain/book.ts';
import type { UpdateId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Venue as BotVenue } from '../../bot/exchange/port.ts';
import type { VenueOptions } from '../../bot/run/core/venue.ts';
import type { PlaceRequest } from '../../embedded/exchange/commands.ts';
import type { Exchange } from '../../embedded/exchange/exchange.ts';
import type { SimTrade } from '../../embedded/exchange/history/trades.ts';
import type { ListedMarket } from '../../embedded/exchange/state/listing.ts';
import type { StreamHub } from '../../embedded/server/hosted/streams/hub.ts';
import type { AccountCanceller } from '../../venues/operate/cancel-all.ts';
import type { Receipt, WireAction } from '../../venues/wire/codec.ts';
import type { FaultBox } from './plan/fault-box.ts';
import type { InjectedFault, PathOf } from './plan/faults.ts';
import type { Options } from './plan/options.ts';

/** An unaltered reply as a process received it. */
export interface ReceivedReply {
  readonly request: HttpRequest;
  readonly asked: Millis;
  readonly at: Millis;
  readonly body: Uint8Array;
}

/** The account that replies have shown a process. */
export interface ShownAccount {
  /** When the reply with its orders was requested. */
  readonly asked: Millis;
  /** When the last of its replies was received. */
  readonly at: Millis;
  readonly updateId: UpdateId;
  hasOrder(clientOrderId: string): boolean;
  /** The position in lots. */
  positionIn(market: Market): number;
}

type Role = 'maker' | 'taker';

/** The format of an API: what its requests and replies mean. Actions and receipts are those of the hosted API, which the record of a run keeps. */
export interface ExchangeApi {
  /** The greatest lag of a server behind the exchange. */
  readonly longestLag: Millis;
  readonly pathOf: PathOf;
  /** The request in the trace of a run. */
  nameOf(request: HttpRequest): string;
  /** True for a reply that shows the account, or one of the replies that together show it. */
  isAccount(request: HttpRequest): boolean;
  /** True for a reply with the newest data and all of it. */
  isWhole(request: HttpRequest): boolean;
  /** The terms of the listed markets; undefined if the request is not for them. */
  termsIn(request: Pick<HttpRequest, 'path' | 'body'>, body: Uint8Array): string | undefined;
  /** The exchange's time in whole seconds; undefined if it cannot be a time. */
  secondsIn(body: Uint8Array): number | undefined;
  /** Seconds of the exchange's time after which an action that was signed by the bot can no longer be executed, rounding and queues included. */
  deadAfter(action: WireAction): number;
  /** By how many seconds a signed time may be later than the newest one that was received `age` ago. */
  signedAhead(age: Millis): number;
  /** The seconds that the bot counts on from a time that was received `age` ago. */
  countedOn(age: Millis): number;
  /** Throws for what is no action. `other` for an action that changes nothing. */
  actionIn(body: Uint8Array): WireAction;
  /** The receipt in a reply to an action; throws for what is none. It names an action only if the reply does. */
  receiptIn(body: Uint8Array): Receipt;
  /** The accounts that these replies show, oldest first. */
  accountsIn(replies: readonly ReceivedReply[]): readonly ShownAccount[];
  /** The roles whose trades of the account the request lists; none for any other request. */
  rolesOf(request: HttpRequest): readonly Role[];
  /** The keys of the trades in a list of own trades, and that of a trade of the exchange. */
  tradeKeysIn(body: Uint8Array, markets: readonly Market[]): readonly string[];
  tradeKeyOf(trade: SimTrade): string;
  /** From when on a list of own trades must list them if it is empty; undefined if it is not. */
  emptySince(request: HttpRequest, body: Uint8Array): Millis | undefined;
  /** The exchange's id of a trade that the bot names so. */
  tradeIdOf(reported: string): string;
}

/** An action that was executed or refused. */
export interface PlayedAction {
  readonly action: WireAction;
  readonly receipt: Receipt;
  readonly reply: HttpReply;
}

/** The API of the exchange of one run. All calls are synchronous, on an exchange that was brought to the present. */
export interface ApiServer {
  answer(request: HttpRequest): HttpReply;
  /** Executes an action, unless it is refused with this error of the hosted API before the engine. */
  act(request: HttpRequest, refused: (action: WireAction) => string | undefined): PlayedAction;
  /** The requests that together show the account, and the request for the listed markets. */
  readonly accountRequests: readonly HttpRequest[];
  readonly listingRequest: HttpRequest;
  /** Its websocket. */
  readonly streams: StreamHub;
  /** The present books of all markets, as polls and the websocket show them. */
  books(): readonly Book[];
  /** The reply to a request for trades that lists none after this one. */
  tradesUpTo(request: HttpRequest, trade: string): HttpReply;
  /** The exchange's last action that each account with this number includes. */
  actionOf(updateId: UpdateId): number;
  /** The last action that any account with this number includes: numbers may be times, and the exchange's clock may stand still. */
  lastActionOf(updateId: UpdateId): number;
  /** The exchange was restarted, or is another one. */
  restarted(exchange: Exchange, fault: InjectedFault): { readonly hasForgotten: boolean };
  /** Cancels resting orders of the account with which a new order of it would trade; absent if an account may trade with itself. */
  cancelCrossed?(order: PlaceRequest): void;
  /** Ends sessions now or after this many seconds, or gives them to somebody else; absent if there are none. */
  endSessions?(when: number | 'now' | 'taken'): void;
}

export interface ServerParts {
  readonly options: Options;
  readonly clock: Clock;
  readonly faults: FaultBox;
  readonly exchange: Exchange;
  readonly account: number;
  readonly engineTime: () => Millis;
  /** Engine time when the present action arrived, if that is the time that counts. */
  readonly arrivedAt: () => Millis | undefined;
  readonly shift: () => { readonly price: number; readonly size: number };
}

export interface Connecting extends Omit<VenueOptions, 'polling'> {
  readonly options: Options;
  readonly transport: Transport;
  readonly dialStreams?: ((path: string) => Dial) | undefined;
  /** True if its start compares the schema with the published one, which takes a request more. */
  readonly comparesSchema: boolean;
}

export interface Cancelling {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly transport: Transport;
  readonly disk: Disk;
  readonly account: number;
  readonly hasTraded: boolean;
}

/** An exchange of a run with the keys of its user. */
export interface PlayedExchange {
  readonly name: string;
  readonly api: ExchangeApi;
  /** The user of the account. */
  readonly user: string;
  readonly secrets: readonly Uint8Array[];
  /** The markets as the exchange lists them. */
  listed(markets: readonly ListedMarket[]): readonly ListedMarket[];
  /** Writes what a state directory has before the first start. */
  prepare(disk: Disk): void;
  serve(parts: ServerParts): ApiServer;
  /** Connects a process as the command line does. */
  connect(options: Connecting): Promise<BotVenue>;
  canceller(options: Cancelling): AccountCanceller;
}

export interface PlayedOpening {
  readonly options: Options;
  readonly markets: readonly ListedMarket[];
  readonly rng: Rng;
}
