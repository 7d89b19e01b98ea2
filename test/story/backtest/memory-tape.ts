// Tapes in memory, of invented markets.
import { rngFrom } from '../../../src/base/rng.ts';
import { SIDES, type Side } from '../../../src/bot/domain/book.ts';
import type { MarketSpec } from '../../../src/bot/domain/market.ts';
import { LISTED_MARKETS } from '../../../src/embedded/exchange/state/listing.ts';
import { type Row, RowBuilder } from '../../../src/embedded/rows/row-builder.ts';
import { codeOf, type RowKind, type RowMark, STAMPS_PER_MILLI } from '../../../src/embedded/rows/rows.ts';
import type { TapeHeader } from '../../../src/embedded/tape/header.ts';
import type { Tape } from '../../../src/embedded/tape/reader.ts';

export const START = Date.UTC(2026, 0, 5, 12);
export const MARKET: MarketSpec = { ...LISTED_MARKETS[0]!.spec, id: 7 };
/** Ticks. */
const FIRST_PRICE = 600_000;

/** `block`: rows per block. */
export function memoryTape(rows: readonly Row[], { block = 500, ...header }: Partial<TapeHeader> & { block?: number } = {}): Tape {
  const made: TapeHeader = { market: MARKET, basePrice: FIRST_PRICE / 10, source: 'a test', books: 'changes', ...header };
  return {
    file: 'memory',
    header: made,
    facts: { rows: rows.length, first: rows[0]?.time ?? 0, last: rows.at(-1)?.time ?? 0, bytes: 0, hash: '' },
    async *blocks() {
      for (let at = 0; at < rows.length; at += block) {
        const builder = new RowBuilder();
        for (const row of rows.slice(at, at + block)) builder.add(row);
        yield await Promise.resolve(builder.take());
      }
    },
    release: ({ times, codes, prices, sizes }) => {
      for (const column of [times, codes, prices, sizes]) column.fill(77); // a late reader gets wrong values
    },
    close: () => Promise.resolve(),
  };
}

/** Writes rows by the millisecond after the start. */
export class Script {
  readonly rows: Row[] = [];
  readonly #lagMs: number;

  constructor(lagMs = 5) {
    this.#lagMs = lagMs;
  }

  add(at: number, kind: RowKind, { price = 0, size = 0, ...mark }: { price?: number; size?: number } & RowMark = {}): this {
    const time = Math.round((START + at) * STAMPS_PER_MILLI);
    this.rows.push({ time, lag: this.#lagMs * STAMPS_PER_MILLI, code: codeOf(kind, mark), price, size });
    return this;
  }

  /** Adds a snapshot of five levels per side around a price, one tick apart. */
  book(at: number, mid: number, size = 5_000): this {
    this.add(at, 'clear', { snapshot: true });
    for (let away = 1; away <= 5; away++) {
      for (const side of SIDES) {
        this.add(at, 'level', { side, price: mid + sign(side) * away, size, snapshot: true, last: away === 5 && side === 'ask' });
      }
    }
    return this;
  }
}

const sign = (side: Side): number => (side === 'bid' ? -1 : 1);

/** Returns rows of a random walk with a book of ten levels and trades on both sides, some of which remove a level. */
export function randomRows(seed: string, seconds: number): readonly Row[] {
  const rng = rngFrom(seed);
  const script = new Script(3 + rng.below(20));
  let mid = FIRST_PRICE;
  script.add(0, 'index', { price: mid }).add(0, 'mark', { price: mid }).book(0, mid);
  const shown = new Map<number, number>();
  for (let at = 20 + rng.below(50); at < seconds * 1_000; at += 1 + rng.below(120)) {
    const move = rng.below(8) === 0 ? Math.round(rng.normal() * 12) : 0;
    mid += move;
    const side = SIDES[rng.below(2)]!;
    if (rng.below(3) === 0) script.add(at, 'trade', { side, price: mid - sign(side), size: 1 + rng.below(3_000) });
    quote(script, { at, mid, shown, size: () => (rng.below(6) === 0 ? 0 : 500 + rng.below(8_000)) });
    if (rng.below(10) === 0) script.add(at, 'index', { price: mid + rng.below(5) - 2 }).add(at, 'mark', { price: mid });
  }
  return script.rows;
}

/** Changes the sizes of levels near the price and removes crossed levels. */
function quote(
  script: Script,
  { at, mid, shown, size }: { at: number; mid: number; shown: Map<number, number>; size: () => number },
): void {
  if (shown.size === 0) for (let away = -5; away <= 5; away++) if (away !== 0) shown.set(FIRST_PRICE + away, away);
  const gone = [...shown.keys()].filter((price) => Math.abs(price - mid) > 10 || Math.sign(price - mid) !== Math.sign(shown.get(price)!));
  for (const price of gone) {
    script.add(at, 'level', { side: shown.get(price)! < 0 ? 'bid' : 'ask', price, size: 0 });
    shown.delete(price);
  }
  for (let away = 1; away <= 5; away++) {
    for (const side of SIDES) {
      const price = mid + sign(side) * away;
      const rests = away === 5 ? 5_000 : size();
      if (rests === 0 && !shown.has(price)) continue;
      if (rests === 0) shown.delete(price);
      else shown.set(price, sign(side));
      script.add(at, 'level', { side, price, size: rests, last: away === 5 && side === 'ask' });
    }
  }
}
