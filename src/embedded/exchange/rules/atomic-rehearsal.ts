// Rehearses an atomic action on copies of the account and of the books' levels. Does not change the exchange.
import { TransientMap } from '../../../base/collections/transient-map.ts';
import { type Level, opposite, type Side, signOf } from '../../../bot/domain/book.ts';
import { type Lots, lots, micros, type Ticks } from '../../../bot/domain/numbers.ts';
import { canRest, type FillMode } from '../../../bot/domain/order.ts';
import { Fills } from '../book/fills.ts';
import { type MarketBook, refusalByFills, refusalByForm } from '../book/market-book.ts';
import type { CompoundRefusal, LimitedOrder } from '../commands.ts';
import { type ExchangeAccount, holdingIn, unsettledFunding } from '../state/account.ts';
import type { ExchangeState } from '../state/exchange-state.ts';
import { QUOTE } from '../state/listing.ts';
import type { MarketState } from '../state/market-state.ts';
import { remaining } from '../state/orders.ts';
import { afterTrade } from '../state/position.ts';
import { limitedToPosition } from './execution.ts';
import { plannedFills } from './order-checks.ts';
import { sizeWithin } from './order-limits.ts';
import { type PlannedOrder, refusalOf, withoutOrder } from './placing.ts';

interface RehearsedMarket extends MarketState {
  readonly book: LevelsBook;
}

/** Each call rehearses one part; the copies then have its effect. Returns the reason if the exchange would refuse it. */
export class Rehearsal {
  readonly #state: ExchangeState;
  readonly #markets = new Map<number, RehearsedMarket>();
  #account: ExchangeAccount;
  /** Number of rehearsed orders, for keys that never repeat: a cancel of another order makes the list of orders shorter. */
  #placed = 0;

  constructor(state: ExchangeState, account: ExchangeAccount) {
    this.#state = state;
    this.#account = {
      ...account,
      balances: [...account.balances],
      orders: new TransientMap(account.orders),
      holdings: new Map(account.holdings),
    };
  }

  /** Rehearses the cancel of an order that rested before the action. */
  cancel(orderId: string): CompoundRefusal | undefined {
    const order = this.#account.orders.get(orderId);
    if (order?.price === undefined || this.#state.queuedCancels.has(order)) return 'ORDER_NOT_FOUND';
    this.#account = withoutOrder(this.#account, order);
    this.#market(order.market)?.book.change(order.side, order.price, -remaining(order));
    return undefined;
  }

  /** Rehearses an order. Refuses one that would trade with another order of its account, which is not supported. */
  place(limited: LimitedOrder): CompoundRefusal | undefined {
    const marketState = this.#market(limited.market);
    if (marketState === undefined) return 'MARKET_NOT_FOUND';
    const size = sizeWithin(marketState, limited);
    if (typeof size === 'string') return size;
    const wanted: PlannedOrder = { ...limited, size };
    const order = limited.reduceOnly === true ? limitedToPosition(this.#account, marketState, wanted) : wanted;
    if (order === undefined) return 'POSITION_NOT_FOUND';
    // also plans the order: its fills are then in `book.fills`, until `commit`
    const refusal = refusalOf(this.#state, this.#account, marketState, order);
    if (refusal !== undefined) return refusal;
    if (this.#meetsItself(marketState, order.side)) return 'NOT_IMPLEMENTED';
    this.#rehearseTrade(marketState, order);
    return undefined;
  }

  #market(id: number): RehearsedMarket | undefined {
    const real = this.#state.marketStates[id];
    const known = this.#markets.get(id) ?? (real && { ...real, book: new LevelsBook(real.book) });
    if (known !== undefined) this.#markets.set(id, known);
    return known;
  }

  /** True if the planned fills reach the price of another order of the account. */
  #meetsItself({ market, book: { fills } }: MarketState, side: Side): boolean {
    if (fills.count === 0) return false;
    const last = fills.price(fills.count - 1);
    return [...this.#account.orders.values()].some(
      (own) => own.market === market.id && own.side !== side && own.price !== undefined && (own.price - last) * signOf(side) <= 0,
    );
  }

  #rehearseTrade(marketState: RehearsedMarket, order: PlannedOrder): void {
    const { market, book, funding } = marketState;
    const fills = plannedFills(this.#state, this.#account, marketState, order.side);
    const holding = holdingIn(this.#account, marketState);
    const balances = [...this.#account.balances];
    let { position } = holding;
    if (market.spec.kind === 'perp' && fills.length > 0) balances[QUOTE]! += unsettledFunding(holding);
    // `size` and `cost` are negative for a sale
    for (const { size, cost, fee } of fills) {
      balances[QUOTE]! -= fee;
      if (market.spec.kind === 'spot') {
        balances[market.spec.baseTokenId]! += size;
        balances[QUOTE]! -= cost;
      } else {
        const leg = afterTrade(position, { size, cost });
        position = leg.position;
        balances[QUOTE]! += leg.realised;
      }
    }
    const rest = canRest(order.fillMode) ? lots(order.size - book.fills.total) : lots(0);
    const open = { ...holding.open, [order.side]: lots(holding.open[order.side] + rest) };
    const fundingIndex = fills.length > 0 ? funding.index : holding.fundingIndex;
    const holdings = new Map(this.#account.holdings).set(market.id, { ...holding, position, fundingIndex, open });
    const orders = new TransientMap(this.#account.orders);
    if (rest > 0) orders.set(`rehearsed ${++this.#placed}`, restingOf(this.#account, { ...order, market: market.id, rest }));
    this.#account = { ...this.#account, balances, holdings, orders };
    book.commit();
  }
}

const restingOf = (
  account: ExchangeAccount,
  { market, side, fillMode, price, rest, reduceOnly }: PlannedOrder & { market: number; rest: Lots },
) => ({
  orderId: '',
  account: account.id,
  market,
  side,
  fillMode,
  price,
  size: rest,
  filled: lots(0),
  notional: micros(0),
  reduceOnly: reduceOnly === true,
  origin: 'user' as const,
  addedAt: 0,
  updatedAt: 0,
  updateActionId: '',
});

/** A book of levels only, without orders and handles. */
class LevelsBook implements MarketBook {
  readonly fills = new Fills();
  readonly #levels: Record<Side, Map<Ticks, number>>;
  /** Set by `plan`, used by `commit`. */
  #planned: { readonly side: Side; readonly price: Ticks | undefined; readonly rest: number } | undefined;

  constructor(book: MarketBook) {
    const copied = (side: Side): Map<Ticks, number> => new Map(book.levels(side).map(({ price, size }) => [price, size]));
    this.#levels = { bid: copied('bid'), ask: copied('ask') };
  }

  best(side: Side): Ticks | undefined {
    return this.levels(side)[0]?.price;
  }

  levels(side: Side): readonly Level[] {
    const levels = [...this.#levels[side]].map(([price, size]) => ({ price, size: lots(size) }));
    return levels.sort((a, b) => (b.price - a.price) * signOf(side));
  }

  /** Plans an order: its fills are in `fills` until the next plan; `commit` applies them to the levels. */
  plan(side: Side, mode: FillMode, size: Lots, price: Ticks | undefined) {
    this.fills.clear();
    const unfit = refusalByForm(mode, size, price);
    if (unfit !== undefined) return unfit;
    for (const level of this.levels(opposite(side))) {
      const left = size - this.fills.total;
      if (left === 0 || (price !== undefined && (level.price - price) * signOf(side) > 0)) break;
      this.fills.add(0, level.price, lots(Math.min(left, level.size)));
    }
    this.#planned = { side, price, rest: canRest(mode) ? size - this.fills.total : 0 };
    return refusalByFills(mode, size, this.fills);
  }

  commit(): undefined {
    const { side, price, rest } = this.#planned!;
    for (let index = 0; index < this.fills.count; index++) this.change(opposite(side), this.fills.price(index), -this.fills.size(index));
    if (rest > 0 && price !== undefined) this.change(side, price, rest);
  }

  change(side: Side, price: Ticks, by: number): void {
    const size = (this.#levels[side].get(price) ?? 0) + by;
    if (size > 0) this.#levels[side].set(price, size);
    else this.#levels[side].delete(price);
  }

  cancel(): void {
    throw new Error('a rehearsed book knows no orders');
  }

  shrink(): void {
    throw new Error('a rehearsed book knows no orders');
  }
}
