// The page of `bot compare`: returns in one chart, all figures side by side, and the settings that differ.
import { type Compared, comparisonCharts, differencesOf, remarksOn, type SettingDifference } from '../comparison.ts';
import { chartFrames, documentHtml, notices, section } from './document.ts';
import { figuresTable } from './figure-table.ts';
import { second, span } from './format.ts';
import { markup } from './markup.ts';
import { type Column, table } from './tables.ts';

/** Returns the text of the file. */
export function comparisonHtml(runs: readonly Compared[]): string {
  const title = runs.map(({ name }) => name).join(', ');
  const [from, to] = [Math.min(...runs.map(({ report }) => report.from)), Math.max(...runs.map(({ report }) => report.to))];
  const charts = comparisonCharts(runs, { from, to });
  const differences = differencesOf(runs);
  const body = [
    markup`<header><h1>${title}</h1><p>${runs.length} runs side by side</p></header>`,
    notices(remarksOn(runs)),
    chartFrames(charts),
    section('Runs', runsTable(runs)),
    section(
      'What differs',
      differences.length === 0 ? markup`<p class="note">No parameter, limit, assumption or tape.</p>` : differencesTable(runs, differences),
    ),
    section('Figures', figuresTable(runs.map(({ name, report }) => [name, report]))),
  ];
  return documentHtml({ title: `Comparison: ${title}`, body, data: { from, to, charts } });
}

const runsTable = (runs: readonly Compared[]) =>
  table<Compared>(
    [
      { name: 'Name', cell: ({ name }) => name },
      { name: 'Backtest or run', cell: ({ report }) => report.title },
      { name: 'From (UTC)', cell: ({ report }) => second(report.from) },
      { name: 'Duration', cell: ({ report }) => span(report.to - report.from) },
      { name: 'Fingerprint', cell: ({ report }) => markup`<code>${report.summary.fingerprint.slice(0, 12)}</code>` },
    ],
    runs,
  );

const differencesTable = (runs: readonly Compared[], differences: readonly SettingDifference[]) =>
  table<SettingDifference>(
    [
      { name: '', cell: ({ name }) => name },
      ...runs.map(({ name }, index): Column<SettingDifference> => ({ name, cell: ({ values }) => values[index] ?? '–' })),
    ],
    differences,
  );
