// The end of a candle: its range is judged against the stops of the run and the margins of its account, at their own prices, the worse end first.
import type { Clock, Millis } from '../../base/clock.ts';
import type { Side } from '../../bot/domain/book.ts';
import type { Candle } from '../../bot/domain/candle.ts';
import type { MarketEvent } from '../../bot/domain/event.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import { type Ticks, ticks } from '../../bot/domain/numbers.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { CandlePathOptions } from '../exchange/recorded/candle-path.ts';
import type { ShownQuotes } from '../exchange/state/market-source.ts';

/** A stop of a position of the run. */
interface Stop {
  /** The side that opened the position. */
  readonly side: Side;
  /** Quote money. */
  readonly price: number;
}

/** What the end of a candle needs to know of the run. */
export interface OwnLevels {
  /** The nearest stop of the position in a market. */
  readonly stopIn: (market: MarketId) => Stop | undefined;
  readonly path: CandlePathOptions['path'];
}

interface CandleEndOptions {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Delivers the account and our fills at once, as complete. */
  readonly readOwn: () => void;
}

/** One candle that ends. */
interface Ending {
  readonly market: Market;
  readonly candle: Candle;
  readonly end: Millis;
  readonly hasMarks: boolean;
}

/**
 * Milliseconds before the end: the candle path plays the range one before. A stop is judged before it, or, if the other end of the range comes first, after
 * it. Then the quotes return to where they were.
 */
const BEFORE = 2;
const AFTER = 0.9;
/** From the price of a stop: the account is read at each of these, so that an order is proved gone before another takes its size; then it is over. */
const READS: readonly Millis[] = [0.1, 0.2];
const RESTORED: Millis = 0.5;
/** A stop may need a turn that cancels and one that closes. Further orders wait for the end of the candle. */
const MAX_TURNS = 2;

export class CandleEnd {
  readonly #options: CandleEndOptions;
  #levels: OwnLevels | undefined;
  #emit: ((event: MarketEvent) => void) | undefined;
  #judging: MarketId | undefined;
  #turnsLeft = 0;

  constructor(options: CandleEndOptions) {
    this.#options = options;
  }

  /** Call it with the exit levels of a run: from now on its stops are judged. */
  watch(levels: OwnLevels): void {
    this.#levels = levels;
  }

  /** The prices at which stops are judged are emitted here. */
  emitTo(emit: (event: MarketEvent) => void): void {
    this.#emit = emit;
  }

  /** True while a stop is judged. */
  get isJudging(): boolean {
    return this.#judging !== undefined;
  }

  /** Returns the market whose stop is judged, for the first turns that send orders; undefined for all others. */
  takeTurn(): MarketId | undefined {
    return this.#turnsLeft-- > 0 ? this.#judging : undefined;
  }

  /** Schedules the end of a candle that begins now. */
  begin(market: Market, candle: Candle, { span, hasMarks }: { readonly span: Millis; readonly hasMarks: boolean }): void {
    const end = candle.start + span;
    this.#options.clock.at(end - BEFORE, () => this.#judge({ market, candle, end, hasMarks }));
  }

  #judge(ending: Ending): void {
    const { exchange, clock } = this.#options;
    const { market, candle, end } = ending;
    exchange.advanceTo(Math.floor(clock.now()));
    const stop = this.#levels?.stopIn(market.id);
    const at = stop && reachedAt(stop, ending);
    if (at === undefined || stop === undefined) return this.#judgeMargins(ending, candle);
    if (!this.#isFirst(stop.side, candle)) {
      this.#judgeMargins(ending, candle);
      clock.at(end - AFTER, () => this.#reach(ending, at));
      return;
    }
    this.#judgeMargins(ending, stop.side === 'bid' ? { low: at, high: candle.high } : { low: candle.low, high: at });
    this.#reach(ending, at);
  }

  /** True if the end of the range with the stop comes first. */
  #isFirst(side: Side, { open, high, low }: Candle): boolean {
    const [worse, better] = side === 'bid' ? [open - low, high - open] : [high - open, open - low];
    return this.#levels?.path === 'pessimistic' || worse <= better;
  }

  /** Shows the run a price at which only its exits decide, and then moves the quotes back. */
  #reach(ending: Ending, at: Ticks): void {
    const { exchange, clock, readOwn } = this.#options;
    const { market, candle } = ending;
    exchange.advanceTo(Math.floor(clock.now()));
    const quotes = this.#quotesOf(ending);
    const [book, live] = [exchange.book(market.id), exchange.live(market.id)];
    if (quotes === undefined || live === undefined || book === undefined) return;
    exchange.showAt(market.id, at, quotes);
    [this.#judging, this.#turnsLeft] = [market.id, MAX_TURNS];
    const [now, shown] = [clock.now(), exchange.book(market.id) ?? book];
    readOwn();
    this.#emit?.({ kind: 'infoSeen', at: now, asked: now, infos: [{ ...live, mark: at }] });
    this.#emit?.({ kind: 'bookSeen', at: now, asked: now, book: shown, inside: true });
    for (const after of READS) clock.at(now + after, readOwn);
    const until = now + RESTORED;
    clock.at(until, () => {
      this.#judging = undefined;
      if (until < ending.end - 1) this.#judgeMargins(ending, candle);
      exchange.showAt(market.id, quotes.price, quotes);
    });
  }

  #judgeMargins(ending: Ending, range: { readonly low: Ticks; readonly high: Ticks }): void {
    const { exchange } = this.#options;
    const { id } = ending.market;
    if (ending.hasMarks || !exchange.failsWithin(id, range)) return;
    const quotes = this.#quotesOf(ending);
    if (quotes === undefined) return;
    if (exchange.judgeMargins(id, range, quotes)) exchange.showAt(id, quotes.price, quotes);
  }

  #quotesOf({ market, hasMarks }: Ending): ShownQuotes | undefined {
    const quotes = this.#options.exchange.quotes(market.id);
    if (quotes === undefined) return undefined;
    return { ...quotes, setsMark: !hasMarks };
  }
}

/** Returns where the price reaches a stop within a candle: its price, or the open if the stop is beyond it; undefined if it does not. */
function reachedAt({ side, price }: Stop, { market, candle: { open, high, low } }: Ending): Ticks | undefined {
  const level = market.restAt(side, price);
  if (side === 'bid') return low <= level ? ticks(Math.min(level, open)) : undefined;
  return high >= level ? ticks(Math.max(level, open)) : undefined;
}
