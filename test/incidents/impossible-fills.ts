// Tests of a list of trades with an impossible price or fee, or with every trade twice: nothing of it counts, and the right values replace it.
import { describe, expect, test } from 'vitest';
import type { HttpReply } from '../../src/base/transport/transport.ts';
import type { Summary } from '../../src/bot/accounting/summary.ts';
import type { Intent } from '../../src/bot/domain/intent.ts';
import type { Trading } from '../../src/bot/run/core/trading.ts';
import type { View } from '../../src/bot/strategy/view/view.ts';
import { SpotStage } from '../story/spot/spot-stage.ts';

type Row = Record<string, unknown> & { price: number; tradeId: string };
type Lie = (row: Row) => readonly Row[];

const priced =
  (price: number): Lie =>
  (row) => [{ ...row, price }];
const charged: Lie = (row) => [{ ...row, makerFee: 90_000, takerFee: 90_000 }];
/** The same trade again under another id. */
const doubled: Lie = (row) => [{ ...row, tradeId: `7${row.tradeId}` }, row];
const LIES = { 'a price of 6': priced(6), 'a price of 6,000,000': priced(6_000_000), 'a fee of 90,000': charged };

/** Returns a list of trades of our account with each row replaced. */
function lied(reply: HttpReply, path: string, lie: Lie): HttpReply {
  if (!path.startsWith('/trades') || !/makerId|takerId/.test(path) || reply.status !== 200) return reply;
  const page = JSON.parse(Buffer.from(reply.body).toString('utf8')) as { items: Row[] };
  return { ...reply, body: Buffer.from(JSON.stringify({ ...page, items: page.items.flatMap(lie) })) };
}

/** Holds one unit, then none, by turns of eight seconds. */
const takes =
  (symbol: string) =>
  (view: View): readonly Intent[] => [view.market(symbol).target({ position: Math.floor(view.now / 8_000) % 2 })];

/** Quotes both sides at the best prices. */
const makes =
  (symbol: string) =>
  (view: View): readonly Intent[] => {
    const market = view.market(symbol);
    const { bestBid, bestAsk } = market;
    if (bestBid === undefined || bestAsk === undefined) return [];
    return [market.quote({ bids: [{ price: bestBid, size: 0.5 }], asks: [{ price: bestAsk, size: 0.5 }] })];
  };

/** A market, and the side of each trade that the bot is on. */
export interface FillCase {
  readonly symbol: string;
  readonly role: 'maker' | 'taker';
}

interface Story extends FillCase {
  readonly lie?: Lie;
  /** Seconds of the run. */
  readonly from?: number;
  readonly to?: number;
}

/** So few that the trades fit on one page: a second one is another request, after which the exchange answers at other times. */
const SECONDS = 40;
const LIMITS = { 'daily-loss': { maxLoss: 50 }, drawdown: { maxFraction: 0.01 } };

interface Outcome {
  readonly stage: SpotStage;
  readonly summary: Summary;
  /** Profit just before the run is stopped: prices move while it waits for possible prices and fees. */
  readonly pnl: number;
  readonly alarms: readonly string[];
  readonly largestCount: number;
}

async function outcomeOf({ symbol, role, lie, from = 0, to = Infinity }: Story): Promise<Outcome> {
  const stage = await SpotStage.open({ markets: [symbol], limits: LIMITS });
  const alarms: string[] = [];
  let largestCount = 0;
  let pnl = 0;
  const meanwhile = (second: number, trading: Trading): void => {
    stage.corrupts = (reply, { path }) => (lie !== undefined && second >= from && second < to ? lied(reply, path, lie) : reply);
    if (second === 0) trading.lines.subscribe((line) => void (line.kind === 'alarm' && alarms.push(line.alarm)));
    largestCount = Math.max(largestCount, trading.status().provisional ?? 0);
    if (second === SECONDS) pnl = Number(trading.summary().pnl);
  };
  const summary = await stage.run((role === 'taker' ? takes : makes)(symbol), { seconds: SECONDS, meanwhile });
  return { stage, summary, pnl, alarms, largestCount };
}

const honest = new Map<string, Promise<Outcome>>();
function honestly(story: Story): Promise<Outcome> {
  const key = `${story.symbol} ${story.role}`;
  const known = honest.get(key) ?? outcomeOf({ symbol: story.symbol, role: story.role });
  honest.set(key, known);
  return known;
}

export function testImpossibleFills(cases: readonly FillCase[]): void {
  describe.each(cases)('fills in $symbol as $role', (story) => {
    test('are all possible on an honest exchange', async () => {
      const { summary, alarms, largestCount } = await honestly(story);
      expect(summary.fills).toBeGreaterThan(3);
      expect([summary.provisional, largestCount, alarms]).toEqual([undefined, 0, []]);
    });

    test.each(Object.entries(LIES))('with %s for some seconds count as they were, and stop nothing', async (_, lie) => {
      const right = await honestly(story);
      const { summary, alarms, largestCount } = await outcomeOf({ ...story, lie, from: 5, to: 35 });
      expect(largestCount).toBeGreaterThan(0);
      expect(new Set(alarms)).toEqual(new Set(['fill']));
      expect(summary).toEqual(right.summary);
    });

    test.each(Object.entries(LIES))('with %s for good stay provisional', async (name, lie) => {
      const right = await honestly(story);
      const { summary, pnl } = await outcomeOf({ ...story, lie });
      expect(summary.provisional).toBe(summary.fills);
      const { fills, orders, volume, positions, mode } = right.summary;
      expect(summary).toMatchObject({ fills, orders, volume, positions });
      expect(summary.mode).toBe(mode);
      const more = Number(summary.fees) - Number(right.summary.fees);
      expect(more).toBeGreaterThanOrEqual(0);
      expect(pnl + more).toBeCloseTo(right.pnl, 4);
      if (!name.includes('fee')) expect(more).toBe(0);
    });

    test.each(Object.entries(LIES))('with %s until the run stops count as they were, also if newer fills follow', async (_, lie) => {
      const stage = await SpotStage.open({ markets: [story.symbol], limits: LIMITS });
      stage.corrupts = (reply, { path }) => lied(reply, path, lie);
      const trades = (story.role === 'taker' ? takes : makes)(story.symbol);
      let isPaused = false;
      const summary = await stage.run((view) => (isPaused ? [] : trades(view)), {
        seconds: 60,
        meanwhile: (second, trading) => {
          isPaused = second >= 10 && second < 50;
          if (second === 60) expect(trading.status().provisional).toBeGreaterThan(0);
          if (second === 60) stage.corrupts = (reply) => reply;
        },
      });
      const { fills, fees } = stage.traded;
      expect([summary.provisional, summary.fills]).toEqual([undefined, fills]);
      expect(Number(summary.fees)).toBeCloseTo(fees, 6);
    });

    test('are booked once if every trade is listed twice for 20 s', async () => {
      const { stage, summary, alarms } = await outcomeOf({ ...story, lie: doubled, from: 5, to: 25 });
      expect(alarms).toContain('fill');
      const { fills, volume, fees } = stage.traded;
      expect([summary.fills, Number(summary.volume)]).toEqual([fills, expect.closeTo(volume, 6)]);
      expect(Number(summary.fees)).toBeCloseTo(fees, 6);
      expect(summary.mode).toBeUndefined();
    });

    test('are booked once if every trade is listed twice first after a restart', async () => {
      const { stage, summary } = await outcomeOf(story);
      const alarms: string[] = [];
      const end = await stage.run(() => [], {
        seconds: 20,
        meanwhile: (second, trading) => {
          stage.corrupts = (reply, { path }) => (second < 8 ? lied(reply, path, doubled) : reply);
          if (second === 0) trading.lines.subscribe((line) => void (line.kind === 'alarm' && alarms.push(line.alarm)));
        },
      });
      const { fills, volume } = stage.traded;
      expect([end.fills, Number(end.volume)]).toEqual([fills, expect.closeTo(volume, 6)]);
      expect([end.fees, end.positions, end.mode]).toEqual([summary.fees, summary.positions, undefined]);
      expect(new Set(alarms)).toEqual(new Set(['fill']));
    });

    test('stay provisional over a restart, until a possible price is listed', async () => {
      const { stage, summary } = await outcomeOf({ ...story, lie: LIES['a price of 6'] });
      const later = stage.run(() => [], {
        seconds: 20,
        meanwhile: (second, trading) => {
          if (second === 8) expect(trading.status().provisional).toBe(summary.provisional);
          if (second === 8) stage.corrupts = (reply) => reply;
        },
      });
      const end = await later;
      const right = await honestly(story);
      expect(end.provisional).toBeUndefined();
      expect([end.fills, end.volume, end.fees]).toEqual([right.summary.fills, right.summary.volume, right.summary.fees]);
    });
  });
}
