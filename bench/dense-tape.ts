// A generated tape of a given density: fifty changing levels a side, trades at the best price, and a mid price that moves at random.
import { rngFrom } from '../src/base/rng.ts';
import { SIDES, type Side, signOf } from '../src/bot/domain/book.ts';
import { LISTED_MARKETS } from '../src/embedded/exchange/state/listing.ts';
import { type Row, RowBuilder } from '../src/embedded/rows/row-builder.ts';
import { codeOf, type Rows } from '../src/embedded/rows/rows.ts';
import type { TapeHeader } from '../src/embedded/tape/header.ts';
import type { Tape } from '../src/embedded/tape/reader.ts';
import { createTape, type TapeWriter } from '../src/embedded/tape/writer.ts';

export interface Density {
  readonly rows: number;
  /** Rows per second of exchange time. */
  readonly perSecond: number;
}

const START = 1_760_000_000_000_000;
const FIRST_BID = 600_000;
const LEVELS = 50;
const BLOCK = 65_536;
/** Per thousand rows: the number of trades, and of moves of the mid price by a tick. */
const TRADES = 20;
const MOVES = 5;

export const denseHeader: TapeHeader = { market: LISTED_MARKETS[0]!.spec, basePrice: FIRST_BID / 10, source: 'a bench', books: 'changes' };

export function* denseBlocks({ rows, perSecond }: Density): Generator<Rows> {
  const builder = new RowBuilder({ capacity: BLOCK });
  let left = rows;
  for (const row of market(1e6 / perSecond)) {
    builder.add(row);
    left--;
    if (builder.count === BLOCK || left === 0) yield builder.take();
    if (left === 0) return;
  }
}

export async function writeDenseTape(file: string, density: Density): Promise<void> {
  const writer = await createTape(file, denseHeader);
  for (const rows of denseBlocks(density)) await addRows(rows, { writer, shift: 0 });
  await writer.close();
}

/** Writes rows with their times shifted by `shift` microseconds. */
export async function addRows(rows: Rows, { writer, shift }: { writer: TapeWriter; shift: number }): Promise<void> {
  const { count, times, lags, codes, prices, sizes } = rows;
  for (let at = 0; at < count; at++)
    writer.add({ time: times[at]! + shift, lag: lags[at]!, code: codes[at]!, price: prices[at]!, size: sizes[at]! });
  await writer.flush();
}

/** Returns a tape that plays these blocks, any number of times. */
export function tapeInMemory(blocks: readonly Rows[]): Tape {
  const [first, last] = [blocks[0]?.times[0] ?? 0, blocks.at(-1)?.times.at(-1) ?? 0];
  return {
    file: 'memory',
    header: denseHeader,
    facts: { rows: blocks.reduce((sum, { count }) => sum + count, 0), first, last, bytes: 0, hash: 'memory' },
    async *blocks() {
      for (const rows of blocks) yield await Promise.resolve(rows);
    },
    close: () => Promise.resolve(),
  };
}

function* market(gap: number): Generator<Row> {
  const rng = rngFrom('dense');
  let bid = FIRST_BID;
  let time = START;
  const size = (): number => 1 + rng.below(20_000);
  const row = (kind: 'level' | 'trade' | 'clear' | 'mark', price: number, amount: number, side: Side = 'bid'): Row => ({
    time: Math.round((time += gap)),
    lag: 5_000,
    code: codeOf(kind, { side, last: kind !== 'clear' }),
    price,
    size: amount,
  });
  const priceAt = (side: Side, away: number): number => (side === 'bid' ? bid - away : bid + 1 + away);
  yield row('clear', 0, 0);
  for (const side of SIDES) for (let away = 0; away < LEVELS; away++) yield row('level', priceAt(side, away), size(), side);
  yield row('mark', bid, 0);
  for (;;) {
    const chance = rng.below(1_000);
    const side = SIDES[rng.below(2)] ?? 'bid';
    if (chance < TRADES) yield row('trade', priceAt(side, 0), 1 + rng.below(500), side === 'bid' ? 'ask' : 'bid');
    else if (chance < TRADES + MOVES) {
      const against: Side = side === 'bid' ? 'ask' : 'bid';
      yield row('level', priceAt(side, 0), 0, side);
      bid -= signOf(side);
      yield row('level', priceAt(against, 0), size(), against);
      yield row('level', priceAt(side, LEVELS - 1), size(), side);
      if (rng.below(20) === 0) yield row('mark', bid, 0);
    } else yield row('level', priceAt(side, Math.floor(LEVELS * rng.next() ** 3)), size(), side);
  }
}
