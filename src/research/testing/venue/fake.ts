// The author's small copy of an exchange, against which the checks of an adapter are played (`tickwright/venue-testing`).
import type { Clock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import type { Rng } from '../../../base/rng.ts';
import type { HttpReply, HttpRequest } from '../../../base/transport/transport.ts';
import type { Side } from '../../../bot/domain/book.ts';

/** What an exchange may have or lack, as its fake declares it. It decides which checks apply. */
export const DECLARED = ['post-only', 'ioc', 'reduce-only', 'expiry', 'unique-ids'] as const;

/**
 * `post-only`: it refuses an order that must not trade at once. `ioc`: orders that never rest. `reduce-only`: orders that only reduce a position.
 * `expiry`: it never executes an order that arrives after the adapter's `orderLife`. `unique-ids`: it never accepts a client order id twice.
 */
export type DeclaredCapability = (typeof DECLARED)[number];

/** A resting order of another trader, or one that trades at once. Decimals, on the tick and the lot of the market. */
export interface OthersOrder {
  readonly side: Side;
  readonly price: number;
  readonly size: number;
}

/** An order of the account in the exchange's own record. Decimals. */
export interface FakeOrder {
  /** As the bot gave it to the adapter: 16 digits. A fake of an exchange that takes another form converts it back. */
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: number;
  /** As placed. */
  readonly size: number;
  /** The part that was not filled. */
  readonly left: number;
  /** True while it rests. */
  readonly isOpen: boolean;
}

/** One trade of an order of the account in the exchange's own record. Decimals. */
export interface FakeFill {
  /** Of the order. */
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  /** In quote money; positive if charged. */
  readonly fee: number;
  readonly role: 'maker' | 'taker';
}

/** The server's side of one websocket. */
export interface FakeSocket {
  /** Called with each message of the client. */
  message(text: string): void;
  /** Called once when the client is gone. */
  closed(): void;
}

/** One exchange, with one account and the other traders of one market. All of it acts at once, by the clock that `open` received. */
export interface FakeExchange {
  /** Answers a request with what the exchange would answer, refusals of signatures included. */
  handle(request: HttpRequest): HttpReply;
  /** Serves a websocket; absent if the exchange has none. */
  connect?(path: string, send: (text: string) => void): FakeSocket;
  /** Replaces all resting orders of other traders. They have any amount of money, and are never refused. An order that crosses trades first. */
  quote(orders: readonly OthersOrder[]): void;
  /** Another trader's order trades with what it crosses; the rest of it is dropped. */
  take(order: OthersOrder): void;
  /** From now on the market takes no orders, or takes them again; absent if that does not happen. */
  setFrozen?(frozen: boolean): void;
  /** Every order of the account that was ever accepted, oldest first. */
  orders(): readonly FakeOrder[];
  /** Every fill of the account, once, oldest first. */
  fills(): readonly FakeFill[];
  /** What the account holds of the base token, or its position: negative if short. */
  held(): number;
}

/** The time and the random numbers of a fake exchange: it must use no others. */
export interface FakeOptions {
  /** Virtual in the checks. */
  readonly clock: Clock;
  readonly rng: Rng;
}

/** What `defineFake` takes. */
export interface FakeDefinition {
  /** The market that is traded, as the adapter lists it. */
  readonly market: string;
  /** A usual price of it, decimal. */
  readonly price: number;
  /**
   * The size of an order of the checks, decimal: at least ten lots, worth what the exchange takes, and 100 to 1,000 of quote money. The account can
   * pay for a hundred of them, and in a spot market sell as many.
   */
  readonly size: number;
  /** The text of a key file that it accepts; absent if the adapter needs no key. */
  readonly key?: string | undefined;
  /** The text of a key file whose signature it refuses. */
  readonly wrongKey?: string | undefined;
  readonly can: readonly DeclaredCapability[];
  /** Opens an exchange of its own for one check: its account is flat, has enough money, and its market is empty. */
  open(this: void, options: FakeOptions): FakeExchange;
}

/** Checks the definition of a fake exchange, and returns it. Throws a UserError that says what is wrong with it. */
export function defineFake(definition: FakeDefinition): FakeDefinition {
  requireFake(definition);
  return definition;
}

/** Throws a UserError `fake` for anything that is not the definition of a fake exchange. */
export function requireFake(found: unknown): asserts found is FakeDefinition {
  const given = (typeof found === 'object' && found !== null ? found : {}) as Readonly<Record<keyof FakeDefinition, unknown>>;
  const { market, price, size, can, open } = given;
  if (typeof open !== 'function' || typeof market !== 'string')
    throw wrong('open or market is missing', 'export default defineFake({ market, price, size, can, open })');
  if (!isPositive(price) || !isPositive(size))
    throw wrong('price or size is no number above 0', 'give a usual price, and the size of an order');
  const names = Array.isArray(can) ? (can as readonly unknown[]) : ['can'];
  const strange = names.find((name) => !DECLARED.some((known) => known === name));
  if (strange !== undefined) throw wrong(`it can ${JSON.stringify(strange)}, which is not known`, `can: a list of ${DECLARED.join(', ')}`);
}

const isPositive = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value > 0;

const wrong = (message: string, hint: string): UserError =>
  new UserError({ code: 'fake', message: `not a fake exchange: ${message}`, hint });
