// What a backtest came to, for a person at a terminal.
import type { Report } from '../../report/report.ts';
import type { Summary } from '../../report/summary.ts';
import type { Tape } from '../../tape/reader.ts';
import { heldWords, type PageRow, pageLine, summaryRows } from '../output/words.ts';
import { clean } from '../terminal/clean.ts';
import type { Played } from './backtest.ts';

interface Where {
  readonly file: string;
  readonly tapes: readonly Tape[];
}

export function resultWords({ result: { summary }, report, wallMs }: Played, { file, tapes }: Where): string {
  return page(
    [`${summary.strategy} on ${tapesWords(tapes)}`, ...notesWords(report)],
    [
      ['played', `${spanWords(summary.seconds)} in ${(wallMs / 1_000).toFixed(1)} s, ${summary.turns} turns, ${speedWords(tapes, wallMs)}`],
      ...summaryRows(summary, positionWords(summary)),
      ...Object.entries(report.assumptions).map(([name, text]): [string, string] => [name, text]),
      ['hash', summary.fingerprint],
      ['report', file],
    ],
  );
}

/** The three side by side. */
export function bandWords(played: ReadonlyMap<string, Played>, { file, tapes }: Where): string {
  const columns = [...played].map(([name, { result }]) => [name, ...bandCells(result.summary)]);
  const names = ['', 'fills', 'volume', 'fees', 'funding', 'pnl', 'position', 'hash'];
  const widths = columns.map((cells) => Math.max(...cells.map(({ length }) => length)));
  const lines = names.map((name, row) =>
    `  ${name.padEnd(10)}${columns.map((cells, column) => (cells[row] ?? '').padStart(widths[column] ?? 0)).join('   ')}`.trimEnd(),
  );
  const expected = played.get('expected');
  const heading = [
    `${expected?.result.summary.strategy ?? ''} on ${tapesWords(tapes)}`,
    ...(expected === undefined ? [] : notesWords(expected.report)),
  ];
  return [...heading, ...lines, `  ${'report'.padEnd(10)}${file}`].map((line) => clean(line)).join('\n');
}

const bandCells = (summary: Summary): readonly string[] => [
  String(summary.fills),
  summary.volume,
  summary.fees,
  summary.funding,
  summary.pnl,
  positionWords(summary),
  summary.fingerprint.slice(0, 12),
];

const page = (heading: readonly string[], rows: readonly PageRow[]): string =>
  [...heading.map((line) => clean(line)), ...rows.map(pageLine)].join('\n');

const tapesWords = (tapes: readonly Tape[]): string =>
  tapes.map(({ file, header, facts }) => `${header.market.symbol} (${file}, ${facts.rows} rows)`).join(', ');

const notesWords = ({ notes }: Report): readonly string[] => notes.map((note) => `note: ${note}`);

function spanWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${(seconds / 60).toFixed(1)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

function speedWords(tapes: readonly Tape[], wallMs: number): string {
  const rows = tapes.reduce((sum, { facts }) => sum + facts.rows, 0);
  return `${(rows / Math.max(1, wallMs) / 1_000).toFixed(2)} million rows a second`;
}

const positionWords = ({ positions }: Summary): string => heldWords(positions) ?? 'flat';
