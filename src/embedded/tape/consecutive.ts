// Joins tapes of one market that follow each other into one tape.

import { createHash } from 'node:crypto';
import { groupBy } from '../../base/collections/lists.ts';
import { UserError } from '../../base/errors.ts';
import { PROGRAM } from '../../base/package.ts';
import { RowBuilder } from '../rows/row-builder.ts';
import { codeOf, KIND_BITS, ROW, type Rows, rangeOfRows, STAMPS_PER_MILLI, type Stamp, stampText } from '../rows/rows.ts';
import type { TapeHeader } from './header.ts';
import type { Tape } from './reader.ts';

/** A longer time between two recordings is a gap, as if one recording had been interrupted. */
const SHORTEST_GAP: Stamp = 10e6;
/** Tapes that are further apart are refused. */
const LONGEST_GAP: Stamp = 3_600e6;

/** Returns the tapes that a tape was joined from, oldest first; the tape itself if it was not joined. */
export const partsOf = (tape: Tape): readonly Tape[] => tape.parts ?? [tape];

/**
 * Joins the tapes of each market. Returns one tape per market, in the order in which the markets are first named; candles of another length and order
 * books of the same market stay apart. Throws a UserError `tape` if two tapes of a market overlap, are more than an hour apart, or have headers that
 * describe the market differently.
 */
export async function joinConsecutive(tapes: readonly Tape[]): Promise<readonly Tape[]> {
  return Promise.all([...groupBy(tapes, seriesOf).values()].map(join));
}

/** Returns the same text for tapes that must follow each other. */
const seriesOf = ({ header: { market, books, pollMs } }: Tape): string =>
  JSON.stringify([market.symbol, books === 'candles' ? pollMs : 'books']);

async function join(tapes: readonly Tape[]): Promise<Tape> {
  const [only] = tapes;
  if (only !== undefined && tapes.length === 1) return only;
  const spans = (await Promise.all(tapes.map(spanOf))).toSorted((a, b) => a.first - b.first || a.end - b.end);
  for (const [index, next] of spans.entries()) {
    const before = spans[index - 1];
    if (before !== undefined) checkFollows(before, next);
  }
  return joinedTape(spans);
}

/** A tape and its span of time; for candles, from the opening of the first to the end of the last. */
interface TapeSpan {
  readonly tape: Tape;
  readonly first: Stamp;
  readonly end: Stamp;
}

async function spanOf(tape: Tape): Promise<TapeSpan> {
  const { header, facts } = tape;
  if (header.books !== 'candles' || header.pollMs === undefined) return { tape, first: facts.first, end: facts.last };
  const length = header.pollMs * STAMPS_PER_MILLI;
  const first = (await openings(tape.blocks(), 1))[0] ?? facts.first;
  const last = (await openings(tape.blocks(facts.last - length))).at(-1) ?? (await openings(tape.blocks())).at(-1);
  return { tape, first, end: last === undefined ? facts.last : last + length };
}

/** Returns the times at which candles open. Stops after the block in which `atLeast` of them are found. */
async function openings(blocks: AsyncIterable<Rows>, atLeast = Number.POSITIVE_INFINITY): Promise<readonly Stamp[]> {
  const found: Stamp[] = [];
  for await (const { count, codes, times } of blocks) {
    for (let at = 0; at < count; at += 1) if ((codes[at]! & KIND_BITS) === ROW.open) found.push(times[at]!);
    if (found.length >= atLeast) break;
  }
  return found;
}

/** Throws a UserError if `next` cannot be the continuation of `before`. */
function checkFollows(before: TapeSpan, next: TapeSpan): void {
  const { file: one, header, facts } = before.tape;
  const { file: other } = next.tape;
  const market = header.market.symbol;
  if (facts.hash !== '' && facts.hash === next.tape.facts.hash)
    throw wrong(`${one} and ${other} are the same tape of ${market}`, 'give it once');
  const [end, begin] = [stampText(before.end), stampText(next.first)];
  if (next.first < before.end)
    throw wrong(
      `${one} (until ${end}) and ${other} (from ${begin}) are both of ${market}, and they overlap`,
      next.end <= before.end || next.first <= before.first
        ? 'one of them covers the whole time of the other: give only that one'
        : `tapes of one market must follow each other; cut one of them: ${PROGRAM} tape slice ${one} --to ${begin} --out FILE`,
    );
  if (next.first - before.end > LONGEST_GAP)
    throw wrong(
      `${one} ends at ${end} and ${other} begins at ${begin}; tapes of ${market} that follow each other may be at most an hour apart`,
      'add the tape of the time between them, or play them apart',
    );
  const difference = differenceOf(header, next.tape.header);
  if (difference !== undefined)
    throw wrong(
      `${one} and ${other} follow each other, but their headers differ in the ${difference} of ${market}`,
      'make both again with the same options, or play them apart',
    );
}

/** The names of the header's fields in messages. */
const FIELD_NAMES = {
  kind: 'kind (perpetual or spot)',
  priceDecimals: 'price decimals',
  sizeDecimals: 'size decimals',
  priceStep: 'tick size',
  sizeStep: 'lot size',
  priceFigures: 'significant figures of a price',
  minNotional: 'least value of an order',
  orderLots: 'lot size of orders',
  buyFee: 'token of the fee of a purchase',
  fundingHours: 'funding interval',
  imf: 'margin fractions',
  cmf: 'margin fractions',
  mmf: 'margin fractions',
} as const;

/** Returns the name of the first field in which two headers differ; undefined if there is none. */
function differenceOf(one: TapeHeader, other: TapeHeader): string | undefined {
  for (const name of Object.keys(FIELD_NAMES) as readonly (keyof typeof FIELD_NAMES)[]) {
    if (one.market[name] !== other.market[name]) return FIELD_NAMES[name];
  }
  if (one.books !== other.books || one.pollMs !== other.pollMs)
    return 'kind of books (every change, single orders, or polled at an interval)';
  return one.fundingIntervalMs === other.fundingIntervalMs ? undefined : 'funding interval';
}

function joinedTape(spans: readonly TapeSpan[]): Tape {
  const parts = spans.map(({ tape }) => tape);
  const header: TapeHeader = { ...parts[0]!.header, source: [...new Set(parts.map((part) => part.header.source))].join('; ') };
  const hash = createHash('sha256');
  for (const { facts } of parts) hash.update(facts.hash);
  const owners = new WeakMap<ArrayBufferLike, Tape>();
  const total = (of: (tape: Tape) => number): number => parts.reduce((sum, part) => sum + of(part), 0);
  return {
    file: parts.map(({ file }) => file).join(', '),
    parts,
    header,
    facts: {
      rows: total(({ facts }) => facts.rows),
      first: spans[0]!.first,
      last: parts.at(-1)!.facts.last,
      bytes: total(({ facts }) => facts.bytes),
      hash: hash.digest('hex'),
    },
    blocks: (from) => rowsOf(spans, { from, owners }),
    release(rows) {
      owners.get(rows.times.buffer)?.release?.(rows);
    },
    async close() {
      for (const part of parts) await part.close();
    },
  };
}

interface Reading {
  readonly from: Stamp | undefined;
  /** The tape of each block. */
  readonly owners: WeakMap<ArrayBufferLike, Tape>;
}

async function* rowsOf(spans: readonly TapeSpan[], { from = Number.NEGATIVE_INFINITY, owners }: Reading): AsyncGenerator<Rows> {
  for (const [index, span] of spans.entries()) {
    const next = spans[index + 1];
    if (next !== undefined && next.first < from) continue; // the rows from `from` on begin in a later tape
    for await (const block of span.tape.blocks(from)) {
      const rows = span.tape.header.books === 'candles' ? within(block, span) : block;
      owners.set(rows.times.buffer, span.tape);
      if (rows.count > 0) yield rows;
    }
    if (next !== undefined && next.tape.header.books !== 'candles') yield rowsBetween(span, next, from);
  }
}

/** Returns the rows from the opening of the first candle to the end of the last. Funding payments outside this time are dropped. */
function within(rows: Rows, { first, end }: TapeSpan): Rows {
  if (rows.times[0]! >= first && rows.times[rows.count - 1]! <= end) return rows;
  const times = rows.times.subarray(0, rows.count);
  const start = times.findIndex((time) => time >= first);
  const after = times.findIndex((time) => time > end);
  return rangeOfRows(rows, start === -1 ? rows.count : start, after === -1 ? rows.count : after);
}

/** Returns the rows between two recordings: a gap if they are far apart, and an empty book, which the second recording fills. */
function rowsBetween({ end, tape: { header } }: TapeSpan, { first }: TapeSpan, from: Stamp): Rows {
  const builder = new RowBuilder({ capacity: 2, orders: header.books === 'orders' });
  const row = { lag: 0, price: 0, size: 0 };
  if (first - end > SHORTEST_GAP && end >= from) builder.add({ ...row, time: end, code: codeOf('gap') });
  builder.add({ ...row, time: first, code: codeOf('clear', { snapshot: true }) });
  return builder.take();
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'tape', message, hint });
