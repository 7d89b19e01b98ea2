// The page of a sweep: the verdict first, no requests, and its drawings.
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import { momentsOf, sharpeOf } from '../../../src/base/statistics/moments.ts';
import { axesOf } from '../../../src/research/sweep/axes.ts';
import { pointsOf } from '../../../src/research/sweep/points.ts';
import { chosenBy, summaryOf } from '../../../src/research/sweep/summary.ts';
import { sweepHtml } from '../../../src/research/sweep-page/sweep-page.ts';

const SPAN = '2026-01-01T00:00:00.000Z/2026-01-11T00:00:00.000Z';

/** A sweep over two parameters and a mode; the point (4, 20) is profitable. */
function pageOf({
  failed = false,
  params = ['a=1:5:1', 'b=10:30:10', 'mode=x,<y>'],
  span = SPAN,
}: {
  failed?: boolean;
  params?: readonly string[];
  span?: string;
} = {}): string {
  const rng = rngFrom('page');
  const axes = axesOf(params);
  const trials = pointsOf(axes, { seed: 's' }).map((point, index) => {
    const mean = point.at[0] === 3 && point.at[1] === 1 ? 0.5 : 0;
    const returns = Float64Array.from({ length: 240 }, () => (rng.normal() + mean) * 1e-4);
    const pnl = String(returns.reduce((sum, value) => sum + value, 0) * 1e5);
    const sharpe = sharpeOf(momentsOf([...returns]));
    const result = { fingerprint: `${index}`, pnl, fees: '1', fills: 5, maxDrawdown: '2', sharpe, seconds: 1 };
    const outcome = failed ? ({ kind: 'failed', reason: 'it <threw>' } as const) : ({ kind: 'done', result, returns } as const);
    const values = Object.fromEntries(axes.map(({ name, values: all }, axis) => [name, all[point.at[axis] ?? 0] ?? '']));
    const job = { key: `${index}`, point: `${index}`, strategy: 'mine', params: values, tapes: ['t'], span, stepMs: 3_600_000 };
    return { point, row: { ...job, outcome } };
  });
  const choice = { objective: 'sharpe', walk: { trainMs: 3 * 86_400_000, testMs: 2 * 86_400_000 } } as const;
  const summary = summaryOf({ axes, trials, isGrid: true, history: [], seed: 's', ...choice });
  const values = chosenBy(trials, choice);
  return sweepHtml({
    strategy: 'mine',
    tapes: ['day.tape'],
    objective: 'sharpe',
    axes,
    trials,
    values,
    summary,
    everTried: 77,
    days: 5,
    command: 'bot backtest --seed <s>',
  });
}

describe('the page of a sweep', () => {
  const page = pageOf();
  const at = (text: string): number => {
    expect(page).toContain(text);
    return page.indexOf(text);
  };

  test('has the verdict first, and the figures behind it', () => {
    const order = [
      'class="verdict promising">not explained by chance',
      'Deflated Sharpe ratio',
      '<h2>Return over time',
      '<h2>Heat map',
      '<h2>Parameters',
      '<h2>Walk-forward',
      '<h2>Points',
    ];
    expect(order.map(at)).toEqual(order.map(at).toSorted((a, b) => a - b));
    expect(page).toContain('<dd>77</dd>');
    expect(page).toContain('Each point was played on 5 days');
  });

  test('names the ends of the time by the day, and by the minute if they are close', () => {
    expect(page).toContain('<span>2026-01-01</span><span>2026-01-11</span>');
    const hour = pageOf({ span: '2026-01-01T10:00:00.000Z/2026-01-01T11:00:00.000Z' });
    expect(hour).toContain('<span>2026-01-01 10:00</span><span>2026-01-01 11:00</span>');
  });

  test('names the first and the last value of a parameter below their points', () => {
    const [, dot] = page.match(/<b>b<\/b>[\s\S]*?<circle class="[a-z]+" cx="([\d.]+)"/) ?? [];
    expect(page).toContain(`<text x="${dot}" y="172" text-anchor="middle">10</text>`);
  });

  test('has a heat map of the two most important parameters, with the answer framed', () => {
    expect(page).toContain('<th>a \\ b</th><th>10</th><th>20</th><th>30</th>');
    expect([...page.matchAll(/<td class="(?:up|down)\d( answer)?">/g)].length).toBe(15);
    expect([...page.matchAll(/ answer">/g)].length).toBe(1);
  });

  test('has each point as a dot for each parameter, and the best one in another colour', () => {
    expect([...page.matchAll(/<circle class="dot"/g)].length).toBe(3 * 29);
    expect([...page.matchAll(/<circle class="best"/g)].length).toBe(3);
  });

  test('makes no request, and escapes all texts', () => {
    expect(page).toMatch(/Content-Security-Policy" content="default-src &#39;none&#39;; style-src/);
    expect(page).not.toMatch(/<script|src=|https?:\/\//);
    expect(page).not.toContain('<y>');
    expect(page).toContain('--seed &#60;s&#62;');
  });

  test('of a sweep without a result is complete', () => {
    const failed = pageOf({ failed: true });
    expect(failed).toContain('class="verdict failed">no result: all 30 points failed');
    expect(failed).toContain('it &#60;threw&#62;');
    expect(pageOf({ params: ['a=1:5:1'] })).not.toContain('<h2>Heat map');
    expect(pageOf({ params: ['a=1', 'b=1'] })).toContain('the only point');
  });
});
