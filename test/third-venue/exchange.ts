// A small third exchange: ticks of 0.25, initial and maintenance margin only, text ids, no engine time. It has one market: a perpetual, or at another
// address a spot market, whose fee of a purchase is taken from the tokens that are bought.
import type { Cancel, Clock, Rng } from 'tickwright/venue-testing';

export const INSTRUMENT = {
  name: 'BTC-PERP',
  kind: 'perpetual' as 'perpetual' | 'spot',
  base: 'BTC',
  quote: 'USD',
  tick: '0.25',
  /** The step of an order's size, and that of a balance or a position. */
  lot: '0.001',
  grain: '0.001',
  initial: '0.05',
  maintenance: '0.03',
  figures: 5,
  leastValue: '100',
};
export type Instrument = typeof INSTRUMENT;
export const SPOT_INSTRUMENT: Instrument = {
  ...INSTRUMENT,
  name: 'BTC-USD',
  kind: 'spot',
  grain: '0.00000001',
  initial: '1',
  maintenance: '0.5',
};
/** Dollars per tick and lot. */
const VALUE = 0.25 * 0.001;
const [INITIAL, MAINTENANCE, TAKER_FEE] = [0.05, 0.03, 0.0002];
const STEP_MS = 100;
const START_PRICE = 240_000;
const MARKET_MAKER = 'market maker';

/** Returns the API key of an account. */
export const keyOf = (account: string) => ({ name: account, secret: `secret-of-${account}` });

export type Side = 'buy' | 'sell';
export type Kind = 'limit' | 'postOnly' | 'ioc' | 'fok';

export interface Order {
  readonly id: string;
  readonly account: string;
  readonly clientId: string;
  readonly side: Side;
  /** Ticks; sizes in lots. */
  readonly price: number;
  readonly size: number;
  left: number;
}

/** One side of a trade. */
export interface FillRow {
  readonly id: string;
  readonly account: string;
  readonly orderId: string;
  readonly clientId: string;
  readonly side: Side;
  readonly role: 'maker' | 'taker';
  readonly price: number;
  readonly size: number;
  /** Dollars. */
  readonly fee: number;
  /** Lots of the tokens that were bought, if the fee was taken from them; it is worth `fee`. */
  readonly baseFee?: number | undefined;
  readonly at: number;
}

interface AccountRow {
  cash: number;
  /** In a spot market the tokens that it has, which may be parts of a lot. */
  position: number;
  /** Cost of the position in ticks × lots. */
  cost: number;
}

export type Placed = { readonly refused: string } | { readonly order: Order; readonly fills: readonly FillRow[] };
export type PlaceRequest = Omit<Order, 'id' | 'left'> & { readonly kind: Kind; readonly reduceOnly: boolean };

export class ThirdExchange {
  readonly orders: Order[] = [];
  /** All accepted orders except those of the market maker. */
  readonly placed: Order[] = [];
  /** Oldest first. */
  readonly fills: FillRow[] = [];
  /** Grows with each change of the book. */
  sequence = 1;
  frozen = false;
  /** Called after the book or the fills have changed. */
  onChange: (fills: readonly FillRow[]) => void = () => undefined;
  readonly instrument: Instrument;
  readonly #accounts = new Map<string, AccountRow>();
  readonly #clock: Clock;
  readonly #rng: Rng;
  readonly #clientIds = new Set<string>();
  readonly #pendingFills: FillRow[] = [];
  #fair = START_PRICE;
  #stepping = false;
  #stop: Cancel = () => undefined;

  /** With `quiet` its market has no traders of its own, and is empty. */
  constructor({
    clock,
    rng,
    quiet = false,
    instrument = INSTRUMENT,
  }: { clock: Clock; rng: Rng; quiet?: boolean; instrument?: Instrument }) {
    this.instrument = instrument;
    this.#clock = clock;
    this.#rng = rng.fork('third exchange');
    if (quiet) return;
    this.#quote();
    this.#stop = clock.at(clock.now() + STEP_MS, () => this.#step());
  }

  close(): void {
    this.#stop();
  }

  /** `tokens`: lots, for a spot market. */
  open(account: string, cash: number, tokens = 0): void {
    this.#accounts.set(account, { cash, position: tokens, cost: 0 });
  }

  get now(): number {
    return this.#clock.now();
  }

  /** The mark price in ticks. */
  get mark(): number {
    return Math.round(this.#fair);
  }

  best(side: Side): number | undefined {
    const prices = this.orders.filter((order) => order.side === side).map(({ price }) => price);
    if (prices.length === 0) return undefined;
    return side === 'buy' ? Math.max(...prices) : Math.min(...prices);
  }

  account(name: string) {
    const { cash, position, cost } = this.#row(name);
    if (this.instrument.kind === 'spot') return { ...this.#spotAccount(name), position };
    const pnl = (position * this.mark - cost) * VALUE;
    const own = this.orders.filter((order) => order.account === name);
    const total = (side: Side): number => own.filter((order) => order.side === side).reduce((sum, { left }) => sum + left, 0);
    const worst = Math.max(Math.abs(position + total('buy')), Math.abs(position - total('sell')));
    const initial = worst * this.mark * VALUE * INITIAL;
    const maintenance = Math.abs(position) * this.mark * VALUE * MAINTENANCE;
    return { name, cash, position, cost, pnl, equity: cash + pnl, initial, maintenance, orders: own };
  }

  /** The money that resting purchases need counts as margin, and so do the tokens that are offered. */
  #spotAccount(name: string) {
    const { cash, position } = this.#row(name);
    const orders = this.orders.filter(({ account }) => account === name);
    const spent = orders.reduce((sum, { side, left, price }) => sum + (side === 'buy' ? left * price * VALUE : 0), 0);
    const offered = orders.reduce((sum, { side, left }) => sum + (side === 'sell' ? left : 0), 0);
    const initial = offered > position ? Number.POSITIVE_INFINITY : spent;
    return { name, cash, cost: 0, pnl: 0, equity: cash, initial, maintenance: 0, orders };
  }

  place({ kind, reduceOnly, ...request }: PlaceRequest): Placed {
    if (request.clientId !== '' && this.#clientIds.has(request.clientId)) return { refused: 'DUPLICATE_CLIENT_ID' };
    if (this.frozen) return { refused: 'MARKET_FROZEN' };
    if (request.account !== MARKET_MAKER) {
      if (Number((request.price * 0.25).toPrecision(INSTRUMENT.figures)) !== request.price * 0.25) return { refused: 'TOO_MANY_FIGURES' };
      if (!reduceOnly && request.price * request.size * VALUE < Number(INSTRUMENT.leastValue)) return { refused: 'VALUE_TOO_LOW' };
    }
    const { position } = this.#row(request.account);
    const crossing = this.#crossing(request);
    if (kind === 'postOnly' && crossing.length > 0) return { refused: 'POST_ONLY_WOULD_TRADE' };
    const canTake = crossing.reduce((sum, { left }) => sum + left, 0);
    if (kind === 'fok' && canTake < request.size) return { refused: 'NO_FILLS' };
    if (kind === 'ioc' && canTake === 0) return { refused: 'NO_FILLS' };
    if (reduceOnly && Math.sign(position) !== (request.side === 'buy' ? -1 : 1)) return { refused: 'WOULD_NOT_REDUCE' };
    const order: Order = { ...request, id: this.#id(), left: reduceOnly ? Math.min(request.size, Math.abs(position)) : request.size };
    this.orders.push(order);
    const { equity, initial } = request.account === MARKET_MAKER ? { equity: 1, initial: 0 } : this.account(request.account);
    if (equity < initial) {
      this.orders.pop();
      return { refused: 'MARGIN_TOO_LOW' };
    }
    if (request.account !== MARKET_MAKER) this.placed.push(order);
    this.#clientIds.add(request.clientId);
    const fills = this.#match(order, crossing);
    if (order.left > 0 && kind !== 'limit' && kind !== 'postOnly') this.#remove(order);
    this.#changed(fills);
    return { order, fills: fills.filter(({ role }) => role === 'taker') };
  }

  /** Replaces all orders of the other traders. */
  quoteAs(orders: readonly Pick<Order, 'side' | 'price' | 'size'>[]): void {
    this.#inOneStep(() => {
      for (const order of this.orders.filter(({ account }) => account === MARKET_MAKER)) this.#remove(order);
      for (const order of orders) this.#placeForMarketMaker({ ...order, kind: 'limit' });
      const [bid, ask] = [this.best('buy'), this.best('sell')];
      if (bid !== undefined && ask !== undefined) this.#fair = (bid + ask) / 2;
    });
  }

  takeAs(order: Pick<Order, 'side' | 'price' | 'size'>): void {
    this.#inOneStep(() => this.#placeForMarketMaker({ ...order, kind: 'ioc' }));
  }

  /** Pushes once, after all changes. */
  #inOneStep(change: () => void): void {
    this.#stepping = true;
    change();
    this.#stepping = false;
    this.#changed([]);
  }

  /** Returns true if an order with this id was accepted. Otherwise none ever can be. */
  wasAccepted(account: string, clientId: string): boolean {
    if (this.placed.some((order) => order.account === account && order.clientId === clientId)) return true;
    this.#clientIds.add(clientId);
    return false;
  }

  /** Returns false if the order does not rest. */
  cancel(id: string, account: string): boolean {
    const order = this.orders.find((one) => one.id === id && one.account === account);
    if (order === undefined) return false;
    this.#remove(order);
    this.#changed([]);
    return true;
  }

  #row(name: string): AccountRow {
    const row = this.#accounts.get(name) ?? { cash: 0, position: 0, cost: 0 };
    this.#accounts.set(name, row);
    return row;
  }

  #crossing({ side, price }: Pick<Order, 'side' | 'price'>): Order[] {
    const sign = side === 'buy' ? 1 : -1;
    return this.orders
      .filter((other) => other.side !== side && sign * (price - other.price) >= 0)
      .sort((a, b) => sign * (a.price - b.price));
  }

  #match(taker: Order, crossing: readonly Order[]): readonly FillRow[] {
    const fills: FillRow[] = [];
    for (const maker of crossing) {
      const size = Math.min(maker.left, taker.left);
      if (size === 0) break;
      const trade = { id: this.#id(), price: maker.price, size, at: this.#clock.now() };
      for (const [order, role] of [
        [maker, 'maker'],
        [taker, 'taker'],
      ] as const) {
        order.left -= size;
        const { account, id: orderId, clientId, side } = order;
        const fee = role === 'taker' ? size * trade.price * VALUE * TAKER_FEE : 0;
        const baseFee = this.instrument.kind === 'spot' && side === 'buy' ? (fee === 0 ? 0 : size * TAKER_FEE) : undefined;
        const fill: FillRow = { ...trade, account, orderId, clientId, side, role, fee, baseFee };
        fills.push(fill);
        this.#settle(fill);
      }
      if (maker.left === 0) this.#remove(maker);
    }
    if (taker.left === 0) this.#remove(taker);
    this.fills.push(...fills);
    return fills;
  }

  #settle({ account, side, price, size, fee, baseFee }: FillRow): void {
    const row = this.#row(account);
    const change = side === 'buy' ? size : -size;
    if (this.instrument.kind === 'spot') {
      row.position += change - (baseFee ?? 0);
      row.cash -= change * price * VALUE + (baseFee === undefined ? fee : 0);
      return;
    }
    const closed = Math.sign(row.position) === -Math.sign(change) ? Math.min(Math.abs(row.position), size) : 0;
    const share = closed === 0 ? 0 : (row.cost * closed) / Math.abs(row.position);
    const sold = Math.sign(row.position) * closed * price;
    row.cash += (sold - share) * VALUE - fee;
    row.cost += Math.sign(change) * (size - closed) * price - share;
    row.position += change;
    if (row.position === 0) row.cost = 0;
  }

  #remove(order: Order): void {
    const index = this.orders.indexOf(order);
    if (index >= 0) this.orders.splice(index, 1);
  }

  #changed(fills: readonly FillRow[]): void {
    this.sequence += 1;
    this.#pendingFills.push(...fills);
    if (!this.#stepping) this.onChange(this.#pendingFills.splice(0));
  }

  /** Moves the price, replaces the quotes of the market maker at times, and sometimes takes liquidity. */
  #step(): void {
    this.#stop = this.#clock.at(this.#clock.now() + STEP_MS, () => this.#step());
    if (this.frozen) return;
    this.#inOneStep(() => {
      this.#fair += (this.#rng.next() - 0.5) * 40 + (START_PRICE - this.#fair) * 0.01;
      if (this.#rng.next() < 0.4) this.#quote();
      if (this.#rng.next() < 0.2) this.#take();
    });
  }

  #quote(): void {
    for (const order of this.orders.filter(({ account }) => account === MARKET_MAKER)) this.#remove(order);
    for (let level = 1; level <= 20; level++) {
      for (const side of ['buy', 'sell'] as const) {
        const price = Math.round(this.#fair) + (side === 'buy' ? -level : level) * 4;
        if (this.#crossing({ side, price }).length === 0)
          this.#placeForMarketMaker({ side, price, size: 20 + this.#rng.below(100), kind: 'limit' });
      }
    }
  }

  #take(): void {
    const side = this.#rng.next() < 0.5 ? 'buy' : 'sell';
    const price = Math.round(this.#fair) + (side === 'buy' ? 40 : -40);
    this.#placeForMarketMaker({ side, price, size: 1 + this.#rng.below(60), kind: 'ioc' });
  }

  #placeForMarketMaker(request: Pick<PlaceRequest, 'side' | 'price' | 'size' | 'kind'>): void {
    this.place({ ...request, account: MARKET_MAKER, clientId: '', reduceOnly: false });
  }

  /** Returns a random id in the form of a UUID. */
  #id(): string {
    const hex = (length: number): string => Array.from({ length }, () => this.#rng.below(16).toString(16)).join('');
    return [8, 4, 4, 4, 12].map(hex).join('-');
  }
}
