// The matching engine: it matches client orders with the quotes of the other traders and with each other as time advances.
import { Account, type Fill, type Margins, type Order } from './accounts.ts';
import type { Settings } from './faults.ts';
import { type Level, LISTINGS, type Listing, notional, OtherTraders } from './market.ts';
import type { Side } from './numbering.ts';
import { FEES, OTHER_ACCOUNTS, opposite, type Placed, type PlaceRequest, Refused, type Trade } from './trading.ts';

const STEP_MS = 100;
const STEPS_BETWEEN_TRADES = 7;
/** How long the markets have traded before the exchange opens. */
const PAST_MS = 120_000;

/** Resting liquidity at one price. Belongs to the other traders if it has no order. */
interface Offer extends Level {
  readonly order: Order | undefined;
}

export class MatchingEngine {
  readonly accounts = new Map<number, Account>();
  readonly orders = new Map<bigint, Order>();
  /** The oldest first. */
  readonly trades: Trade[] = [];
  readonly #otherTraders: ReadonlyMap<Listing, OtherTraders>;
  readonly #settings: Settings;
  readonly #nextId: () => bigint;
  readonly #timeAt: (elapsedMs: number) => number;
  #elapsedMs = -PAST_MS;
  #changes = 0;

  constructor({
    seed,
    settings,
    nextId,
    timeAt,
  }: { seed: string; settings: Settings; nextId: () => bigint; timeAt: (ms: number) => number }) {
    this.#otherTraders = new Map(LISTINGS.map((listing) => [listing, new OtherTraders(listing, seed)]));
    this.#settings = settings;
    this.#nextId = nextId;
    this.#timeAt = timeAt;
    this.advanceTo(0);
  }

  /** Sequence number; grows with every change. */
  get updateId(): number {
    return this.#changes;
  }

  /** Processes every step up to `elapsedMs`. The result does not depend on how often it is called. */
  advanceTo(elapsedMs: number): void {
    while (this.#elapsedMs + STEP_MS <= elapsedMs) {
      this.#elapsedMs += STEP_MS;
      this.#changes++;
      if (this.#settings.badData.includes('frozen')) continue;
      for (const others of this.#otherTraders.values()) this.#step(others);
    }
  }

  openAccount({ id, balance }: { id: number; balance: number }): Account {
    const account = new Account({ id, balance });
    this.accounts.set(id, account);
    return account;
  }

  /** The index price, which is also the mark price, in ticks. */
  indexOf = (listing: Listing): number => Math.round(this.#othersIn(listing).mid(this.#elapsedMs));

  marginsOf(account: Account, extra?: Pick<Order, 'listing' | 'side' | 'remaining'>): Margins {
    const margins = account.margins(this.indexOf, extra);
    return this.#settings.noFreeMargin ? { ...margins, omf: margins.imf } : margins;
  }

  /** Levels of one side, best price first. The quotes of the other traders never cross a client order. */
  levels(listing: Listing, side: Side): Level[] {
    const sizes = new Map<number, number>();
    for (const offer of this.#offers(listing, side)) sizes.set(offer.price, (sizes.get(offer.price) ?? 0) + offer.size);
    return [...sizes].map(([price, size]) => ({ price, size }));
  }

  /** Executes an order under `actionId`. Throws `Refused`, and changes nothing, if the order is not allowed. */
  place(request: PlaceRequest, actionId: bigint): Placed {
    const { account, listing, side, fillMode, price } = request;
    const admittedSize = this.#admit(request);
    const taken = this.#crossing(request, admittedSize);
    const filled = taken.reduce((total, take) => total + take.size, 0);
    if (fillMode === 'postOnly' && filled > 0) throw new Refused('POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS');
    if (fillMode === 'immediateOrCancel' && filled === 0) throw new Refused('IMMEDIATE_ORDER_GOT_NO_FILLS');
    if (fillMode === 'fillOrKill' && filled < admittedSize) throw new Refused('ORDER_EXECUTION_FILL_OR_KILL');
    const fills = taken.map((take) => this.#trade({ listing, offer: take, taker: account, takerSide: side, size: take.size, actionId }));
    const remaining = admittedSize - filled;
    if (remaining === 0 || fillMode === 'immediateOrCancel') return { posted: undefined, fills };
    const now = this.#timeAt(this.#elapsedMs);
    const orderId = this.#nextId();
    const { clientOrderId } = request;
    const stamps = { placedAt: now, updatedAt: now, actionId, end: undefined };
    const posted: Order = {
      orderId,
      account,
      listing,
      side,
      fillMode,
      price,
      originalSize: admittedSize,
      remaining,
      clientOrderId,
      ...stamps,
    };
    this.orders.set(orderId, posted);
    account.orders.set(orderId, posted);
    account.history.push(posted);
    this.#changes++;
    return { posted, fills };
  }

  cancel(order: Order, actionId: bigint): void {
    order.actionId = actionId;
    this.#finish(order, 'Canceled');
  }

  /** Returns the size to execute, in lots. Throws `Refused` if the order is invalid or the margin is insufficient. */
  #admit({ account, listing, side, fillMode, price, size, reduceOnly }: PlaceRequest): number {
    const atOnce = fillMode === 'immediateOrCancel' || fillMode === 'fillOrKill';
    if (this.#settings.badData.includes('frozen')) throw new Refused('MARKET_FROZEN');
    if (reduceOnly && !atOnce) throw new Refused('ONLY_IMMEDIATE_ORDERS_ALLOWED');
    if (size === 0) throw new Refused('ORDER_SIZE_ZERO');
    if (price === 0 && !atOnce) throw new Refused('ORDER_EXECUTION_MISSING_PRICE');
    const reducible = side === 'ask' ? account.sizeIn(listing) : -account.sizeIn(listing);
    if (reduceOnly && reducible <= 0) throw new Refused('POSITION_NOT_FOUND');
    const admittedSize = reduceOnly ? Math.min(size, reducible) : size;
    const before = this.marginsOf(account);
    const after = this.marginsOf(account, { listing, side, remaining: admittedSize });
    if (after.pon > before.pon && after.omf <= after.imf) throw new Refused('RISK_OMF_LESS_THAN_OR_EQUAL_IMF');
    return admittedSize;
  }

  /** Returns the offers of the opposite side that the order would take, best price first. */
  #crossing({ listing, side, price }: PlaceRequest, admittedSize: number): Offer[] {
    const taken: Offer[] = [];
    let left = admittedSize;
    for (const offer of this.#offers(listing, opposite(side))) {
      if (left === 0 || (price !== 0 && isBetter(opposite(side), price, offer.price))) break;
      taken.push({ ...offer, size: Math.min(left, offer.size) });
      left -= Math.min(left, offer.size);
    }
    return taken;
  }

  #step(others: OtherTraders): void {
    const { listing } = others;
    for (const order of this.#ordersIn(listing)) {
      const best = others.levels(opposite(order.side), this.#elapsedMs)[0];
      if (best === undefined || isBetter(opposite(order.side), order.price, best.price)) continue;
      const size = Math.min(order.remaining, best.size);
      const offer = { price: order.price, size, order };
      this.#trade({ listing, offer, taker: undefined, takerSide: opposite(order.side), size, actionId: this.#nextId() });
    }
    if (Math.round(this.#elapsedMs / STEP_MS) % STEPS_BETWEEN_TRADES !== 0) return;
    const { takerSide, size } = others.take(this.#elapsedMs);
    const offer = this.#offers(listing, opposite(takerSide))[0];
    if (offer === undefined) return;
    this.#trade({ listing, offer, taker: undefined, takerSide, size: Math.min(size, offer.size), actionId: this.#nextId() });
  }

  #trade(match: { listing: Listing; offer: Offer; taker: Account | undefined; takerSide: Side; size: number; actionId: bigint }): Trade {
    const { listing, offer, taker, takerSide, size, actionId } = match;
    const fee = (role: keyof typeof FEES): number => Math.ceil((notional(listing, offer.price, size) * FEES[role]) / 1e6);
    const terms: Omit<Fill, 'side' | 'fee'> = { listing, price: offer.price, size, actionId };
    taker?.fill({ ...terms, side: takerSide, fee: fee('taker') });
    if (offer.order !== undefined) this.#fillMaker(offer.order, { ...terms, side: opposite(takerSide), fee: fee('maker') });
    const trade: Trade = {
      ...terms,
      time: this.#timeAt(this.#elapsedMs),
      tradeId: this.#nextId(),
      takerId: taker?.id ?? OTHER_ACCOUNTS.taker,
      takerSide,
      makerId: offer.order?.account.id ?? OTHER_ACCOUNTS.maker,
      orderId: offer.order?.orderId ?? this.#nextId(),
      makerFee: fee('maker'),
      takerFee: fee('taker'),
    };
    this.trades.push(trade);
    this.#changes++;
    return trade;
  }

  #fillMaker(order: Order, fill: Fill): void {
    order.account.fill(fill);
    order.remaining -= fill.size;
    order.actionId = fill.actionId;
    if (order.remaining === 0) this.#finish(order, 'Filled');
    else order.updatedAt = this.#timeAt(this.#elapsedMs);
  }

  #finish(order: Order, end: 'Filled' | 'Canceled'): void {
    order.end = end;
    order.updatedAt = this.#timeAt(this.#elapsedMs);
    this.orders.delete(order.orderId);
    order.account.orders.delete(order.orderId);
    this.#changes++;
  }

  #offers(listing: Listing, side: Side): Offer[] {
    const ours = this.#ordersIn(listing);
    const resting = ours.filter((order) => order.side === side).map((order) => ({ price: order.price, size: order.remaining, order }));
    const oppositePrices = ours.filter((order) => order.side !== side).map((order) => order.price);
    const others = this.#othersIn(listing).levels(side, this.#elapsedMs);
    const free = others.filter((level) => oppositePrices.every((price) => isBetter(side, price, level.price)));
    const offers = [...free.map((level): Offer => ({ ...level, order: undefined })), ...resting];
    return offers.sort((a, b) => (side === 'bid' ? b.price - a.price : a.price - b.price));
  }

  #ordersIn(listing: Listing): Order[] {
    return [...this.orders.values()].filter((order) => order.listing === listing);
  }

  #othersIn(listing: Listing): OtherTraders {
    const others = this.#otherTraders.get(listing);
    if (others === undefined) throw new Error(`no market ${listing.symbol} here`);
    return others;
  }
}

/** True if price `a` is strictly better for a taker than `b` on that side of the book: a lower ask, a higher bid. */
const isBetter = (side: Side, a: number, b: number): boolean => (side === 'bid' ? a > b : a < b);
