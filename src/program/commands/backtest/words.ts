// The result of a backtest as text for a terminal.

import { spanText } from '../../../base/text/duration.ts';
import type { Summary } from '../../../bot/accounting/summary.ts';
import type { MarketKind } from '../../../bot/domain/market.ts';
import type { Tape } from '../../../embedded/tape/reader.ts';
import type { Report } from '../../../research/report/report.ts';
import { safeText, tableLines } from '../../output/table.ts';
import { heldWords, type PageRow, pageLine, summaryRows } from '../../output/words.ts';
import { shortAssumptions } from './assumptions.ts';
import type { PlayedBacktest } from './play.ts';

export function resultWords({ result: { summary, span }, report, wallMs }: PlayedBacktest, tapes: readonly Tape[]): string {
  return page(
    [`${summary.strategy} on ${tapesWords(tapes)}`, ...notesWords(report)],
    [
      [
        'played',
        `${spanText(span.to - span.from, 'h')} in ${(wallMs / 1_000).toFixed(1)} s, ${summary.turns} turns, ${speedWords(tapes, wallMs)}`,
      ],
      ...summaryRows(summary, positionWords(summary)),
      ...Object.entries(report.assumptions).map(([name, text]): [string, string] => [name, text]),
      ['hash', summary.fingerprint],
    ],
  );
}

/** The three runs of a band side by side, with the result and the assumptions of each. */
export function bandWords(played: ReadonlyMap<string, PlayedBacktest>, tapes: readonly Tape[]): string {
  const columns = [...played].map(
    ([name, { result }]): Readonly<Record<string, string>> => ({
      '': name,
      ...bandCells(result.summary),
      ...shortAssumptions(result.assumptions, tapes),
    }),
  );
  const names = Object.keys(columns[0] ?? {});
  const cells = names.map((name) => columns.map((column) => column[name] ?? ''));
  const rows = tableLines(cells, 'right', '   ').map((line, row): PageRow => [names[row] ?? '', line]);
  const expected = played.get('expected');
  const title = `${expected?.result.summary.strategy ?? ''} on ${tapesWords(tapes)}`;
  return page([title, ...(expected === undefined ? [] : notesWords(expected.report))], rows);
}

const bandCells = (summary: Summary): Readonly<Record<string, string>> => ({
  fills: String(summary.fills),
  volume: summary.volume,
  fees: summary.fees,
  funding: summary.funding,
  profit: summary.pnl,
  position: positionWords(summary),
  hash: summary.fingerprint.slice(0, 12),
});

const page = (heading: readonly string[], rows: readonly PageRow[]): string =>
  [...heading.map((line) => safeText(line)), ...rows.map(pageLine)].join('\n');

const tapesWords = (tapes: readonly Tape[]): string =>
  tapes
    .map(({ file, header, facts }) => `${header.market.symbol} (${kindWords(header.market.kind)}, ${file}, ${facts.rows} rows)`)
    .join(', ');

const kindWords = (kind: MarketKind): string => (kind === 'spot' ? 'spot' : 'perpetual');

const notesWords = ({ notes }: Report): readonly string[] => notes.map((note) => `note: ${note}`);

function speedWords(tapes: readonly Tape[], wallMs: number): string {
  const rows = tapes.reduce((sum, { facts }) => sum + facts.rows, 0);
  return `${(rows / Math.max(1, wallMs) / 1_000).toFixed(2)} million rows a second`;
}

const positionWords = ({ positions }: Summary): string => heldWords(positions) ?? 'flat';
