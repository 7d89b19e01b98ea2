// A run of the grid on the embedded exchange. Its report, made from the recording alone, agrees with the totals of the run.
import { beforeAll, describe, expect, test } from 'vitest';
import { Market } from '../../../src/bot/domain/market.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { readHeader } from '../../../src/bot/run/state/turn-recording.ts';
import { ReportCollector } from '../../../src/research/report/figures/report-collector.ts';
import { reportHtml } from '../../../src/research/report/html/page.ts';
import { type Report, type ReportFacts, reportJson, reportOf } from '../../../src/research/report/report.ts';
import { fillsCsv } from '../../../src/research/report/tables/run-tables.ts';
import { type VirtualRun, virtualRun } from '../../replay/virtual-run.ts';

let run: VirtualRun;
let report: Report;
beforeAll(async () => {
  run = await virtualRun({ strategy: 'grid', seed: 'report', seconds: 30 });
  const [head = '', ...turns] = run.recording;
  const { markets, params, limits } = readHeader(head);
  const collector = new ReportCollector({ markets: markets.map((spec) => new Market(spec)) });
  for (const line of turns) collector.see(JSON.parse(line) as Turn, { orders: () => [] });
  const facts = { title: 'grid', tapes: [], assumptions: {}, notes: [], params, limits, summary: run.summary } as ReportFacts;
  report = reportOf(facts, collector.collected());
});

describe('its figures', () => {
  test('are those of the run', () => {
    const { figures } = report;
    expect(figures.fills).toBeGreaterThan(5);
    expect(figures.fills).toBe(run.summary.fills);
    expect(figures.volume).toBe(Number(run.summary.volume));
    expect(report.fills.reduce((sum, { fee }) => sum + Number(fee), 0)).toBeCloseTo(Number(run.summary.fees), 6);
    expect(report.notes).toEqual([]);
  });

  test('the guards have as many findings as the run counted', () => {
    const spoken = Object.entries(report.guards).map(([name, { verdicts }]) => [name, verdicts.hold + verdicts.refuse + verdicts.shrink]);
    expect(Object.fromEntries(spoken)).toEqual(Object.fromEntries(Object.entries(run.summary.findings).filter(([, times]) => times > 0)));
  });

  test('the curve of fees ends at the fees', () => {
    const costs = report.charts.find(({ title }) => title === 'Fees and funding');
    expect(costs?.lines[0]?.values.at(-1)).toBeCloseTo(Number(run.summary.fees), 4);
  });
});

describe('its shapes', () => {
  test('agree', () => {
    const json = JSON.parse(reportJson(report)) as Report;
    expect(json.figures.volume).toBe(report.figures.volume);
    expect(fillsCsv(report).trimEnd().split('\n')).toHaveLength(report.figures.fills + 1);
    const html = reportHtml(report);
    expect(html.match(/<td class="number">[+−]?[\d.,]+ bps<br>/g)?.length).toBeGreaterThanOrEqual(1);
    for (const { tradeId } of report.fills) expect(html).toContain(`>${tradeId}<`);
  });
});
