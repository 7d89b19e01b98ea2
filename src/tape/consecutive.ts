// Tapes of one market that follow each other, as one tape.
import { createHash } from 'node:crypto';
import { UserError } from '../base/errors.ts';
import { PROGRAM } from '../base/package.ts';
import { RowBuilder } from '../domain/rows/row-builder.ts';
import { codeOf, KIND_BITS, ROW, type Rows, STAMPS_PER_MILLI, type Stamp } from '../domain/rows/rows.ts';
import type { TapeHeader } from './header.ts';
import type { Tape } from './reader.ts';
import { timeText } from './source.ts';

/** Two recordings that are further apart have a gap between them, as if one recording had been interrupted. */
const SHORTEST_GAP: Stamp = 10e6;
/** Tapes that are further apart are not played as one. */
const LONGEST_GAP: Stamp = 3_600e6;

/** The tapes that a tape was made of, the oldest first; the tape itself if it is a single one. */
export const partsOf = (tape: Tape): readonly Tape[] => tape.parts ?? [tape];

/**
 * Returns the tapes with those of one market that follow each other as one tape, in the order in which the markets are first named. Candles of another
 * length and order books of the same market stay apart. Throws a UserError `tape` if two tapes overlap, are more than an hour apart, or differ in what
 * their headers say of the market.
 */
export async function joinConsecutive(tapes: readonly Tape[]): Promise<readonly Tape[]> {
  const series = new Map<string, Tape[]>();
  for (const tape of tapes) series.set(seriesOf(tape), [...(series.get(seriesOf(tape)) ?? []), tape]);
  return Promise.all([...series.values()].map(join));
}

/** Equal for tapes that must follow each other. */
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

/** A tape and its time; that of candles reaches from the opening of the first to the end of the last. */
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

/** The times at which candles open, up to a number of them. */
async function openings(blocks: AsyncIterable<Rows>, most = Number.POSITIVE_INFINITY): Promise<readonly Stamp[]> {
  const found: Stamp[] = [];
  for await (const { count, codes, times } of blocks) {
    for (let at = 0; at < count; at += 1) if ((codes[at]! & KIND_BITS) === ROW.open) found.push(times[at]!);
    if (found.length >= most) break;
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
  const [end, begin] = [timeText(before.end), timeText(next.first)];
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
      `${one} and ${other} follow each other, but ${market} has other ${difference} in the second`,
      'make both again with the same options, or play them apart',
    );
}

const WORDS = {
  kind: 'terms (perpetual or spot)',
  priceDecimals: 'price decimals',
  sizeDecimals: 'size decimals',
  priceStep: 'ticks',
  sizeStep: 'lots',
  imf: 'margins',
  cmf: 'margins',
  mmf: 'margins',
} as const;

/** What two headers say differently, in words. */
function differenceOf(one: TapeHeader, other: TapeHeader): string | undefined {
  for (const name of Object.keys(WORDS) as readonly (keyof typeof WORDS)[]) if (one.market[name] !== other.market[name]) return WORDS[name];
  if (one.books !== other.books || one.pollMs !== other.pollMs) return 'books (every change, single orders, or polled at an interval)';
  return one.fundingIntervalMs === other.fundingIntervalMs ? undefined : 'intervals of funding';
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
    if (next !== undefined && next.first < from) continue;
    for await (const block of span.tape.blocks(from)) {
      const rows = span.tape.header.books === 'candles' ? within(block, span) : block;
      owners.set(rows.times.buffer, span.tape);
      if (rows.count > 0) yield rows;
    }
    if (next !== undefined && next.tape.header.books !== 'candles') yield seam(span, next, from);
  }
}

/** The rows from the opening of the first candle to the end of the last: payments of funding may be recorded for a longer time. */
function within(rows: Rows, { first, end }: TapeSpan): Rows {
  if (rows.times[0]! >= first && rows.times[rows.count - 1]! <= end) return rows;
  const start = rows.times.subarray(0, rows.count).findIndex((time) => time >= first);
  const past = rows.times.subarray(0, rows.count).findIndex((time) => time > end);
  const range = [start === -1 ? rows.count : start, past === -1 ? rows.count : past] as const;
  return {
    count: Math.max(0, range[1] - range[0]),
    times: rows.times.subarray(...range),
    lags: rows.lags.subarray(...range),
    codes: rows.codes.subarray(...range),
    prices: rows.prices.subarray(...range),
    sizes: rows.sizes.subarray(...range),
    orders: rows.orders?.subarray(...range),
  };
}

/** The rows between two recordings: a gap, if they are far apart, and an empty book, which the second one fills. */
function seam({ end, tape: { header } }: TapeSpan, { first }: TapeSpan, from: Stamp): Rows {
  const builder = new RowBuilder({ capacity: 2, orders: header.books === 'orders' });
  const row = { lag: 0, price: 0, size: 0 };
  if (first - end > SHORTEST_GAP && end >= from) builder.add({ ...row, time: end, code: codeOf('gap') });
  builder.add({ ...row, time: first, code: codeOf('clear', { snapshot: true }) });
  return builder.take();
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'tape', message, hint });
