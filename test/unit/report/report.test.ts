// One report as figures, JSON, CSV and page: the numbers agree.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { bandNote, inversionsOf } from '../../../src/research/report/band.ts';
import { reportHtml } from '../../../src/research/report/html/page.ts';
import { SHOWN_TRADES } from '../../../src/research/report/html/tables.ts';
import { type Report, type ReportFacts, reportJson, reportOf } from '../../../src/research/report/report.ts';
import { fillsCsv } from '../../../src/research/report/tables/run-tables.ts';
import {
  accountTurn,
  bookTurn,
  changeTurn,
  fillAt,
  fillsTurn,
  findingTurn,
  orderOf,
  seriesOf,
  summaryWith,
  T0,
  timerTurn,
  turn,
} from './turns.ts';

const facts = (part: Partial<ReportFacts> = {}): ReportFacts => ({
  title: 'A run',
  summary: summaryWith({ pnl: '9.50', fees: '0.50', funding: '-1.00', volume: '3020.00', fills: 2 }),
  params: { size: 0.5, nested: { deep: [1, 2] } },
  limits: { margin: { openBuffer: 0.25 } },
  tapes: [],
  assumptions: { queue: 'behind all' },
  notes: [],
  ...part,
});

/** Returns the visible text of a page. */
const text = (page: string) =>
  page
    .replaceAll(/<(style|script)[^>]*>[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const TURNS = [
  bookTurn(0, 999, 1_001),
  accountTurn(0, { mf: 10_000 }),
  changeTurn(50, 'open', orderOf('1', 'bid', 999)),
  fillsTurn(120, fillAt(100, 'bid', 999, 1, { fee: 0.1 })),
  accountTurn(500, { mf: 9_990, pn: 1_000, pon: 1_000, imf: 50, cmf: 38, mmf: 25, position: 1 }),
  bookTurn(1_000, 1_009, 1_011),
  fillsTurn(1_600, fillAt(1_500, 'ask', 1_010.5, 2, { fee: 0.4, role: 'taker', tradeId: 'a,"b"' })),
  findingTurn(1_700, { guard: 'rate', verdict: 'refuse', reason: 'too fast' }),
  accountTurn(2_000, { mf: 10_010, pn: 1_010, pon: 1_010, imf: 50, cmf: 38, mmf: 25, position: -1 }),
  timerTurn(4_000),
];
const REPORT = reportOf(facts(), seriesOf(TURNS));

describe('the figures', () => {
  const { figures } = REPORT;

  test('split the profit into trading, fees and funding', () => {
    // 9.5 came of prices − 0.5 of fees − 1 of funding.
    expect(figures).toMatchObject({ pnl: 9.5, fees: 0.5, funding: -1, trading: 11 });
    expect(figures.equity).toEqual({ start: 10_000, end: 10_010 });
    expect(figures.equityChange).toEqual({ value: 10 });
    expect(figures.maxDrawdown).toMatchObject({ money: 10, lastsMs: 1_500 });
  });

  test('count the fills', () => {
    // 999 made and 2 021 taken; equity 10 000, 9 990 and 10 010 for 0.5, 1.5 and 2 s: 10 001.25 on average.
    expect(figures).toMatchObject({ fills: 2, volume: 3_020, averageFill: { value: 1_510 }, makerShare: { value: 999 / 3_020 } });
    expect(figures.turnover).toEqual({ value: expect.closeTo(3_020 / 10_001.25, 12) });
  });

  test('have the realised profit of closing fills', () => {
    // Half of the sale closed: 1 010.5 − 999 − 0.1 − half of 0.4.
    expect(figures.closing).toMatchObject({ count: 1, profit: 11.2, winRate: { value: 1 }, profitFactor: { missing: 'no trade lost' } });
  });

  test('attribute the profit to spread, price, fees and funding', () => {
    expect(figures.attribution).toEqual({ spread: 2, price: 9, fees: 0.5, funding: -1 });
  });

  test('have the round trips, long and short apart', () => {
    // Bought at 999 with a fee of 0.1; the mid was 1 000, then 1 010; half of the sale at 1 010.5 closed it.
    expect(figures.trips.long).toMatchObject({ count: 1, profit: 11.2, worstMae: { value: 0 }, averageMfe: { value: 11.2 } });
    expect(figures.trips.long.averageMs).toEqual({ value: 1_400 });
    expect(figures.trips.short).toMatchObject({ count: 0, expectancy: { missing: 'no trade was closed' } });
    expect(figures.trips.open).toBe(1);
  });

  test('have what holding the market returned', () => {
    expect(figures.benchmark.totalReturn).toEqual({ value: expect.closeTo(0.01, 12) });
  });

  test('have the quality of makers and takers separately', () => {
    expect(REPORT.quality.maker.spread).toEqual({ money: 1, bps: 10, counted: 1, notCounted: 0 });
    expect(REPORT.quality.taker.spread).toMatchObject({ money: 1, counted: 1 });
    expect(REPORT.quality.all.spread.money).toBe(2);
  });
});

const notesOf = (part: Partial<ReportFacts>, turns = TURNS) => reportOf(facts(part), seriesOf(turns)).notes;

describe('the notes', () => {
  test('mention earlier processes that the figures do not cover', () => {
    expect(notesOf({ notes: ['mine'] })).toEqual(['mine']);
    expect(notesOf({ summary: summaryWith({ volume: '5000.00' }) })).toEqual([expect.stringContaining('earlier processes')]);
  });

  test('mention fills on candles whose order is assumed', () => {
    const candle = { start: T0, open: ticks(9_990), high: ticks(10_200), low: ticks(9_900), close: ticks(10_000), volume: lots(1) };
    const seen = turn({ kind: 'candlesSeen', at: T0, asked: T0, market: 0, candles: [candle], span: 60_000, complete: true });
    const both = [seen, fillsTurn(200, fillAt(100, 'bid', 999, 1, { fee: 0 }), fillAt(150, 'ask', 1_010, 1, { fee: 0 }))];
    const summary = summaryWith({ volume: '2009.00' });
    expect(notesOf({ summary }, both)).toEqual([expect.stringContaining('BTCUSDC: 2 of 2 fills were in candles')]);
  });

  test('mention fees that the exchange did not report', () => {
    const notes = notesOf({ summary: summaryWith({ volume: '100.00' }) }, [fillsTurn(1, fillAt(0, 'bid', 100, 1))]);
    expect(notes).toEqual(['The exchange did not report the fee of 1 fills; it counts as 0.']);
  });
});

describe('as JSON and as CSV', () => {
  test('the figures are the same', () => {
    const read = JSON.parse(reportJson(REPORT)) as Report;
    expect(read.figures).toEqual(JSON.parse(JSON.stringify(REPORT.figures)));
    expect(read).toMatchObject({ kind: 'report', title: 'A run', params: { size: 0.5 }, summary: { pnl: '9.50', fingerprint: 'ab' } });
    expect(read.guards['rate']).toMatchObject({ verdicts: { refuse: 1 }, last: { finding: { reason: 'too fast' } } });
    expect(Object.keys(read)).not.toContain('charts');
  });

  test('a fill is a line, with what is not known left empty', () => {
    const [names, ...lines] = fillsCsv(REPORT).split('\n');
    expect(names).toBe(
      'time,market,side,price,size,price_ticks,size_lots,notional,role,fee,mid,spread,spread_bps,markout_1s,markout_1s_bps,markout_10s,markout_10s_bps,' +
        'markout_60s,markout_60s_bps,realised,order_id,trade_id,client_order_id',
    );
    expect(lines).toEqual([
      '2026-01-05T12:00:00.100Z,BTCUSDC,bid,999.0,1.0000,9990,10000,999,maker,0.10,1000,1,10,10,100,,,,,,o,t100,7',
      '2026-01-05T12:00:01.500Z,BTCUSDC,ask,1010.5,2.0000,10105,20000,2021,taker,0.40,1010,1,4.95049505,,,,,,,11.2,o,"a,""b""",7',
      '',
    ]);
  });

  test('the lines add up to the figures', () => {
    const [names = '', ...lines] = fillsCsv(REPORT).trimEnd().split('\n');
    const sum = (name: string) => lines.reduce((total, line) => total + Number(line.split(',')[names.split(',').indexOf(name)]), 0);
    expect([sum('notional'), sum('fee'), sum('spread'), sum('realised')]).toEqual([
      REPORT.figures.volume,
      REPORT.figures.fees,
      REPORT.quality.all.spread.money,
      REPORT.figures.closing.profit,
    ]);
  });
});

const hash = (source = '') => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
/** The data of its charts. */
const drawn = (page: string) => JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? '');

describe('as a page', () => {
  const html = reportHtml(REPORT);
  test('it shows the figures', () => {
    const shown = text(html);
    for (const figure of [
      'Profit +9.50',
      'From the spread',
      '+2.00',
      '+9.00',
      '−1.00',
      '3,020.00',
      '33.08 %',
      '+11.20',
      '+10.00 bps',
      'too fast',
      'behind all',
    ])
      expect(shown).toContain(figure);
    expect(shown).toContain('0 min are too short: at least 30 returns over 5 min are needed');
    expect(shown).toContain('size 0.5 nested.deep [1,2]');
  });

  test('its policy allows its one script and its one style, by what they are, and nothing else', () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1]?.replaceAll('&#39;', "'");
    const script = /<script type="module">([\s\S]*?)<\/script>/.exec(html)?.[1];
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1];
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).not.toMatch(/\s(on\w+|style)=/);
  });

  test('it makes no request', () => {
    expect(html).not.toMatch(/\b(src|href)\s*=\s*(?!"data:)/);
    expect(html).not.toMatch(/@import|url\(/);
    expect(html).not.toMatch(/\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\b/);
  });

  test('it draws a chart for all data, over the same time', () => {
    const { from, charts } = drawn(html);
    expect(from).toBe(REPORT.from);
    expect(charts.map(({ title }: { title: string }) => title)).toEqual([
      'Equity',
      'Drawdown',
      'Return, and of holding the market',
      'BTCUSDC price',
      'BTCUSDC position',
      'Margin fractions',
      'Margin in use',
      'Exposure',
      'Fees and funding',
    ]);
    for (const { times, lines } of charts) {
      expect(times.at(-1)).toBe(REPORT.to);
      for (const { values } of lines) expect(values).toHaveLength(times.length);
    }
    expect(charts[0].lines[0].values).toEqual([10_000, 9_990, 10_010, 10_010]);
    expect(charts[3].fills.map(({ side }: { side: string }) => side)).toEqual(['bid', 'ask']);
    expect(charts[3].resting).toEqual([{ from: expect.any(Number), to: REPORT.to, price: 999, side: 'bid' }]);
  });

  test('text from outside is escaped', () => {
    const evil = '</script><script>alert(1)</script><img src=x onerror="alert(2)">\u2028<!--';
    const order = fillsTurn(3, fillAt(3, 'bid', 999, 1, { tradeId: evil }));
    const turns = [...TURNS.slice(0, 3), order, findingTurn(4, { guard: evil, verdict: 'refuse', reason: evil })];
    const values = { [evil]: evil };
    const tape = { file: evil, hash: evil, market: evil, source: evil, rows: 1, first: evil, last: evil, candles: true };
    const reported = facts({ title: evil, params: values, limits: { [evil]: values }, assumptions: values, notes: [evil], tapes: [tape] });
    const summary = summaryWith({ strategy: evil, exchange: evil, fingerprint: evil, findings: { [`${evil}!`]: 0 } });
    const page = reportHtml(reportOf({ ...reported, summary }, seriesOf(turns)));
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script/g)).toHaveLength(2);
    expect(page).not.toMatch(/<img|<!--/);
    expect(page).toContain('&#60;img src=x onerror=&#34;alert(2)&#34;&#62;');
    expect(drawn(page).charts.length).toBeGreaterThan(0);
  });

  test('the runs of a band are shown side by side', () => {
    const [worse, better] = ['-5.25', '20.75'].map((pnl) => reportOf(facts({ summary: summaryWith({ pnl }) }), seriesOf(TURNS)));
    const page = text(reportHtml(REPORT, { band: { pessimistic: worse!, optimistic: better! } }));
    expect(page).toMatch(/Pessimistic Expected Optimistic/);
    expect(page).toMatch(/Profit spread \+ price − fees \+ funding, in quote money −5\.25 \+9\.50 \+20\.75/);
  });

  test('a band that is not in order is explained', () => {
    const of = (pnl: string, turns = TURNS) => reportOf(facts({ summary: summaryWith({ pnl }) }), seriesOf(turns));
    const fewer = TURNS.filter(({ fills }) => fills.every(({ side }) => side === 'bid'));
    const named = (...pnls: readonly string[]) => pnls.map((pnl, index) => ({ name: `${index}`, report: of(pnl) }));
    expect(inversionsOf(named('-5', '9.5', '9.5'))).toEqual([]);
    expect(inversionsOf(named('-3', '-5', '1')).map(({ worse, better }) => [worse.name, better.name])).toEqual([['0', '1']]);

    const [worse, better] = [
      { name: 'pessimistic', report: of('-3', fewer) },
      { name: 'expected', report: of('-5') },
    ];
    const steps = [
      { assumption: 'latency', report: of('-2.5', fewer) },
      { assumption: 'queue', report: of('-6') },
      { assumption: 'polls', report: better.report },
    ] as const;
    const note = bandNote({ worse, better }, steps);
    expect(note).toContain('the expected run (−5.00) is worse than the pessimistic one (−3.00), by 2.00');
    expect(note).toContain(
      'a shorter latency +0.5000, as many fills; a better place in the queue −3.50, 1 fill more; another start of the polls +1.00',
    );
    expect(note).toContain('Most is due to a better place in the queue: more orders are filled, and these fills lost');
    const byPolls = bandNote({ worse, better }, [{ assumption: 'polls', report: better.report }]);
    expect(byPolls).toContain('Most is due to another start of the polls: when polls start is chance');
  });

  test('many trades are shown in part, with a note', () => {
    const fills = Array.from({ length: SHOWN_TRADES + 1 }, (_, i) => fillAt(i, 'bid', 999, 1, { tradeId: `trade-${i}.` }));
    const report = reportOf(facts(), seriesOf([fillsTurn(5_000, ...fills)]));
    const page = text(reportHtml(report));
    expect(page).toContain('The first 2,000 of 2,001 fills; the CSV has all.');
    expect(page).toContain('trade-1999.');
    expect(page).not.toContain('trade-2000.');
    expect(fillsCsv(report)).toContain('trade-2000.');
  });
});

describe('a run without fills', () => {
  const placed = { placed: 3, cancelled: 2, rejected: 1, unknown: 0, openAtExit: 0 };
  const page = (turns: Parameters<typeof seriesOf>[0], orders = placed) =>
    reportHtml(reportOf(facts({ summary: summaryWith({ orders }) }), seriesOf(turns)));

  test('lists the last findings of the guards', () => {
    const finding = { guard: 'margin', verdict: 'refuse' as const, reason: 'omf 10 is not above imf 20' };
    const html = page([accountTurn(0, { mf: 5 }), findingTurn(9, finding)]);
    expect(html).toContain('Nothing was filled');
    expect(html).toContain('3 orders were placed, 2 cancelled, 1 rejected. The last finding of each guard:');
    expect(html).toContain('<b>margin</b>: omf 10 is not above imf 20');
    expect(html).not.toContain('Fill quality');
  });

  test('says that no guard acted', () => {
    expect(page([accountTurn(0, { mf: 5 })])).toContain('the market did not reach the orders');
    expect(page([accountTurn(0, { mf: 5 })], { ...placed, placed: 0 })).toContain('the strategy returned no intents');
  });

  test('and without any event still gives a page', () => {
    const html = page([timerTurn(0)]);
    expect(html).toContain('no account was seen');
    expect(text(html)).not.toMatch(/NaN|undefined|Infinity/);
  });
});
