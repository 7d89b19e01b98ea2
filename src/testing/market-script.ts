// A market told line by line: what its book, its prices and its trades are at which moment, as a tape in memory.

import { durationIn } from '../base/duration.ts';
import { UserError } from '../base/errors.ts';
import { Market, type MarketSpec } from '../domain/market.ts';
import { ticks } from '../domain/numbers.ts';
import { type Row, RowBuilder } from '../domain/row-builder.ts';
import { codeOf, type RowKind, type RowMark, STAMPS_PER_MILLI } from '../domain/rows.ts';
import { SIDES, type Side } from '../domain/side.ts';
import { LISTED_MARKETS } from '../embedded/state/listing.ts';
import type { Tape } from '../tape/reader.ts';

/** When every script begins, in milliseconds since the epoch: 2026-01-05 12:00 UTC. */
export const SCRIPT_START = Date.UTC(2026, 0, 5, 12);

const LEVELS = 5;
/** Of every level of a book that `price` writes, in quote money. */
const NOTIONAL_OF_A_LEVEL = 50_000;
const ROWS_OF_A_BLOCK = 500;

export interface MarketOptions {
  /** The market of the embedded exchange that the script tells of; BTCUSDC if not given. */
  readonly symbol?: string;
}

/** Starts a script. Times are texts such as `0s`, `1.5s` or `2m` after the start, or milliseconds, and must not go back. */
export const marketScript = (options: MarketOptions = {}): MarketScript => new MarketScript(options);

export class MarketScript {
  readonly symbol: string;
  readonly #market: Market;
  readonly #rows: Row[] = [];
  #last = 0;

  constructor({ symbol = 'BTCUSDC' }: MarketOptions) {
    this.#market = new Market(specOf(symbol));
    this.symbol = symbol;
  }

  /** The whole book around a price: five levels on each side, one tick apart, deep enough for any test; mark and index are the price. */
  price(at: number | string, price: number): this {
    const market = this.#market;
    const tick = market.price(ticks(1));
    const size = NOTIONAL_OF_A_LEVEL / price;
    const away = (side: Side, level: number): { price: number; size: number } => ({
      price: price + (side === 'bid' ? -tick : tick) * level,
      size,
    });
    const ranks = Array.from({ length: LEVELS }, (_, rank) => rank + 1);
    this.marks(at, { mark: price, index: price });
    return this.book(at, { bids: ranks.map((rank) => away('bid', rank)), asks: ranks.map((rank) => away('ask', rank)) });
  }

  /** The whole book, best level first. */
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

  /** A trade of others; resting orders of ours at that price or better are filled by it as in any backtest. */
  trade(at: number | string, { takerSide, price, size }: PriceAndSize & { readonly takerSide: Side }): this {
    return this.#add(at, 'trade', { side: takerSide, price: this.#ticks(price), size: this.#lots(size) });
  }

  /** Mark and index price. */
  marks(at: number | string, { mark, index = mark }: { readonly mark: number; readonly index?: number }): this {
    return this.#add(at, 'index', { price: this.#ticks(index) }).#add(at, 'mark', { price: this.#ticks(mark) });
  }

  /** Nothing is known of the market from here until the next whole book. */
  gap(at: number | string): this {
    return this.#add(at, 'gap', {});
  }

  /** Nothing happens until then: the run goes on for so long. */
  until(at: number | string): this {
    const last = this.#rows.findLast(({ price }) => price > 0)?.price;
    return last === undefined ? this : this.marks(at, { mark: this.#market.price(ticks(last)) });
  }

  /** The script as a tape. UserError if nothing was told. */
  tape(): Tape {
    const rows = this.#rows;
    const [first, last] = [rows[0], rows.at(-1)];
    const basePrice = rows.find(({ price }) => price > 0)?.price;
    if (first === undefined || last === undefined || basePrice === undefined) throw wrong('the script tells nothing of the market');
    return {
      file: 'a script',
      header: { market: this.#market.spec, basePrice: this.#market.price(ticks(basePrice)), source: 'a script', books: 'changes' },
      facts: { rows: rows.length, first: first.time, last: last.time, bytes: 0, hash: '' },
      async *blocks() {
        for (let from = 0; from < rows.length; from += ROWS_OF_A_BLOCK) {
          const builder = new RowBuilder();
          for (const row of rows.slice(from, from + ROWS_OF_A_BLOCK)) builder.add(row);
          yield await Promise.resolve(builder.take());
        }
      },
      close: () => Promise.resolve(),
    };
  }

  #add(at: number | string, kind: RowKind, { price = 0, size = 0, ...mark }: { price?: number; size?: number } & RowMark): this {
    const millis = typeof at === 'number' ? at : durationIn(at);
    if (millis === undefined) throw wrong(`"${at}" is no time; write for example 5s, 1.5m or 2h after the start`);
    if (millis < this.#last) throw wrong(`"${at}" lies before what was told last; tell the market in order of time`);
    this.#last = millis;
    this.#rows.push({ time: (SCRIPT_START + millis) * STAMPS_PER_MILLI, lag: 0, code: codeOf(kind, mark), price, size });
    return this;
  }

  #ticks(price: number): number {
    return this.#market.ticksOf(price) ?? fail(`the price ${price} of ${this.symbol} is not a multiple of its tick`);
  }

  #lots(size: number): number {
    return this.#market.lotsOf(size) ?? this.#market.lots(size);
  }
}

interface PriceAndSize {
  readonly price: number;
  readonly size: number;
}

function specOf(symbol: string): MarketSpec {
  const listed = LISTED_MARKETS.find(({ spec }) => spec.symbol === symbol);
  const known = LISTED_MARKETS.map(({ spec }) => spec.symbol).join(', ');
  return listed?.spec ?? fail(`there is no market ${symbol} on the embedded exchange; it has ${known}`);
}

const wrong = (message: string): UserError => new UserError({ code: 'script', message, hint: 'see docs/testing.md' });

function fail(message: string): never {
  throw wrong(message);
}
