// The tools of one check of an adapter: a separate fake exchange, an adapter that is connected to it, and another client for single reads.
import { type Millis, VirtualClock } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { type Rng, rngFrom } from '../../../base/rng.ts';
import { isRead } from '../../../base/transport/transport.ts';
import type { Account, RestingOrder } from '../../../bot/domain/account.ts';
import type { Action, CancelOrder, PlaceOrder } from '../../../bot/domain/action.ts';
import type { Side } from '../../../bot/domain/book.ts';
import type { AccountEvent } from '../../../bot/domain/event.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { type Lots, lots, type Ticks } from '../../../bot/domain/numbers.ts';
import type { Fill, FillMode } from '../../../bot/domain/order.ts';
import { connectVenue } from '../../../bot/exchange/kit/connect.ts';
import type { ReadAccount, TradePages, VenueClient } from '../../../bot/exchange/kit/venue-client.ts';
import { loadConfig } from '../../../bot/run/core/config.ts';
import { requireDefinition, type VenueDefinition } from '../../../venues/kind/modules/define-venue.ts';
import { type FakeDefinition, type FakeExchange, type FakeOrder, type OthersOrder, requireFake } from './fake.ts';
import { FakeLine, type Mishap } from './line.ts';
import { driven, EventRecorder } from './recorder.ts';

/** The adapter and the fake that are checked. */
export interface VenueSubject {
  readonly venue: VenueDefinition<unknown>;
  readonly fake: FakeDefinition;
  /** What `venue.keyFile` made of the fake's key. */
  readonly key: unknown;
  readonly seed: string;
}

/** Throws a UserError if the adapter or the fake cannot be used at all. */
export function subjectOf<K>(venue: VenueDefinition<K>, fake: FakeDefinition, seed: string): VenueSubject {
  requireDefinition(venue);
  requireFake(fake);
  return { venue, fake, key: keyOf(venue, fake), seed };
}

function keyOf({ keyFile }: VenueDefinition<unknown>, { key: text }: FakeDefinition): unknown {
  if (keyFile === undefined) return undefined;
  const hint = 'key: the text of a key file that the fake accepts';
  if (text === undefined) throw new UserError({ code: 'fake', message: 'the adapter needs a key, and the fake has none', hint });
  const key = keyFile.parse(text);
  if (key === undefined) throw new UserError({ code: 'fake', message: 'the key of the fake is no key for the adapter', hint });
  return key;
}

/** Thrown by a check that has found a mistake of the adapter; the message says what was found and what was expected. */
export class Mistake extends Error {}

export function ensure(holds: boolean, found: string): asserts holds {
  if (!holds) throw new Mistake(found);
}

/** When every check begins. */
export const CHECK_START: Millis = Date.parse('2026-01-05T12:00:00Z');
const QUIET = { info: () => undefined, warn: () => undefined };
/** Levels of the other traders on each side. */
const LEVELS = 5;
/** The distance of the first level from the price, and of each level from the next, as a fraction. */
const SPACING = 0.0005;

/** The outcome of an order: the first definite event, or the event that no answer came. */
export type FirstOutcome = Extract<AccountEvent, { readonly kind: 'orderOpened' | 'orderRejected' | 'orderUnknown' }>;
type Cancelled = Extract<AccountEvent, { readonly kind: 'cancelAnswered' }>;

export interface CheckOrder {
  readonly side?: Side;
  /** A factor of the usual price. */
  readonly at?: number;
  /** A factor of the usual size. */
  readonly times?: number;
  readonly fillMode?: FillMode;
  readonly reduceOnly?: true;
  readonly size?: Lots;
}

export class VenueBench {
  readonly clock = new VirtualClock(CHECK_START);
  readonly exchange: FakeExchange;
  readonly line: FakeLine;
  /** Makes single reads. It is not connected, and has a line of its own, so that faults strike nothing else. */
  readonly client: VenueClient;
  readonly clientLine: FakeLine;
  readonly subject: VenueSubject;
  readonly rng: Rng;
  /** All markets of the listing. */
  markets: readonly Market[] = [];
  #recorder: EventRecorder | undefined;
  #market: Market | undefined;
  #placed = 0;

  constructor(subject: VenueSubject) {
    const { fake, seed } = subject;
    this.subject = subject;
    this.rng = rngFrom(seed).fork('bench');
    this.exchange = fake.open({ clock: this.clock, rng: rngFrom(seed).fork('fake') });
    this.line = new FakeLine(this.exchange, this.clock);
    this.clientLine = new FakeLine(this.exchange, this.clock);
    this.client = this.clientOver(this.clientLine);
  }

  /** Returns another client of the account, or of the account of another `key`. */
  clientOver(line: FakeLine, { key = this.subject.key, dial = false }: { key?: unknown; dial?: boolean } = {}): VenueClient {
    const { venue, seed } = this.subject;
    return venue.client({
      transport: line,
      clock: this.clock,
      rng: rngFrom(seed).fork('client'),
      key,
      ...(dial && this.exchange.connect !== undefined && { dial: line.dial }),
    });
  }

  /** Reads the listing, puts the other traders' orders into the book, and connects. */
  async open({ connected = true }: { connected?: boolean } = {}): Promise<this> {
    const { fake } = this.subject;
    const { markets } = await this.wait(this.client.listing());
    this.markets = markets;
    this.#market = markets.find(({ symbol }) => symbol === fake.market);
    ensure(this.#market !== undefined, `the adapter lists no market "${fake.market}", which the fake names`);
    this.quote();
    await this.ready(this.client);
    if (connected) await this.connect();
    return this;
  }

  /** Makes the first calls of a connection: clock, owner and open. */
  async ready(client: VenueClient): Promise<void> {
    await this.wait(client.clock?.read() ?? Promise.resolve(0));
    await this.wait(client.owner());
    await this.wait(client.open?.() ?? Promise.resolve());
  }

  /** Connects the adapter through the kit, as a run does. */
  async connect(client = this.clientOver(this.line, { dial: true })): Promise<EventRecorder> {
    const { polling } = loadConfig({ file: undefined, sets: [] });
    const options = {
      clock: this.clock,
      rng: this.rng.fork('venue'),
      polling: { ...polling, accountMs: 200, fillsMs: 200 },
      markets: [this.market.symbol],
      log: QUIET,
    };
    const venue = await this.wait(connectVenue(client, options));
    this.#recorder = new EventRecorder(venue, { clock: this.clock, close: () => venue.gateway.close() });
    return this.#recorder;
  }

  /** Records the events of the connected adapter. */
  get recorder(): EventRecorder {
    if (this.#recorder === undefined) throw new Error('the check has not connected');
    return this.#recorder;
  }

  get market(): Market {
    if (this.#market === undefined) throw new Error('the check has not read the listing');
    return this.#market;
  }

  /** Puts five levels of other traders on each side. */
  quote(mid = this.subject.fake.price): readonly OthersOrder[] {
    const { fake } = this.subject;
    const orders = (['bid', 'ask'] as const).flatMap((side) =>
      Array.from({ length: LEVELS }, (_, level) => {
        const price = mid * (1 + (side === 'bid' ? -1 : 1) * SPACING * (level + 1));
        return { side, price: this.market.price(this.market.restAt(side, price)), size: this.#size(fake.size * (level + 1)) };
      }),
    );
    this.exchange.quote(orders);
    return orders;
  }

  /** Sends an order of another trader, which trades with all orders up to its price. `at`: a factor of the usual price. */
  take(side: Side, size: number, at: number): void {
    const { fake } = this.subject;
    this.exchange.take({ side, size: this.#size(size), price: this.market.price(this.market.restAt(side, fake.price * at)) });
  }

  /** Another trader sells into a resting bid of the account, after the other traders' orders were removed, so that only this bid can be hit. */
  fill(size: number, at: number): void {
    const before = this.exchange.fills().length;
    this.exchange.quote([]);
    this.take('ask', size, at);
    this.quote();
    ensure(this.exchange.fills().length > before, `the fake filled nothing when another trader sold ${size} into a resting bid`);
  }

  #size(size: number): number {
    return this.market.size(this.market.lots(size));
  }

  /** An order that no one has placed: by default a bid that rests 3 % below the price. */
  order({ side = 'bid', at = side === 'bid' ? 0.97 : 1.03, times = 1, fillMode = 'LIMIT', reduceOnly, size }: CheckOrder = {}): PlaceOrder {
    const { fake } = this.subject;
    const price: Ticks = this.market.restAt(side, fake.price * at);
    const clientOrderId = String(2 ** 52 + ++this.#placed);
    const lotsOfOrder = size ?? lots(this.market.lots(fake.size) * times);
    const order = { kind: 'place', clientOrderId, market: this.market.id, side, price, size: lotsOfOrder, fillMode } as const;
    return reduceOnly === undefined ? order : { ...order, reduceOnly };
  }

  /** Submits actions through the kit. Returns the number of events so far: their outcomes come after these. */
  submit(...actions: readonly Action[]): number {
    const from = this.recorder.events.length;
    this.recorder.venue.gateway.submit(actions);
    return from;
  }

  /** Places an order through the kit. Resolves with the first outcome. */
  async place(order: PlaceOrder): Promise<FirstOutcome> {
    const from = this.submit(order);
    return this.recorder.found(`what became of an order`, () => this.outcomes(order, from)[0]);
  }

  /** Every outcome of an order since index `from`. */
  outcomes({ clientOrderId }: PlaceOrder, from = 0): readonly FirstOutcome[] {
    const { recorder } = this;
    return recorder.events
      .slice(from)
      .filter(
        (event): event is FirstOutcome => event.kind === 'orderOpened' || event.kind === 'orderRejected' || event.kind === 'orderUnknown',
      )
      .filter((event) => event.clientOrderId === clientOrderId);
  }

  /** Places an order that must rest, and returns it as the account lists it. */
  async rest(request: CheckOrder = {}): Promise<{ order: PlaceOrder; listed: RestingOrder }> {
    const order = this.order(request);
    const outcome = await this.place(order);
    ensure(outcome.kind === 'orderOpened', `an order that should rest was answered with ${outcomeText(outcome)}`);
    return { order, listed: await this.listedOrder(order) };
  }

  /** Reads the account until it lists an order. */
  async listedOrder({ clientOrderId }: PlaceOrder): Promise<RestingOrder> {
    const found = await this.until((account) => account.orders.find((one) => one.clientOrderId === clientOrderId));
    const ids = (await this.account()).orders.map((one) => one.clientOrderId ?? 'none');
    ensure(
      found !== undefined,
      `an accepted order is not in the account under its client order id ${clientOrderId}; listed: ${ids.join(', ') || 'no order'}`,
    );
    return found;
  }

  async cancel(order: PlaceOrder, { orderId }: Pick<RestingOrder, 'orderId'>): Promise<Cancelled> {
    const from = this.submit(cancelOf(order, orderId));
    return this.recorder.first('cancelAnswered', { from, where: (event) => event.clientOrderId === order.clientOrderId });
  }

  account(client = this.client): Promise<ReadAccount> {
    return this.wait(client.account([this.market]));
  }

  /** Reads the account until `find` returns something, for as long as a list may lag. */
  async until<T>(find: (account: ReadAccount) => T | undefined): Promise<T | undefined> {
    const end = this.clock.now() + this.client.rules.listingLagMs + 1_000;
    for (;;) {
      const found = find(await this.account());
      if (found !== undefined || this.clock.now() > end) return found;
      await this.pass(200);
    }
  }

  /** The account's position in the market; in a spot market the balance of its base token. */
  heldIn({ positions, balances }: Pick<Account, 'positions' | 'balances'>): number {
    const { spec, id } = this.market;
    if (spec.kind === 'spot') return balances.find(({ tokenId }) => tokenId === spec.baseTokenId)?.amount ?? 0;
    return this.market.size(positions.find(({ market }) => market === id)?.size ?? lots(0));
  }

  /** Every fill that the adapter lists, page by page, from all of its lists. */
  async fills(since?: Millis, client = this.client): Promise<readonly Fill[]> {
    const lists = client.fills([this.market]);
    return (await Promise.all(lists.map((list) => this.pages(list, since)))).flat();
  }

  pages<T>(list: TradePages<T>, since?: Millis): Promise<readonly T[]> {
    const read = async (): Promise<readonly T[]> => {
      const all: T[] = [];
      for await (const page of list.pages(since)) all.push(...page);
      return all;
    };
    return this.wait(read());
  }

  /** The exchange's own record of an order; undefined if it never accepted it. */
  recorded({ clientOrderId }: Pick<PlaceOrder, 'clientOrderId'>): FakeOrder | undefined {
    return this.exchange.orders().find((order) => order.clientOrderId === clientOrderId);
  }

  /** Lets a fault strike the actions of the connected adapter, and nothing else. */
  onActions(mishap: Mishap): void {
    this.line.mishap = (request, pass) => (isRead(request) ? undefined : mishap(request, pass));
  }

  /** Lets time pass. Throws an error of the adapter that has ended the events meanwhile. */
  async pass(span: Millis): Promise<void> {
    await this.clock.drive(this.clock.now() + span);
    this.#recorder?.requireHealthy();
  }

  wait<T>(promise: Promise<T>): Promise<T> {
    return driven(this.clock, promise);
  }

  /** Returns the error with which a promise rejects; undefined if it resolves. */
  async failure(call: () => Promise<unknown>): Promise<unknown> {
    try {
      await this.wait(call());
      return undefined;
    } catch (error) {
      return error ?? new Error('nothing');
    }
  }
}

export const cancelOf = ({ clientOrderId, market }: PlaceOrder, orderId: string): CancelOrder => ({
  kind: 'cancel',
  clientOrderId,
  market,
  orderId,
});

export function outcomeText(outcome: FirstOutcome | Cancelled): string {
  if (outcome.kind === 'orderRejected') return `a refusal (${outcome.error})`;
  if (outcome.kind === 'orderUnknown') return `"unknown" (${outcome.reason})`;
  if (outcome.kind === 'cancelAnswered') return `"${outcome.outcome}"${outcome.reason === undefined ? '' : ` (${outcome.reason})`}`;
  return 'acceptance';
}

export const errorText = (error: unknown): string => messageOf(error).split('\n')[0] ?? '';
