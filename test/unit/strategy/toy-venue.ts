// The real engine and one strategy at an exchange of a few lines, whose price the test sets.
import { rngFrom } from '../../../src/base/rng.ts';
import type { RestingOrder } from '../../../src/bot/domain/account.ts';
import type { Action, PlaceOrder } from '../../../src/bot/domain/action.ts';
import { crosses, opposite, type Side, signOf } from '../../../src/bot/domain/book.ts';
import type { Event } from '../../../src/bot/domain/event.ts';
import type { Quote } from '../../../src/bot/domain/intent.ts';
import type { Market } from '../../../src/bot/domain/market.ts';
import { type Lots, lots, type Micros, type Ticks, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Fill } from '../../../src/bot/domain/order.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { Engine } from '../../../src/bot/engine/engine.ts';
import type { RiskRules } from '../../../src/bot/risk/guard.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import { deciderOf } from '../../../src/bot/strategy/decide.ts';
import { World } from '../../../src/bot/world/world.ts';
import { BTC, START } from '../world-builder.ts';

type Unstamped = Event extends infer Each ? (Each extends Event ? Omit<Each, 'at'> : never) : never;

/** As in a run, nothing is sent before the first book and account. */
const RULES: RiskRules = {
  gates: [
    {
      name: 'seen',
      check: (market, world) => (world.book(market.id) && world.account ? undefined : { kind: 'hold', reason: 'nothing seen yet' }),
    },
  ],
  guards: [],
};

const ZERO = 0 as Micros;

export class ToyVenue<P extends Params> {
  readonly market: Market = BTC;
  readonly placed: PlaceOrder[] = [];
  /** Oldest first. */
  readonly fills: Fill[] = [];
  cancels = 0;
  /** Returns true to refuse a placement. Post-only orders that would trade are always refused. */
  refuses: () => boolean = () => false;
  onTurn: (turn: Turn) => void = () => undefined;
  readonly #strategy: Strategy<P>;
  readonly #params: P;
  readonly #resting = new Map<string, RestingOrder>();
  #engine: Engine;
  #world: World;
  #now = START;
  #sequence = 1000;
  #mid: Ticks;
  #position = lots(0);
  #reported = 0;
  #quote: Quote | undefined;

  constructor(strategy: Strategy<P>, { price, params = {} }: { price: number; params?: Partial<P> }) {
    this.#strategy = strategy;
    this.#params = { ...strategy.defaults, ...params };
    this.#mid = this.market.restAt('bid', price);
    [this.#world, this.#engine] = this.#assemble();
  }

  get price(): number {
    return this.market.price(this.#mid);
  }

  get position(): number {
    return this.market.size(this.#position);
  }

  get world(): World {
    return this.#world;
  }

  /** The newest quote of the strategy. */
  get quote(): Quote {
    if (this.#quote === undefined) throw new Error('the strategy has returned no quote yet');
    return this.#quote;
  }

  /** Prices of the resting orders of a side, lowest first. */
  resting(side: Side): readonly number[] {
    const own = [...this.#resting.values()].filter((order) => order.side === side);
    return own.map(({ price }) => this.market.price(price)).sort((a, b) => a - b);
  }

  /** Reports the market, then the account and the fills; with `fillsFirst` the fills before the account. */
  look({ fillsFirst = false }: { fillsFirst?: boolean } = {}): this {
    this.#report(this.#book());
    const news = [() => this.#account(), () => this.#freshFills()];
    for (const reported of fillsFirst ? news.reverse() : news) this.#report(reported());
    return this;
  }

  wait(span: number): this {
    this.#now += span;
    return this;
  }

  /** Moves the price through all prices between, which fills the orders that rest there. */
  moveTo(price: number): this {
    this.#mid = this.market.restAt('bid', price);
    const passed = [...this.#resting.values()].filter((order) => crosses(order.side, order.price, this.#best(opposite(order.side))));
    passed.sort((a, b) => signOf(a.side) * (b.price - a.price));
    for (const order of passed) this.#fill(order, order.size);
    return this.wait(250);
  }

  /** Fills a share of our best order of a side. The price does not change. */
  take(side: Side, share: number): this {
    const [order] = [...this.#resting.values()].filter((each) => each.side === side).sort((a, b) => signOf(side) * (b.price - a.price));
    if (order !== undefined) this.#fill(order, lots(Math.max(1, Math.floor(order.size * share))));
    return this;
  }

  /** Continues as another process, which adopts the orders of the first one. */
  restart(): this {
    const orders = this.#world.orders();
    [this.#world, this.#engine] = this.#assemble();
    this.#world.adopt({ orders, fills: [] });
    return this;
  }

  #assemble(): [World, Engine] {
    const world = new World([this.market]);
    const decide = deciderOf(this.#strategy, this.#params, { rng: rngFrom('toy'), markets: [this.market] });
    return [world, new Engine({ world, decide, rules: RULES, nextClientOrderId: () => this.#next() })];
  }

  #report(first: Unstamped): void {
    const queue: Unstamped[] = [first];
    for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
      const turn = this.#engine.step({ ...event, at: ++this.#now });
      const quote = turn.intents.find((intent) => intent.kind === 'quote');
      if (quote !== undefined) this.#quote = quote;
      queue.push(...turn.actions.map((action) => this.#execute(action)));
      this.onTurn(turn);
    }
  }

  #execute(action: Action): Unstamped {
    const { clientOrderId } = action;
    if (action.kind === 'cancel') {
      this.cancels += 1;
      const outcome = this.#resting.delete(action.orderId) ? 'cancelled' : 'notFound';
      this.#next();
      return { kind: 'cancelAnswered', clientOrderId, outcome };
    }
    this.placed.push(action);
    const { market, side, price, size, fillMode } = action;
    if (this.refuses() || crosses(side, price, this.#best(opposite(side))))
      return { kind: 'orderRejected', clientOrderId, error: 'WOULD_CROSS' };
    if (fillMode !== 'POST_ONLY') throw new Error('this venue only lets orders rest');
    const [actionId, orderId] = [this.#next(), this.#next()];
    this.#resting.set(orderId, { orderId, clientOrderId, market, side, price, size, originalSize: size });
    return { kind: 'orderOpened', clientOrderId, actionId, orderId, taken: [], resting: size };
  }

  #fill(order: RestingOrder, size: Lots): void {
    const { orderId, market, side, price } = order;
    this.#resting.set(orderId, { ...order, size: lots(order.size - size) });
    if (order.size === size) this.#resting.delete(orderId);
    this.#position = lots(this.#position + signOf(side) * size);
    const [tradeId, actionId] = [this.#next(), this.#next()];
    this.fills.push({ tradeId, actionId, market, side, price, size, role: 'maker', orderId, time: this.#now });
  }

  #book(): Unstamped {
    const level = (side: Side) => [{ price: this.#best(side), size: lots(1000) }];
    return { kind: 'bookSeen', asked: this.#now, book: { market: 0, updateId: this.#next(), bids: level('bid'), asks: level('ask') } };
  }

  #account(): Unstamped {
    const updateId = this.#next();
    const size = this.#position;
    const margins = { omf: ZERO, mf: ZERO, imf: ZERO, cmf: ZERO, mmf: ZERO, pon: ZERO, pn: ZERO, bankruptcy: false };
    const position = { market: 0, size, entry: this.price, tradingPnl: ZERO, fundingPaymentPnl: ZERO, actionId: updateId };
    const positions = size === 0 ? [] : [position];
    return {
      kind: 'accountSeen',
      asked: this.#now,
      account: { id: 1, updateId, balances: [], positions, orders: [...this.#resting.values()], margins },
    };
  }

  #freshFills(): Unstamped {
    const fills = this.fills.slice(this.#reported);
    this.#reported = this.fills.length;
    return { kind: 'fillsSeen', asked: this.#now, fills };
  }

  /** A tick from the mid, without our orders. */
  #best = (side: Side): Ticks => ticks(this.#mid - signOf(side));

  #next(): string {
    return String(this.#sequence++);
  }
}
