// A market script as a tape in memory.

import { UserError } from '../../base/errors.ts';
import { docsFile } from '../../base/package.ts';
import { durationIn } from '../../base/text/duration.ts';
import { SIDES, type Side } from '../../bot/domain/book.ts';
import { Market, type MarketSpec } from '../../bot/domain/market.ts';
import { ticks } from '../../bot/domain/numbers.ts';
import { LISTED_MARKETS } from '../../embedded/exchange/state/listing.ts';
import { codeOf, FUNDING_PARTS, type RowKind, type RowMark, STAMPS_PER_MILLI } from '../../embedded/rows/rows.ts';
import type { Tape } from '../../embedded/tape/reader.ts';
import { type MarketScript, type PriceAndSize, SCRIPT_START } from './market-script.ts';
import { MemoryRows } from './memory-tape.ts';

const LEVELS = 5;
/** Notional of each level of a book written by `price`, in quote money. */
const NOTIONAL_PER_LEVEL = 50_000;

export class ScriptedMarket implements MarketScript {
  readonly symbol: string;
  readonly #market: Market;
  readonly #rows = new MemoryRows();
  #last = 0;
  #firstPrice: number | undefined;
  #marks: { readonly mark: number; readonly index: number } | undefined;

  /** A market of the embedded exchange by its symbol, or any other by its description. */
  constructor(market: string | MarketSpec) {
    this.#market = new Market(typeof market === 'string' ? specOf(market) : market);
    this.symbol = this.#market.symbol;
  }

  price(at: number | string, price: number): this {
    const market = this.#market;
    const tick = market.price(ticks(1));
    const size = NOTIONAL_PER_LEVEL / price;
    const away = (side: Side, level: number): { price: number; size: number } => ({
      price: price + (side === 'bid' ? -tick : tick) * level,
      size,
    });
    const ranks = Array.from({ length: LEVELS }, (_, rank) => rank + 1);
    this.marks(at, { mark: price, index: price });
    return this.book(at, { bids: ranks.map((rank) => away('bid', rank)), asks: ranks.map((rank) => away('ask', rank)) });
  }

  book(at: number | string, { bids, asks }: { readonly bids: readonly PriceAndSize[]; readonly asks: readonly PriceAndSize[] }): this {
    this.#add(at, 'clear', { snapshot: true });
    const levels = SIDES.flatMap((side) => (side === 'bid' ? bids : asks).map((level) => ({ ...level, side })));
    levels.forEach(({ side, price, size }, index) => {
      this.#add(at, 'level', {
        side,
        snapshot: true,
        last: index === levels.length - 1,
        price: this.#ticks(price),
        size: this.#lots(size),
      });
    });
    return this;
  }

  trade(at: number | string, { takerSide, price, size }: PriceAndSize & { readonly takerSide: Side }): this {
    return this.#add(at, 'trade', { side: takerSide, price: this.#ticks(price), size: this.#lots(size) });
  }

  marks(at: number | string, { mark, index = mark }: { readonly mark: number; readonly index?: number }): this {
    this.#marks = { mark, index };
    return this.#add(at, 'index', { price: this.#ticks(index) }).#add(at, 'mark', { price: this.#ticks(mark) });
  }

  funding(at: number | string, { rate, due = '1h' }: { readonly rate: number; readonly due?: string }): this {
    const wait = durationIn(due) ?? fail(`"${due}" is not a time; write for example 1h`);
    return this.#add(at, 'funding', { price: wait, size: Math.round(rate * FUNDING_PARTS) });
  }

  gap(at: number | string): this {
    return this.#add(at, 'gap', {});
  }

  until(at: number | string): this {
    return this.#marks === undefined ? this : this.marks(at, this.#marks);
  }

  /** Returns the script as a tape. Throws a `UserError` if it is empty. */
  tape(): Tape {
    const basePrice = this.#firstPrice ?? fail('the script is empty');
    const header = { market: this.#market.spec, basePrice, source: 'a script', books: 'changes' } as const;
    return this.#rows.tape(header) ?? fail('the script is empty');
  }

  #add(at: number | string, kind: RowKind, { price = 0, size = 0, ...mark }: { price?: number; size?: number } & RowMark): this {
    const millis = typeof at === 'number' ? at : durationIn(at);
    if (millis === undefined) throw wrong(`"${at}" is not a time; write for example 5s, 1.5m or 2h after the start`);
    if (millis < this.#last) throw wrong(`"${at}" lies before the line before it; write the lines in order of time`);
    this.#last = millis;
    this.#rows.add({ time: (SCRIPT_START + millis) * STAMPS_PER_MILLI, lag: 0, code: codeOf(kind, mark), price, size });
    return this;
  }

  #ticks(price: number): number {
    this.#firstPrice ??= price;
    return this.#market.ticksOf(price) ?? fail(`the price ${price} of ${this.symbol} is not a multiple of its tick`);
  }

  #lots(size: number): number {
    return this.#market.lotsOf(size) ?? this.#market.lots(size);
  }
}

function specOf(symbol: string): MarketSpec {
  const listed = LISTED_MARKETS.find(({ spec }) => spec.symbol === symbol);
  const known = LISTED_MARKETS.map(({ spec }) => spec.symbol).join(', ');
  return listed?.spec ?? fail(`there is no market ${symbol} on the embedded exchange; it has ${known}`);
}

const wrong = (message: string): UserError => new UserError({ code: 'script', message, hint: `see ${docsFile('testing.md')}` });

function fail(message: string): never {
  throw wrong(message);
}
