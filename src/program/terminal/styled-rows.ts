// Styled rows of terminal text: pieces with a tone each, truncated or padded to a width, then coloured.
// The rows of the live view: `frame.ts`, of one market `market-rows.ts`; their data: `view-model-of-run.ts`.
import type { createColors } from 'picocolors';
import { safeText } from '../output/table.ts';

export type Tone = 'plain' | 'dim' | 'bold' | 'good' | 'warn' | 'bad';
export interface Piece {
  readonly text: string;
  readonly tone: Tone;
}
export type StyledRow = readonly Piece[];
export type Colours = ReturnType<typeof createColors>;

/** Returns a piece of text, with characters that a terminal cannot show replaced. */
export const piece = (text: string, tone: Tone = 'plain'): Piece => ({ text: safeText(text), tone });

export const widthOf = (row: StyledRow): number => row.reduce((width, { text }) => width + text.length, 0);

/** Returns the row at exactly `width` columns; a row that is too long ends in an ellipsis. */
export function fitted(row: StyledRow, width: number): StyledRow {
  const surplus = widthOf(row) - width;
  if (surplus <= 0) return surplus === 0 ? row : [...row, piece(' '.repeat(-surplus))];
  const cut: Piece[] = [];
  let room = width;
  for (const { text, tone } of row) {
    if (text.length >= room) return room === 0 ? cut : [...cut, { text: `${text.slice(0, room - 1)}…`, tone }];
    cut.push({ text, tone });
    room -= text.length;
  }
  return cut;
}

/** Returns the first of the rows that fits, else the last one. `rows` say the same in fewer and fewer words. */
export const firstFitting = (rows: readonly StyledRow[], width: number): StyledRow =>
  rows.find((row) => widthOf(row) <= width) ?? rows.at(-1) ?? [];

/** Joins the parts of a row, two blanks between them. */
export const joined = (parts: readonly StyledRow[]): StyledRow =>
  parts.flatMap((part, rank) => (rank === 0 ? part : [piece('  '), ...part]));

/** Returns a row of as many of the first parts as fit. */
export const fittingParts = (parts: readonly StyledRow[], width: number): StyledRow =>
  firstFitting(
    parts.map((_, dropped) => joined(parts.slice(0, parts.length - dropped))),
    width,
  );

/** Returns a text as at most `most` rows, broken between words. What does not fit is in the last row, too long for it. */
export function wrapped({ text, tone }: Piece, width: number, most: number): StyledRow[] {
  const rows: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${rows.at(-1) ?? ''} ${word}`;
    if (rows.length > 0 && (longer.length <= width || rows.length === most)) rows.splice(-1, 1, longer);
    else rows.push(word);
  }
  return rows.map((row) => [{ text: row, tone }]);
}

/** Joins two columns of rows, the left one `leftWidth` wide. */
export function joinColumns(
  left: readonly StyledRow[],
  right: readonly StyledRow[],
  { width, leftWidth }: { width: number; leftWidth: number },
): StyledRow[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
    ...fitted(left[index] ?? [], leftWidth),
    ...fitted(right[index] ?? [], width - leftWidth),
  ]);
}

/** Returns a bar for a share, which is clamped to 0 to 1. */
export function bar(share: number, width: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

/** Returns the tone of a signed decimal text. */
export const signTone = (amount: string): Tone => (amount.startsWith('-') ? 'bad' : 'good');

/** The columns of a sparkline, lowest first. */
const HEIGHTS = '▁▂▃▄▅▆▇█';

/** Returns a sparkline scaled from the smallest to the largest shown value. Each column stands for an equal part of the values, and shows the last one. */
export function sparkline(values: readonly number[], width: number): string {
  const columns = Math.min(width, values.length);
  const shown = Array.from({ length: columns }, (_, index) => values[Math.ceil(((index + 1) * values.length) / columns) - 1] ?? 0);
  const low = Math.min(...shown);
  const step = (Math.max(...shown) - low) / (HEIGHTS.length - 1);
  return shown.map((value) => HEIGHTS[step === 0 ? 0 : Math.round((value - low) / step)] ?? '').join('');
}

/** Returns a row as text with the codes of the colours. */
export function painted(row: StyledRow, colours: Colours): string {
  const paints: Readonly<Record<Tone, (text: string) => string>> = {
    plain: (text) => text,
    dim: colours.dim,
    bold: colours.bold,
    good: colours.green,
    warn: colours.yellow,
    bad: colours.red,
  };
  return row.map(({ text, tone }) => paints[tone](text)).join('');
}
