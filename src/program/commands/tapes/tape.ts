// `bot tape`: shows the contents of a tape, writes a part of it as a new tape, or prints its rows.
import type { Millis } from '../../../base/clock.ts';
import { spanText } from '../../../base/text/duration.ts';
import { Market } from '../../../bot/domain/market.ts';
import type { Lots, Ticks } from '../../../bot/domain/numbers.ts';
import { ASK_BIT, FUNDING_PARTS, KIND_BITS, ROW, type RowKind, STAMPS_PER_MILLI, stampText } from '../../../embedded/rows/rows.ts';
import type { TapeHeader } from '../../../embedded/tape/header.ts';
import { withTape } from '../../../embedded/tape/reader.ts';
import { rowAt, type Slice, sliceTape } from '../../../embedded/tape/slice.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';

export interface SpanFlags {
  readonly from?: Millis;
  readonly to?: Millis;
}

const sliceOf = ({ from, to }: SpanFlags): Slice => ({
  from: from && from * STAMPS_PER_MILLI,
  to: to && to * STAMPS_PER_MILLI,
});

/** Reads the whole tape, so damage is detected. */
export const tapeInfo = (file: string, { json }: { json?: true }, { stdout }: Host): Promise<ExitCode> =>
  withTape<ExitCode>(file, async (tape) => {
    const { header } = tape;
    const { rows, first, last, bytes, hash } = tape.facts;
    const counts = new Map<RowKind, number>();
    for await (const { count, codes } of tape.blocks()) {
      for (let at = 0; at < count; at += 1) {
        const kind = kindOf(codes[at] ?? 0);
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    }
    const { market, source, made } = header;
    const [firstText, lastText] = [stampText(first), stampText(last)];
    const candles = counts.get('open') ?? 0;
    if (json) {
      const markets = { [market.symbol]: { kind: market.kind } };
      say(stdout, JSON.stringify({ kind: 'tape', market: market.symbol, markets, rows, candles, first: firstText, last: lastText, hash }));
      return 0;
    }
    const lines = [
      ['source', source],
      ['time', `${firstText} to ${lastText}`],
      [
        'rows',
        `${rows.toLocaleString('en-US')}: ${[...counts].map(([kind, count]) => `${count.toLocaleString('en-US')} ${kind}`).join(', ')}`,
      ],
      ['books', booksText(header)],
      ['decimals', `price ${market.priceDecimals}, size ${market.sizeDecimals}`],
      ['kind', market.kind === 'spot' ? 'spot market' : 'perpetual'],
      ...(market.kind === 'spot' ? [] : [['margins', `imf ${market.imf}, cmf ${market.cmf}, mmf ${market.mmf}`]]),
      ...(made?.command === undefined ? [] : [['made by', made.command]]),
      ['tape', `${bytes.toLocaleString('en-US')} bytes, ${hash}`],
    ];
    say(stdout, `${market.symbol}: ${file}`);
    for (const [name = '', text = ''] of lines) say(stdout, `  ${name.padEnd(10)}${text}`);
    return 0;
  });

function booksText({ books, pollMs }: TapeHeader): string {
  if (pollMs === undefined) return books;
  if (books === 'candles') return `candles of ${spanText(pollMs, 'h')}`;
  const interval = `polled every ${spanText(pollMs, 'h')}`;
  return books === 'polled' ? interval : `${books}, ${interval}`;
}

/** Writes the part of a tape from `from` (inclusive) to `to` (exclusive). */
export const tapeSlice = (file: string, flags: SpanFlags & { out: string }, { stdout }: Host): Promise<ExitCode> =>
  withTape<ExitCode>(file, async (tape) => {
    const { rows, first, last, hash } = await sliceTape(tape, sliceOf(flags), flags.out);
    say(stdout, `${flags.out}: ${rows} rows, ${stampText(first)} to ${stampText(last)}, ${hash}`);
    return 0;
  });

/** Prints the rows from `from` (inclusive) to `to` (exclusive), one per line. */
export const tapeCat = (file: string, flags: SpanFlags & { json?: true }, { stdout }: Host): Promise<ExitCode> =>
  withTape<ExitCode>(file, async (tape) => {
    const { from, to = Number.POSITIVE_INFINITY } = sliceOf(flags);
    const cellsOf = printerOf(tape.header);
    for await (const rows of tape.blocks(from)) {
      for (let at = 0; at < rows.count; at += 1) {
        const row = rowAt(rows, at);
        if (row.time >= to) return 0;
        const cells = cellsOf(row);
        say(stdout, flags.json ? JSON.stringify(cells) : Object.values(cells).join(' '));
      }
    }
    return 0;
  });

const KINDS = Object.keys(ROW) as readonly RowKind[];
const kindOf = (code: number): RowKind => KINDS.find((kind) => ROW[kind] === (code & KIND_BITS)) ?? 'gap';
const SIDED: ReadonlySet<RowKind> = new Set(['level', 'trade', 'order']);

/** Returns a function that converts a row to named values. Prices, sizes and rates are decimal text. */
function printerOf({ market: spec }: TapeHeader): (row: ReturnType<typeof rowAt>) => Readonly<Record<string, string>> {
  const market = new Market(spec);
  const values = (kind: RowKind, price: number, size: number): Readonly<Record<string, string>> => {
    if (kind === 'clear' || kind === 'gap') return {};
    if (kind === 'funding') return { rate: String(size / FUNDING_PARTS), dueInSeconds: String(price / 1_000) };
    if (kind === 'settlement') return { rate: String(size / FUNDING_PARTS) };
    const text = { price: market.priceText(price as Ticks) };
    if (kind === 'open') return { ...text, seconds: String(size / 1_000) };
    return kind === 'close' || SIDED.has(kind) ? { ...text, size: market.sizeText(size as Lots) } : text;
  };
  return ({ time, code, price, size, order = 0 }) => {
    const kind = kindOf(code);
    return {
      at: stampText(time),
      kind,
      ...(SIDED.has(kind) && { side: (code & ASK_BIT) === 0 ? 'bid' : 'ask' }),
      ...values(kind, price, size),
      ...(order > 0 && { order: String(order) }),
    };
  };
}
