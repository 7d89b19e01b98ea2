// The summary, the status and the watch of a run show the profit that its loss limits read, also with a position from before the run.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { RunCounts } from '../../../../src/bot/accounting/run-counts.ts';
import type { Intent } from '../../../../src/bot/domain/intent.ts';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import { limitsSchema } from '../../../../src/bot/risk/rules.ts';
import { startTrading } from '../../../../src/bot/run/core/trading.ts';
import { historyOf } from '../../../../src/bot/run/state/history.ts';
import { onlyTotalsOf } from '../../../../src/bot/run/state/loss-entries.ts';
import { openState } from '../../../../src/bot/run/state/state.ts';
import { totalsOf } from '../../../../src/bot/world/position/accounting.ts';
import { NO_LOSSES } from '../../../../src/bot/world/position/losses.ts';
import { Profit } from '../../../../src/bot/world/position/profit.ts';
import { figuresOf } from '../../../../src/program/commands/fleet/member.ts';
import { RunWatch } from '../../../../src/program/monitoring/watch.ts';
import { SimDisk } from '../../../../src/research/simulation/environment/disk/sim-disk.ts';
import { fillLine, orderLine } from '../../report/samples.ts';
import { BTC, ETH, START } from '../../world-builder.ts';
import { SmallExchange } from '../fake-venue.ts';

/** A tenth of a bitcoin. */
const SIZE = 1_000;

/** Quotes SIZE lots at a price in ticks. */
const quotes = (side: 'bids' | 'asks', price: () => number) => (): readonly Intent[] => [
  {
    kind: 'quote',
    market: 0,
    bids: [],
    asks: [],
    [side]: [{ price: ticks(price()), size: lots(SIZE) }],
    slack: ticks(0),
    fillMode: 'POST_ONLY',
  },
];

class Runs {
  readonly clock = new VirtualClock(START);
  readonly disk = new SimDisk();
  readonly exchange: SmallExchange;
  #started = 0;

  constructor(held = 0) {
    this.exchange = new SmallExchange(this.clock, { held });
  }

  /** The next process of the run, on the same disk. */
  start(
    decide: () => readonly Intent[],
    { newExchange, exchange = this.exchange }: { newExchange?: boolean; exchange?: SmallExchange } = {},
  ) {
    const { clock } = this;
    const processes = {
      self: { pid: ++this.#started, started: '', boot: '' },
      alive: () => false,
    };
    const state = openState(this.disk, {
      clock,
      started: String(this.#started),
      processes,
    });
    const name = { run: 'r', strategy: 's', exchange: 'fake' };
    const limits = limitsSchema.parse({});
    const trading = startTrading({
      clock,
      venue: exchange.venue(),
      state,
      decide,
      limits,
      params: {},
      seed: 'seed',
      name,
      newExchange,
    });
    const { world } = trading.run;
    const facts = {
      ...name,
      seed: 'seed',
      live: false,
      startedAt: START,
      params: {},
      limits: {},
    };
    const watch = new RunWatch({
      ...facts,
      markets: [BTC],
      counts: new RunCounts(),
      totals: world.accounting.totals,
      orders: [],
    });
    trading.run.turns.subscribe((turn) => watch.add(turn));
    return {
      /** What each display says. */
      shown: () => {
        const [{ pnl }, status] = [trading.summary(), trading.status()];
        const watched = watch.totals.profit / 1e6;
        return {
          summary: Number(pnl),
          status: Number(status.pnl),
          watched,
          fleet: (figuresOf(watch)?.pnl ?? Number.NaN) / 1e6,
        };
      },
      today: () => watch.totals.today / 1e6,
      losses: world.accounting.losses,
      stop: async () => {
        trading.run.stop('the test is over');
        await this.pass(60_000);
        exchange.disconnect();
        state.close();
      },
      kill: () => {
        exchange.disconnect();
        state.close();
      },
    };
  }

  pass(span: number): Promise<void> {
    return this.clock.drive(this.clock.now() + span);
  }
}

const all = (pnl: number) => ({
  summary: pnl,
  status: pnl,
  watched: pnl,
  fleet: pnl,
});

describe('a position from before the run', () => {
  test('counts from the price at which the run first saw it, in every display as in the loss limits', async () => {
    const runs = new Runs(SIZE);
    const run = runs.start(() => []);
    await runs.pass(5_000);
    expect(run.shown()).toEqual(all(0));
    runs.exchange.price -= 2_000;
    await runs.pass(5_000);
    expect(run.shown()).toEqual(all(-20));
    expect(run.losses.today?.amount).toBe(20e6);
    expect(run.today()).toBe(-20);
    run.kill();
  });

  test('is closed: the account is flat, and the profit does not change any more', async () => {
    const runs = new Runs(SIZE);
    const run = runs.start(quotes('asks', () => Math.ceil(runs.exchange.price * 1.001)));
    await runs.pass(5_000);
    runs.exchange.fill('ask');
    await runs.pass(3_000);
    const closed = 0.1 * 60_060 - 0.1 * 60_000 - 0.001;
    expect(run.shown().summary).toBeCloseTo(closed, 6);
    const before = run.shown();
    const idle = new Set<string>();
    for (const price of [580_000, 620_000, 600_500]) {
      runs.exchange.price = price;
      await runs.pass(2_000);
      idle.add(JSON.stringify(run.shown()));
    }
    expect([...idle]).toEqual([JSON.stringify(before)]);
    run.kill();
  });

  test('keeps its price over a restart', async () => {
    const runs = new Runs(SIZE);
    const first = runs.start(() => []);
    await runs.pass(5_000);
    first.kill();
    runs.exchange.price -= 2_000;
    const second = runs.start(() => []);
    await runs.pass(5_000);
    expect(second.shown()).toEqual(all(-20));
    second.kill();
  });
});

test('what a run without an earlier position loses in its first second is lost today', async () => {
  const runs = new Runs();
  const run = runs.start(quotes('bids', () => Math.floor(runs.exchange.price * 1.001)));
  await runs.pass(600);
  runs.exchange.fill('bid');
  const shown = new Set<boolean>();
  for (let tenth = 0; tenth < 40; tenth++) {
    await runs.pass(100);
    shown.add(run.today() === run.shown().watched);
  }
  expect([...shown]).toEqual([true]);
  expect(run.shown().summary).toBeLessThan(-1);
  expect(run.losses.today?.amount).toBe(-run.today() * 1e6);
  run.kill();
});

test('a run on a new exchange keeps the profit of the earlier one, and holds nothing of it', async () => {
  const runs = new Runs();
  const bid = quotes('bids', () => Math.floor(runs.exchange.price * 0.999));
  const first = runs.start(bid, { newExchange: true });
  await runs.pass(5_000);
  runs.exchange.fill('bid');
  await runs.pass(3_000);
  await first.stop();
  const earned = first.shown();
  expect(earned.summary).toBeCloseTo(6 - 0.001, 6);
  const exchange = new SmallExchange(runs.clock);
  exchange.price = 500_000;
  const second = runs.start(() => [], { newExchange: true, exchange });
  await runs.pass(5_000);
  expect(second.shown()).toEqual(earned);
  second.kill();
});

test('a run that ended before its losses were ever known continues with the profit of its fills', () => {
  const markets = new Map([BTC, ETH].map((market) => [market.symbol, market]));
  const entries = [orderLine({ clientOrderId: '1' }), fillLine({ tradeId: 'a', fee: '0.60' })];
  expect(historyOf(entries, markets).accounting).toMatchObject({
    cash: -6_000_600_000,
    held: [[0, SIZE]],
  });
});

test('the profit of each market is kept over a restart, and over one on a new exchange', () => {
  const markets = new Map([BTC, ETH].map((market) => [market.symbol, market]));
  const losses = {
    ...NO_LOSSES,
    kind: 'losses',
    at: '2026-01-01T00:00:00.000Z',
    cash: -5_995_000_000,
    profit: 8_000_000,
    held: { BTCUSDC: '0.1000' },
    markets: {
      BTCUSDC: { cash: -5_996_000_000, profit: 7_000_000 },
      ETHUSDC: { cash: 1_000_000, profit: 1_000_000 },
    },
  } as const;
  const later = historyOf([losses, orderLine({ clientOrderId: '1' }), fillLine({ tradeId: 'a', fee: '0.60' })], markets);
  const profit = new Profit(markets.values());
  profit.resume(later.accounting ?? { cash: 0, held: [] });
  const mark = {
    kind: 'infoSeen',
    at: 0,
    asked: 0,
    infos: [{ market: 0, frozen: false, mark: ticks(600_000) }],
  } as const;
  profit.infoSeen(mark);
  // 0.1 from before and 0.1 bought now for 6,000 with a fee of 0.60, at a mark of 60,000.
  expect([...profit.byMarket()].map(([id, part]) => [id, part.profit])).toEqual([
    [0, -5_996_000_000 - 6_000_600_000 + 12_000_000_000],
    [1, 1_000_000],
  ]);
  expect([...profit.byMarket().values()].reduce((sum, part) => sum + part.profit, 0)).toBe(profit.total);
  const anew = new Profit(markets.values());
  anew.resume(
    onlyTotalsOf(historyOf([losses], markets), [BTC, ETH]).accounting ?? {
      cash: 0,
      held: [],
    },
  );
  expect([...anew.byMarket()].map(([id, part]) => [id, part.profit])).toEqual([
    [0, 7_000_000],
    [1, 1_000_000],
  ]);
});

test('on a new exchange the fees, the volume and the funding of earlier processes continue, and the funding counts once', () => {
  const markets = new Map([BTC, ETH].map((market) => [market.symbol, market]));
  const entries = [
    orderLine({ clientOrderId: '1' }),
    fillLine({ tradeId: 'a', fee: '0.60' }),
    fillLine({ tradeId: 'b', side: 'ask', price: '60100.0', fee: '0.40' }),
    {
      kind: 'funding',
      at: '2026-01-05T13:00:00.000Z',
      total: 3_000_000,
      markets: { BTCUSDC: 3_000_000 },
      positions: [],
    },
  ] as const;
  const totals = {
    profit: 12_000_000,
    fees: 1_000_000,
    funding: 3_000_000,
    volume: 12_010_000_000,
    fills: 2,
    realised: 10_000_000,
  };
  const earlier = historyOf(entries, markets);
  expect(totalsOf(earlier, [BTC, ETH])).toMatchObject(totals);
  expect(totalsOf(onlyTotalsOf(earlier, [BTC, ETH]), [BTC, ETH])).toMatchObject(totals);
});
