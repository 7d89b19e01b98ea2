// A strategy's view of one market in one turn: data in decimals, and functions that create intents.
import { MINUTE, type Millis } from '../../../base/clock.ts';
import type { Fees, Position } from '../../domain/account.ts';
import { type Book, bookFault, type Level } from '../../domain/book.ts';
import { type Resolution, spanOf } from '../../domain/candle.ts';
import type { LiveInfo } from '../../domain/event.ts';
import type { Quote, Target } from '../../domain/intent.ts';
import { type Market, type MarketKind, midOf } from '../../domain/market.ts';
import { type Lots, lots, type Micros, type Ticks, ticks, toDecimal } from '../../domain/numbers.ts';
import type { Fill, Order, Trade } from '../../domain/order.ts';
import { exitStates } from '../../world/position/exit-state.ts';
import type { World } from '../../world/world.ts';
import { type Exits, exiter } from '../intents/exits.ts';
import { type PriceLevel, type QuoteRequest, quoter, type TargetRequest, targeter } from '../intents/intents.ts';
import { type CandleViews, candleViews, checkSpan } from './candle-views.ts';
import {
  type CandleView,
  type ExitedView,
  exitedView,
  type FillView,
  fillView,
  mapIfChanged,
  type OrderView,
  orderView,
  type TradeView,
  tradeView,
} from './market-parts.ts';

/** One market in one turn. Prices in quote money, sizes in base units, times in milliseconds since the epoch. Undefined if not known. */
export interface MarketView extends Exits {
  readonly symbol: string;
  /** A spot market or a perpetual. */
  readonly kind: MarketKind;
  /** The step of prices at the best ask; the smallest one without a book. */
  readonly tick: number;
  /** The size step. */
  readonly lot: number;
  /** The smallest size of an order: the lot, or what the least value of an order requires at the middle of the book. */
  readonly minSize: number;
  /** Maximum leverage: 1 / imf of a perpetual, 1 of a spot market. */
  readonly maxLeverage: number;
  /** Fees of the account, as fractions of the notional; negative for a rebate. Undefined if the exchange does not report them. */
  readonly fees: Fees | undefined;
  /** Undefined while the book has not been seen or has no bids. */
  readonly bestBid: number | undefined;
  /** Undefined while the book has not been seen or has no asks. */
  readonly bestAsk: number | undefined;
  /** Midway between the best bid and ask; undefined while the book has not been seen, has an empty side or is crossed, or a gate holds the market. */
  readonly mid: number | undefined;
  /** Best first. Includes our own resting orders. */
  readonly depth: { readonly bids: readonly PriceLevel[]; readonly asks: readonly PriceLevel[] };
  /** All market trades since the last turn, oldest first. */
  readonly trades: readonly TradeView[];
  /**
   * Finished candles of a resolution from `1m` (the default) to `1d`, oldest first: the newest 500, or more if the strategy's `history` asks for more.
   * In a backtest on candles those of the tape, value by value; otherwise the exchange's own candles of the mark price, or candles of the marks that
   * were polled. They begin at multiples of their length in UTC; one whose beginning was not seen is left out. Throws a UserError for a resolution that
   * the data does not have.
   */
  readonly candles: (resolution?: Resolution) => readonly CandleView[];
  /**
   * The average close of the newest `length` candles that `candles` returns for the resolution; undefined if there are fewer. As fast for many candles as for
   * few. Throws a UserError as `candles` does, and if `length` is not a whole number of at least 1.
   */
  readonly averageClose: (length: number, resolution?: Resolution) => number | undefined;
  /** The mark price, at which the exchange values positions. */
  readonly mark: number | undefined;
  /** The index price. */
  readonly index: number | undefined;
  /** Funding rate as a fraction per hour, and the time of the next payment. `paid`: the rate is that of the last payment; the next is not announced. */
  readonly funding: { readonly rate: number; readonly at: Millis | undefined; readonly paid: boolean } | undefined;
  /** True while the exchange has frozen the market. */
  readonly frozen: boolean;
  /** Our orders that are, or may be, at the exchange. */
  readonly orders: readonly OrderView[];
  /** Our fills since the last turn, oldest first. */
  readonly fills: readonly FillView[];
  /**
   * Signed. For a perpetual, the position in the newest account, which does not include later fills. For a spot market, the balance of the base token
   * in whole lots, with the fills that the account does not include yet.
   */
  readonly position: number;
  /** Since when the position has been long, or short, also over restarts of the run. Undefined when flat. Its age is `view.now - heldSince`. */
  readonly heldSince: Millis | undefined;
  /** Average price of the position; undefined when flat. */
  readonly entry: number | undefined;
  /** Unrealised profit of the open position from prices and from funding, in quote money. */
  readonly pnl: { readonly trading: number; readonly funding: number };
  /** The exit that is closing the position, or has closed it while orders of its side wait; undefined if there is none. */
  readonly exited: ExitedView | undefined;
  /** Makes an intent: exactly these orders rest. */
  readonly quote: (request: QuoteRequest) => Quote;
  /** Makes an intent: this position is held. */
  readonly target: (request: TargetRequest) => Target;
}

/**
 * Returns a function that creates a market's view in each turn. A market that is not open shows no prices, so that an invalid book cannot enter an
 * average.
 */
export function marketViewer(market: Market): (world: World, asked: { readonly open: boolean }) => MarketView {
  const constants: Constants = {
    market,
    tick: market.price(ticks(1)),
    lot: market.size(lots(market.spec.orderLots ?? 1)),
    maxLeverage: market.spec.kind === 'spot' ? 1 : 1 / market.spec.imf,
    quote: quoter(market),
    target: targeter(market),
    exits: exiter(market),
    orderViews: mapIfChanged((order: Order) => orderView(order, market)),
    candleViews: candleViews(market),
  };
  return (world, asked) => new TurnMarketView(constants, world, asked);
}

/** The values common to all views of a market. */
interface Constants extends Pick<MarketView, 'tick' | 'lot' | 'maxLeverage' | 'quote'> {
  readonly target: ReturnType<typeof targeter>;
  readonly exits: Exits;
  readonly market: Market;
  readonly orderViews: (orders: readonly Order[]) => readonly OrderView[];
  readonly candleViews: CandleViews;
}

/** Keeps the values of its turn, and converts lists lazily. */
class TurnMarketView implements MarketView {
  readonly symbol: string;
  readonly kind: MarketKind;
  readonly tick: number;
  readonly lot: number;
  readonly minSize: number;
  readonly maxLeverage: number;
  readonly fees: Fees | undefined;
  readonly bestBid: number | undefined;
  readonly bestAsk: number | undefined;
  readonly mid: number | undefined;
  readonly mark: number | undefined;
  readonly index: number | undefined;
  readonly frozen: boolean;
  readonly position: number;
  readonly quote: MarketView['quote'];
  readonly stopLoss: MarketView['stopLoss'];
  readonly trailingStop: MarketView['trailingStop'];
  readonly takeProfit: MarketView['takeProfit'];
  readonly bracket: MarketView['bracket'];
  readonly #constants: Constants;
  readonly #now: Millis;
  readonly #book: Book | undefined;
  readonly #info: LiveInfo | undefined;
  readonly #open: Position | undefined;
  readonly #held: Lots;
  readonly #orders: readonly Order[];
  readonly #fills: readonly Fill[];
  readonly #trades: readonly Trade[];
  readonly heldSince: Millis | undefined;
  readonly #candles: World['candles'];
  readonly #memory: World['memory'];

  constructor(constants: Constants, world: World, { open }: { readonly open: boolean }) {
    const { market } = constants;
    const newest = world.info(market.id)?.value;
    const info = open ? newest : undefined;
    const book = open ? world.book(market.id)?.value : undefined;
    this.#constants = constants;
    this.#now = world.now;
    this.#book = book;
    this.#info = info;
    this.#open = world.position(market.id);
    this.#held = world.held(market.id);
    this.#orders = world.orders(market.id);
    this.#fills = world.fills(market.id);
    this.#trades = world.trades(market.id);
    this.#candles = world.candles;
    this.symbol = market.symbol;
    this.kind = market.spec.kind;
    this.tick = tickAt(book, constants);
    this.lot = constants.lot;
    this.maxLeverage = constants.maxLeverage;
    this.fees = world.account?.value.fees;
    this.quote = constants.quote;
    ({ stopLoss: this.stopLoss, trailingStop: this.trailingStop, takeProfit: this.takeProfit, bracket: this.bracket } = constants.exits);
    this.#memory = world.memory;
    this.bestBid = priceOf(book?.bids[0]?.price, market);
    this.bestAsk = priceOf(book?.asks[0]?.price, market);
    this.mid = middleOf(book, market);
    this.minSize = minSizeAt(this.mid, constants);
    this.mark = priceOf(info?.mark, market);
    this.index = priceOf(info?.index, market);
    this.frozen = newest?.frozen === true;
    this.position = market.size(this.#held);
    this.heldSince = world.heldSince.of(market.id);
  }

  get funding(): MarketView['funding'] {
    const { fundingRate: rate, nextFunding: at, fundingPaid: paid = false } = this.#info ?? {};
    return rate === undefined ? undefined : { rate, at, paid };
  }

  get entry(): number | undefined {
    return this.#open?.entry;
  }

  get pnl(): MarketView['pnl'] {
    return { trading: money(this.#open?.tradingPnl), funding: money(this.#open?.fundingPaymentPnl) };
  }

  get depth(): MarketView['depth'] {
    const { market } = this.#constants;
    return { bids: levelsOf(this.#book?.bids, market), asks: levelsOf(this.#book?.asks, market) };
  }

  get trades(): readonly TradeView[] {
    return this.#trades.map((trade) => tradeView(trade, this.#constants.market));
  }

  get candles(): MarketView['candles'] {
    return (resolution) => {
      const span = this.#spanOf(resolution);
      const { market, candleViews } = this.#constants;
      return candleViews.finished(this.#candles.series(market.id, span), span);
    };
  }

  get averageClose(): MarketView['averageClose'] {
    return (length, resolution) => {
      const span = this.#spanOf(resolution);
      const { market, candleViews } = this.#constants;
      return candleViews.averageClose(this.#candles.series(market.id, span), span, length);
    };
  }

  #spanOf(resolution: Resolution | undefined): Millis {
    const { market } = this.#constants;
    const span = resolution === undefined ? MINUTE : spanOf(resolution);
    checkSpan(this.#candles.completeLengths(market.id), span, market);
    return span;
  }

  get orders(): readonly OrderView[] {
    return this.#constants.orderViews(this.#orders);
  }

  get fills(): readonly FillView[] {
    return this.#fills.map((fill) => fillView(fill, this.#constants.market));
  }

  get exited(): ExitedView | undefined {
    const exit = exitStates(this.#memory)[this.symbol]?.triggered;
    return exit === undefined ? undefined : exitedView(exit);
  }

  get target(): MarketView['target'] {
    return (request) => this.#constants.target(request, { held: this.#held, book: this.#book, now: this.#now });
  }
}

const priceOf = (at: Ticks | undefined, market: Market): number | undefined => (at === undefined ? undefined : market.price(at));

const middleOf = (book: Book | undefined, market: Market): number | undefined =>
  book === undefined || bookFault(book) !== undefined ? undefined : midOf(market, book);

function tickAt(book: Book | undefined, { market, tick }: Constants): number {
  const ask = market.spec.priceFigures === undefined ? undefined : book?.asks[0];
  return ask === undefined ? tick : market.price(market.stepAt(ask.price));
}

function minSizeAt(mid: number | undefined, { market, lot }: Constants): number {
  const { minNotional } = market.spec;
  if (minNotional === undefined || mid === undefined) return lot;
  const whole = market.lots(minNotional / mid);
  const step = market.spec.orderLots ?? 1;
  return market.size(lots(Math.max(step, market.size(whole) * mid < minNotional ? whole + step : whole)));
}

const levelsOf = (levels: readonly Level[] = [], market: Market): readonly PriceLevel[] =>
  levels.map(({ price, size }) => ({ price: market.price(price), size: market.size(size) }));

/** Converts money to a decimal; undefined becomes 0. */
const money = (value: Micros | undefined): number => (value === undefined ? 0 : toDecimal(value));
