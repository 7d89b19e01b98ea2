// The page of a sweep: the verdict first, then its evidence. One HTML file without scripts or requests.
import { DAY, type Millis } from '../../base/clock.ts';
import { plainPage, plainTable, section } from '../report/html/document.ts';
import { count, gain, money, percent, second } from '../report/html/format.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import type { Valued } from '../statistics/plateau.ts';
import type { Axis } from '../sweep/axes.ts';
import { type Objective, valueOf } from '../sweep/objective.ts';
import type { SweepSummary, Trial } from '../sweep/summary.ts';
import { kindOfVerdict, type LastWindow } from '../sweep/verdict.ts';
import type { WalkResult } from '../sweep/walk.ts';
import { curves, heatMap, scatter, strongest } from './plots.ts';

export interface SweepFacts {
  readonly strategy: string;
  /** Names of the tapes. */
  readonly tapes: readonly string[];
  readonly objective: Objective;
  readonly axes: readonly Axis[];
  /** In the order of the points. */
  readonly trials: readonly Trial[];
  /** The values that points are chosen by, of the trials with a result. */
  readonly values: readonly Valued[];
  readonly summary: SweepSummary;
  /** Number of different points of the strategy on this data in the store, over all sweeps. */
  readonly everTried: number;
  /** Number of days that are separate jobs of each point. */
  readonly days: number;
  /** The command that repeats the recommended point. */
  readonly command: string | undefined;
}

const MAX_ROWS = 50;

/** Returns the text of the file. */
export function sweepHtml(facts: SweepFacts): string {
  const { strategy, axes } = facts;
  const title = `Sweep of ${strategy} over ${axes.map(({ name }) => name).join(', ')}`;
  return plainPage({ title, body: [...sections(facts, title)], style: SWEEP_STYLE });
}

function* sections(facts: SweepFacts, title: string): Iterable<Markup> {
  const { summary, tapes, trials, days, axes, values, objective } = facts;
  const span = (trials[0]?.row.span.split('/') ?? []).map(second).join(' to ');
  yield markup`<header><h1>${title}</h1><p>${tapes.join(', ')}, ${span} UTC</p></header>`;
  yield markup`<p class="verdict ${kindOfVerdict(summary.verdict)}">${summary.verdict}</p>`;
  yield tiles(facts);
  if (days > 1)
    yield markup`<p class="note">Each point was played on ${days} days, and began each day with the deposit and without positions.</p>`;
  if (values.length > 0) {
    yield overTime(facts);
    const [rows, columns] = strongest(values, axes);
    if (rows !== undefined && columns !== undefined)
      yield section(
        'Heat map',
        heatMap({ points: values, axes, pair: [rows, columns], answer: answerOf(summary)?.at }),
        `The mean ${objective} over all points of a cell: blue above 0, orange below, the stronger the farther from it. The frame is the answer; a good one has good neighbours.`,
      );
    yield section(
      'Parameters',
      scatters(facts),
      `Each dot is a point, its height the ${objective}. The line is the mean; the best point is orange.`,
    );
  }
  if (summary.walk !== undefined)
    yield section('Walk-forward', folds(facts), 'The best point of each training window, and its return in the test after it.');
  yield section('Points', pointsTable(facts), pointsNote(facts));
  if (facts.command !== undefined) yield section('Repeat the answer', markup`<p><code>${facts.command}</code></p>`);
}

/** The longest time whose ends are named by the minute, not by the day. */
const FEW_DAYS = 3 * DAY;
const endName = (at: Millis, length: Millis): string => second(at).slice(0, length > FEW_DAYS ? 10 : 16);

/** Returns the recommended point. */
const answerOf = ({ middle, answer }: SweepSummary): Valued | undefined => middle ?? answer?.plateau;

const text = (value: number | undefined): string => (value === undefined ? 'unknown' : value.toFixed(3));

type Tile = readonly [name: string, value: string, beside: string];

function tiles({ summary, everTried }: SweepFacts): Markup {
  const { figures, points, failed } = summary;
  const shown: readonly Tile[] = [
    ['Deflated Sharpe ratio', text(figures?.dsr), 'passes from 0.9'],
    ['SPA p', text(figures?.spa), 'passes up to 0.05'],
    ['PBO', text(figures?.pbo), 'passes up to 0.5'],
    ['Points', `${points}`, failed === 0 ? 'none failed' : `${failed} failed`],
    ['Trials counted', `${figures?.trials ?? points}`, 'in the deflated Sharpe ratio'],
    ['Ever tried', `${everTried}`, 'points of this strategy on this data'],
    ...(summary.walk === undefined ? [] : [walkTile(summary.walk)]),
    ...(summary.last === undefined ? [] : [lastWindowTile(summary.last)]),
  ];
  return markup`<dl class="tiles">${shown.map(([name, value, beside]) => markup`<div><dt>${name}</dt><dd>${value}</dd><dd class="beside">${beside}</dd></div>`)}</dl>`;
}

const walkTile = ({ result, folds: tests, efficiency }: WalkResult): Tile => [
  'Out of sample',
  percent(result),
  `${tests.length} folds, efficiency ${text(efficiency)}`,
];

const lastWindowTile = ({ result, expected, looks }: LastWindow): Tile => [
  'Last window',
  percent(result),
  `expected ${percent(expected)}; ${looks} other sweeps have used it`,
];

function overTime({ trials, summary }: SweepFacts): Markup {
  const { answer, last } = summary;
  const preferred = answerOf(summary);
  const returnsAt = (at: readonly number[] | undefined): readonly number[] => {
    const outcome = trials.find(({ point }) => point.at.join() === at?.join())?.row.outcome;
    return outcome?.kind === 'done' ? [...outcome.returns] : [];
  };
  const best = returnsAt(answer?.best.at);
  const isSame = preferred?.at.join() === answer?.best.at.join();
  const lines = [
    { name: 'best point', kind: 'curve' as const, returns: best },
    ...(isSame ? [] : [{ name: 'answer', kind: 'other' as const, returns: returnsAt(preferred?.at) }]),
  ];
  const [from = 0, to = 1] = (trials[0]?.row.span.split('/') ?? []).map(Date.parse);
  const holdout = last === undefined ? undefined : (Date.parse(last.from) - from) / (to - from);
  const { drawing, low, high } = curves(lines, holdout);
  const keys = [
    markup`<span class="key"></span>best point`,
    ...(isSame ? [] : [markup`<span class="key grey"></span>answer`]),
    ...(holdout === undefined ? [] : [markup`<span class="key band"></span>last window, which no choice used`]),
  ];
  return section(
    'Return over time',
    markup`<figure>${drawing}<div class="ends"><span>${endName(from, to - from)}</span><span>${endName(to, to - from)}</span></div><figcaption>${percent(low)} to ${percent(high)} of the deposit ${keys}</figcaption></figure>`,
  );
}

const scatters = ({ axes, values, summary, objective }: SweepFacts): Markup =>
  markup`<div class="plots">${axes.map((axis, index) => (axis.values.length > 1 ? scatter(values, axis, { index, best: summary.answer?.best, what: objective }) : undefined))}</div>`;

function folds({ summary, trials }: SweepFacts): Markup {
  const done = trials.filter(({ row }) => row.outcome.kind === 'done');
  const rows = (summary.walk?.folds ?? []).map(({ trial, result }, index) => [`${index + 1}`, paramsText(done[trial]), percent(result)]);
  return plainTable(['Fold', 'Chosen', 'Return in the test'], rows, [0, 2]);
}

/** Returns notes about the points; undefined if there are none. */
function pointsNote({ trials, summary }: SweepFacts): string | undefined {
  const notes = [
    ...(trials.length > MAX_ROWS ? [`The best ${MAX_ROWS} of ${trials.length}.`] : []),
    ...(summary.last === undefined
      ? []
      : ['These figures cover the whole span, including the last window; those above, by which points are chosen, exclude it.']),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

const paramsText = (trial: Trial | undefined): string =>
  Object.entries(trial?.row.params ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

function pointsTable({ trials, axes, objective }: SweepFacts): Markup {
  const names = axes.map(({ name }) => name);
  const valued = trials.map((trial) => ({
    trial,
    value: trial.row.outcome.kind === 'done' ? valueOf(trial.row.outcome.result, objective) : -Infinity,
  }));
  const rows = valued
    .toSorted((a, b) => b.value - a.value)
    .slice(0, MAX_ROWS)
    .map(({ trial }) => {
      const { params, outcome } = trial.row;
      const own = names.map((name) => String(params[name] ?? ''));
      if (outcome.kind === 'failed') return [...own, outcome.reason, '', '', '', ''];
      const { pnl, sharpe, maxDrawdown, fees, fills } = outcome.result;
      return [
        ...own,
        gain(Number(pnl)),
        sharpe.toFixed(4).replace('-', '−'),
        money(Number(maxDrawdown)),
        money(Number(fees)),
        count(fills),
      ];
    });
  const heads = [...names, 'Profit', 'Sharpe ratio a step', 'Largest drawdown', 'Fees', 'Fills'];
  return plainTable(
    heads,
    rows,
    heads.map((_, column) => column),
  );
}

/** The styles of a sweep's page, in addition to those of a report. */
const SWEEP_STYLE = `
.verdict { margin: 0 0 24px; padding: 14px 18px; border-left: 5px solid var(--grey); border-radius: 8px; background: var(--panel); font-size: 18px; overflow-wrap: anywhere; }
.verdict.promising { border-color: var(--green); }
.verdict.noise, .verdict.nothing, .verdict.failed { border-color: var(--orange); }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(300px, 100%), 1fr)); gap: 20px; }
.plots figure { margin: 0; }
svg { display: block; width: 100%; overflow: visible; }
svg.line { height: 180px; }
svg .frame { fill: none; stroke: var(--grid); vector-effect: non-scaling-stroke; }
svg .zero { stroke: var(--muted); stroke-dasharray: 3 3; vector-effect: non-scaling-stroke; }
svg .dot { fill: var(--blue); fill-opacity: 0.35; }
svg .best { fill: var(--orange); }
svg .mean, svg .curve { fill: none; stroke: var(--blue); stroke-width: 2; vector-effect: non-scaling-stroke; }
svg .other { fill: none; stroke: var(--grey); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
svg .holdout { fill: var(--orange); fill-opacity: 0.14; }
svg text { fill: var(--muted); font-size: 11px; }
.key { display: inline-block; width: 14px; height: 3px; margin: 0 5px 3px 10px; background: var(--blue); }
.key.grey { background: var(--grey); }
.key.band { height: 12px; margin-bottom: -1px; background: var(--orange); opacity: 0.25; }
.heat td, .heat th { text-align: center; white-space: nowrap; }
.ends { display: flex; justify-content: space-between; margin: 4px 0; color: var(--muted); font-size: 12px; }
.heat th:first-child { width: 1%; }
.heat tbody th { text-align: right; color: var(--muted); }
.heat .answer { outline: 2px solid var(--text); outline-offset: -2px; font-weight: 700; }
${[1, 2, 3, 4, 5].map((level) => `.heat .up${level} { background: color-mix(in srgb, var(--blue) ${level * 11}%, var(--panel)); }`).join('\n')}
${[1, 2, 3, 4, 5].map((level) => `.heat .down${level} { background: color-mix(in srgb, var(--orange) ${level * 11}%, var(--panel)); }`).join('\n')}
`;
