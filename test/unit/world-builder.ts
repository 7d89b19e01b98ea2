// Builds a world from events that a test writes in decimals.
import type { Millis } from '../../src/base/clock.ts';
import type { Account, RestingOrder } from '../../src/bot/domain/account.ts';
import { withSpotPositions } from '../../src/bot/domain/accounting/spot.ts';
import { type Action, DEFAULT_ORDER_LIFE } from '../../src/bot/domain/action.ts';
import type { Level, Side } from '../../src/bot/domain/book.ts';
import type { CancelAnswered, Event, LiveInfo } from '../../src/bot/domain/event.ts';
import { type ActionId, type MarketId, NO_ACTION } from '../../src/bot/domain/ids.ts';
import { Market, type MarketSpec } from '../../src/bot/domain/market.ts';
import { type Lots, lots, type Micros, type Ticks, toMicros } from '../../src/bot/domain/numbers.ts';
import type { Fill, FillMode, Order } from '../../src/bot/domain/order.ts';
import { type View, viewer } from '../../src/bot/strategy/view/view.ts';
import { World } from '../../src/bot/world/world.ts';

export const START: Millis = 1_700_000_000_000;

const FRACTIONS = { imf: 0.05, cmf: 0.0375, mmf: 0.025 };

export const marketOf = (spec: Partial<MarketSpec>): Market =>
  new Market({
    id: 0,
    symbol: 'BTCUSDC',
    kind: 'perp',
    baseTokenId: 1,
    quoteTokenId: 0,
    priceDecimals: 1,
    sizeDecimals: 4,
    ...FRACTIONS,
    ...spec,
  });

export const BTC = marketOf({});
export const ETH = marketOf({ id: 1, symbol: 'ETHUSDC', baseTokenId: 2, priceDecimals: 2, sizeDecimals: 3 });

type Pair = readonly [price: number, size: number];

interface Placed {
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  /** Client order id; by default the next number, from 1. */
  readonly id?: string;
  readonly fillMode?: FillMode;
}

interface Reported {
  readonly requests?: Account['requests'];
  /** Quote token of the account. `position` is the signed position in the builder's market. */
  readonly balance?: number;
  readonly position?: number;
  readonly entry?: number;
  /** In the quote token. By default omf and mf are the balance, the others 0. */
  readonly margins?: Partial<Record<'omf' | 'pon' | 'mf' | 'imf' | 'mmf', number>> & { readonly cmf?: number | undefined };
  readonly bankruptcy?: boolean;
  readonly tradingPnl?: number;
  /** Whole tokens other than the quote token, by id. The amount of a base token is the position of its spot market. */
  readonly tokens?: Readonly<Record<number, number>>;
  /** Time of the request; now by default. */
  readonly asked?: Millis;
  /** True: the update id is that of the last account. */
  readonly still?: boolean;
  /** The last action in the position; not shown by default. */
  readonly actionId?: ActionId;
  /** True: the orders have no client order ids. */
  readonly nameless?: boolean;
  /** What is left of our orders, by client order id; by default all that the world knows. */
  readonly left?: Readonly<Record<string, number>>;
  /** Foreign orders that rest on the same account. */
  readonly others?: readonly RestingOrder[];
}

/** Fields of a receipt; nothing was filled by default. */
interface Receipt {
  readonly orderId?: string | undefined;
  readonly actionId?: string;
  readonly taken?: readonly Pair[];
  /** The resting size; undefined if the receipt has none. Default: the whole order. */
  readonly resting?: number | undefined;
}

/** Every call applies one event, 1 ms after the last one; `after` adds time. Orders and books are those of the first market. */
export class WorldBuilder {
  readonly world: World;
  readonly #market: Market;
  #now: Millis = START;
  #sequence = 1;
  #updateId = '0';
  #balance = 10_000;
  #position = 0;
  #entry: number | undefined;
  #showsActions = false;

  constructor(markets: readonly [Market, ...Market[]] = [BTC], options: ConstructorParameters<typeof World>[1] = {}) {
    this.world = new World(markets, options);
    this.#market = markets[0];
  }

  /** The position of each account has the account's number as its last action. */
  showingActions(): this {
    this.#showsActions = true;
    return this;
  }

  after(span: Millis): this {
    this.#now += span;
    return this;
  }

  apply(event: (at: Millis) => Event): this {
    this.#now += 1;
    this.world.apply(event(this.#now));
    return this.#asked();
  }

  /** The view of a strategy; all gates are open by default. */
  view(open: ReadonlySet<MarketId> = new Set(this.world.markets.keys())): View {
    return viewer([...this.world.markets.values()])(this.world, open);
  }

  /** Levels best first. */
  book(bids: readonly Pair[], asks: readonly Pair[]): this {
    const book = { market: this.#market.id, updateId: this.#nextId(), bids: this.#levels(bids), asks: this.#levels(asks) };
    return this.apply((at) => ({ kind: 'bookSeen', at, asked: at, book }));
  }

  info({ price, ...rest }: Omit<Partial<LiveInfo>, 'index' | 'mark'> & { price: number }): this {
    const ticks = this.#market.ticksNear(price);
    const info: LiveInfo = { market: this.#market.id, index: ticks, mark: ticks, frozen: false, ...rest };
    return this.apply((at) => ({ kind: 'infoSeen', at, asked: at, infos: [info] }));
  }

  /** Applies an account. Missing fields keep their values. All own orders rest, except those in `gone`. */
  account(
    {
      balance = this.#balance,
      position = this.#position,
      entry = this.#entry,
      margins = {},
      tradingPnl = 0,
      tokens = {},
      asked,
      still = false,
      actionId = this.#showsActions ? undefined : NO_ACTION,
      nameless = false,
      left = {},
      bankruptcy = false,
      others = [],
      requests,
    }: Reported = {},
    gone: readonly string[] = [],
  ): this {
    [this.#balance, this.#position, this.#entry] = [balance, position, entry];
    if (!still) this.#updateId = this.#nextId();
    const updateId = this.#updateId;
    const size = this.#lots(position);
    const held = {
      market: this.#market.id,
      size,
      entry,
      tradingPnl: micros(tradingPnl),
      fundingPaymentPnl: micros(0),
      actionId: actionId ?? updateId,
    };
    const ours = this.world.orders().flatMap((order) => {
      const size = left[order.clientOrderId];
      return this.#resting(size === undefined ? order : { ...order, remaining: this.#lots(size) }, gone);
    });
    const orders = [...(nameless ? ours.map((order) => ({ ...order, clientOrderId: undefined })) : ours), ...others];
    const numerators = { omf: balance, mf: balance, imf: 0, cmf: 0, mmf: 0, pon: 0, ...margins };
    const account = {
      id: 7,
      updateId,
      balances: [
        { tokenId: 0, token: 'USDC', amount: balance },
        ...Object.entries(tokens).map(([tokenId, amount]) => ({ tokenId: Number(tokenId), token: `token ${tokenId}`, amount })),
      ],
      positions: size === 0 ? [] : [held],
      orders,
      margins: {
        omf: micros(numerators.omf),
        mf: micros(numerators.mf),
        imf: micros(numerators.imf),
        ...(numerators.cmf !== undefined && { cmf: micros(numerators.cmf) }),
        mmf: micros(numerators.mmf),
        pon: micros(numerators.pon),
        pn: micros(0),
        bankruptcy,
      },
      ...(requests !== undefined && { requests }),
    };
    const shown = withSpotPositions(account, this.world.markets.values(), (token) => `token ${token}`);
    return this.apply((at) => ({ kind: 'accountSeen', at, asked: asked ?? at, account: shown }));
  }

  /** Sends an order that is accepted and rests as `exchange-<id>`. */
  placed({ id = this.#nextId(), ...order }: Placed): this {
    return this.pending({ ...order, id }).opened(id);
  }

  /** Sends an order that has no answer yet. */
  pending({ side, price, size, id = this.#nextId(), fillMode = 'POST_ONLY' }: Placed): this {
    const [ticks, whole] = [this.#ticks(price), this.#lots(size)];
    return this.sent([{ kind: 'place', clientOrderId: id, market: this.#market.id, side, price: ticks, size: whole, fillMode }]);
  }

  opened(id: string, { orderId = `exchange-${id}`, actionId = this.#nextId(), taken = [], ...rest }: Receipt = {}): this {
    const resting = 'resting' in rest ? rest.resting : this.#market.size(this.#order(id).remaining);
    const reported = { actionId, taken: this.#levels(taken), resting: resting === undefined ? undefined : this.#lots(resting) };
    return this.apply((at) => ({ kind: 'orderOpened', at, clientOrderId: id, ...reported, ...(resting !== 0 && { orderId }) }));
  }

  /** A receipt without an order id and without a resting size. */
  openedBare(id: string): this {
    const actionId = this.#nextId();
    return this.apply((at) => ({ kind: 'orderOpened', at, clientOrderId: id, actionId, taken: [] }));
  }

  rejected(id: string, error = 'INSUFFICIENT_FUNDS'): this {
    return this.apply((at) => ({ kind: 'orderRejected', at, clientOrderId: id, error }));
  }

  /** `deadAfter` in engine seconds. */
  unknown(id: string, deadAfter: number): this {
    return this.apply((at) => ({ kind: 'orderUnknown', at, clientOrderId: id, reason: 'no answer within 3 s', deadAfter }));
  }

  /** Sends a cancel. */
  cancelling(id: string): this {
    return this.sent([{ kind: 'cancel', clientOrderId: id, market: this.#market.id, orderId: this.#order(id).orderId ?? '' }]);
  }

  cancelAnswered(id: string, outcome: CancelAnswered['outcome']): this {
    return this.apply((at) => ({ kind: 'cancelAnswered', at, clientOrderId: id, outcome }));
  }

  timer(): this {
    return this.apply((at) => ({ kind: 'timerFired', at }));
  }

  time(engineSeconds: number): this {
    return this.apply((at) => ({ kind: 'timeSeen', at, asked: at, engineSeconds }));
  }

  /** The same, after the life of an order has passed on our clock too. */
  outlived(engineSeconds: number): this {
    return this.after(DEFAULT_ORDER_LIFE * 1_000).time(engineSeconds);
  }

  /** One poll of own fills. */
  round(fills: readonly Omit<Fill, 'time'>[] = [], asked?: Millis): this {
    return this.apply((at) => ({ kind: 'fillsSeen', at, asked: asked ?? at, fills: fills.map((fill) => ({ ...fill, time: at })) }));
  }

  /** Two account snapshots 2 s apart, which together count as proof, then a poll of own fills. */
  lookedTwice(reported: Reported = {}, gone: readonly string[] = []): this {
    return this.account(reported, gone).after(2_000).account(reported, gone).round();
  }

  sent(actions: readonly Action[]): this {
    this.world.markSent(actions);
    return this.#asked();
  }

  /** Reports a fill of our order; the account does not show it yet. */
  filled(id: string, size?: number): this {
    const order = this.#order(id);
    const fill = {
      tradeId: this.#nextId(),
      actionId: this.#nextId(),
      market: order.market,
      side: order.side,
      price: order.price,
      size: size === undefined ? order.remaining : this.#lots(size),
      role: 'maker' as const,
      fee: micros(0),
      orderId: order.orderId ?? '',
    };
    return this.round([fill]);
  }

  /** A public trade of others. */
  traded({ side, price, size }: Placed): this {
    const trade = { tradeId: this.#nextId(), market: this.#market.id, takerSide: side, price: this.#ticks(price), size: this.#lots(size) };
    return this.apply((at) => ({ kind: 'tradesSeen', at, market: this.#market.id, trades: [{ ...trade, time: at }] }));
  }

  /** Reads what the world caches, so that a cache that misses the next event shows. */
  #asked(): this {
    for (const market of this.world.markets.keys()) {
      this.world.exposure(market);
      this.world.countedInMargins(market);
    }
    return this;
  }

  #order(id: string): Order {
    const order = this.world.orders().find(({ clientOrderId }) => clientOrderId === id);
    if (order === undefined) throw new Error(`no order ${id} in this world`);
    return order;
  }

  #resting(order: Order, gone: readonly string[]): RestingOrder[] {
    const { clientOrderId, market, side, price, size: originalSize, remaining: size } = order;
    if (gone.includes(clientOrderId) || size === 0) return [];
    return [{ orderId: order.orderId ?? `exchange-${clientOrderId}`, clientOrderId, market, side, price, size, originalSize }];
  }

  #levels(pairs: readonly Pair[]): Level[] {
    return pairs.map(([price, size]) => ({ price: this.#ticks(price), size: this.#lots(size) }));
  }

  #ticks(price: number): Ticks {
    const ticks = this.#market.ticksOf(price);
    if (ticks === undefined) throw new Error(`${price} is not on the tick of ${this.#market.symbol}`);
    return ticks;
  }

  #lots(size: number): Lots {
    const whole = this.#market.lotsOf(Math.abs(size));
    if (whole === undefined) throw new Error(`${size} is not whole lots of ${this.#market.symbol}`);
    return lots(size < 0 ? -whole : whole);
  }

  #nextId(): string {
    return String(this.#sequence++);
  }
}

/** A world with an index, one order on each side of the book, and an account without a position. */
export const calmWorld = ({ bid, ask }: { bid: number; ask: number }, market: Market = BTC): WorldBuilder =>
  new WorldBuilder([market])
    .info({ price: (bid + ask) / 2 })
    .book([[bid, 1]], [[ask, 1]])
    .account();

const micros = (amount: number): Micros => toMicros(amount) ?? (0 as Micros);
