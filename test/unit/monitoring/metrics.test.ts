// The metrics of a run follow its turns; the listener answers Prometheus and supervisors, and no web page.
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { type Metrics, metricsOf } from '../../../src/program/monitoring/metrics/metrics.ts';
import { metricsApi, serveMetrics } from '../../../src/program/monitoring/metrics/serve.ts';
import type { RunWatch } from '../../../src/program/monitoring/watch.ts';
import { rethrow } from '../../replay/virtual-run.ts';
import { bookTurn, fillAt, T0, turn } from '../report/turns.ts';
import { BTC } from '../world-builder.ts';
import { type RecordedTurns, recordedTurns } from './recorded-turns.ts';
import { watchOf } from './test-page.ts';

let recorded: RecordedTurns;
beforeAll(async () => {
  recorded = await recordedTurns();
});

interface MetricsServer {
  readonly metrics: Metrics;
  readonly watch: RunWatch;
  readonly clock: VirtualClock;
}

/** A run after all its recorded turns. */
function after({ markets, turns }: RecordedTurns): MetricsServer {
  const watch = watchOf(markets);
  const clock = new VirtualClock(turns.at(-1)!.at + 2_500);
  const metrics = metricsOf({ clock, watch: () => watch });
  for (const turn of turns) {
    metrics.timed('turn', () => watch.add(turn));
    metrics.add(turn);
  }
  return { metrics, watch, clock };
}

async function valuesOf(metrics: Metrics): Promise<ReadonlyMap<string, number>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('tickwright_'));
  return new Map(lines.map((line) => [line.slice('tickwright_'.length, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]));
}

const count = <Item>(items: readonly Item[], is: (item: Item) => boolean): number => items.filter(is).length;

test('counters are the sums of the turns', async () => {
  const { turns } = recorded;
  const values = await valuesOf(after(recorded).metrics);
  const changes = turns.flatMap((turn) => turn.changes);
  const fills = turns.flatMap((turn) => turn.fills);
  expect(fills.length).toBeGreaterThan(0);
  expect(values.get('turns_total')).toBe(turns.length);
  expect(values.get('orders_total{status="placed"}')).toBe(count(changes, ({ status }) => status === 'placed'));
  expect(values.get('fills_total{role="maker"}')).toBe(count(fills, ({ role }) => role === 'maker'));
  expect(values.get('turn_seconds_count')).toBe(turns.length);
  expect(values.get('answer_seconds_count{of="book"}')).toBe(
    count(
      turns.flatMap((turn) => turn.events),
      ({ kind }) => kind === 'bookSeen',
    ),
  );
});

test('each order is measured once from sending to its receipt, and once to its first fill', async () => {
  const values = await valuesOf(after(recorded).metrics);
  const { turns } = recorded;
  const changes = turns.flatMap((turn) => turn.changes);
  const idsOf = (...statuses: readonly string[]): Set<string> =>
    new Set(changes.flatMap(({ order, status }) => (statuses.includes(status) ? [order.clientOrderId] : [])));
  const placed = idsOf('placed');
  const filled = new Set(
    turns.flatMap(({ fills }) => fills.flatMap(({ clientOrderId = '' }) => (placed.has(clientOrderId) ? [clientOrderId] : []))),
  );
  expect(filled.size).toBeGreaterThan(0);
  expect(values.get('order_fill_seconds_count')).toBe(filled.size);
  expect(values.get('order_receipt_seconds_count')).toBe([...idsOf('open', 'filled', 'rejected')].filter((id) => placed.has(id)).length);
  expect(values.get('order_receipt_seconds_sum')).toBeGreaterThan(0);
});

test('gauges are those of the watch, with ages by the clock', async () => {
  const { metrics, watch, clock } = after(recorded);
  const values = await valuesOf(metrics);
  const [market] = [...watch.markets.values()];
  const account = watch.account!;
  expect(values.get('equity')).toBe(account.value.margins.mf / 1e6);
  expect(values.get('pnl')).toBe(watch.totals.profit / 1e6);
  const open = account.value.positions.reduce((sum, { tradingPnl, fundingPaymentPnl }) => sum + tradingPnl + fundingPaymentPnl, 0);
  expect(values.get('realised_pnl')).toBe(watch.totals.realised! / 1e6);
  expect(values.get('unrealised_pnl')).toBe(open / 1e6);
  expect(values.get('mode{mode="active"}')).toBe(1);
  expect(values.get('data_age_seconds{of="book",market="BTCUSDC"}')).toBe((clock.now() - market!.book!.asked) / 1_000);
  const held = account.value.positions.find((position) => position.market === market!.market.id)?.size ?? 0;
  expect(values.get('position{market="BTCUSDC"}')).toBe(held / 10 ** market!.market.spec.sizeDecimals);
  expect(values.get('margin_share{line="open"}')).toBeGreaterThanOrEqual(0);
});

test('the run says which account, key, address and directory it has', async () => {
  const identity = { state: '/runs/grid', publicKey: 'So1', url: 'https://host.test', money: 'real' } as const;
  const watch = watchOf(
    [...after(recorded).watch.markets.values()].map(({ market }) => market),
    { identity },
  );
  for (const turn of recorded.turns.slice(0, 30)) watch.add(turn);
  const values = await valuesOf(metricsOf({ clock: new VirtualClock(0), watch: () => watch }));
  const [info] = [...values.keys()].filter((name) => name.startsWith('info'));
  expect(info).toContain(`state="/runs/grid",account="${watch.account?.value.id}",public_key="So1",url="https://host.test",money="real"`);
});

test('before the run trades there are no trading figures', async () => {
  const values = await valuesOf(metricsOf({ clock: new VirtualClock(0), watch: () => undefined }));
  expect([...values.keys()].filter((name) => /^(equity|pnl|mode)/.test(name))).toEqual([]);
});

const healthOf = ({ metrics, watch, clock }: MetricsServer) => {
  const { status, body } = metricsApi({ metrics, clock, watches: () => [watch] })({ method: 'GET', path: '/healthz' });
  return [status, (JSON.parse(new TextDecoder().decode(body)) as { status: string }).status];
};

describe('healthz', () => {
  test('is alive while there are turns, and hangs ten seconds after the last', () => {
    const testPage = after(recorded);
    expect(healthOf(testPage)).toEqual([200, 'alive']);
    testPage.clock.advanceTo(testPage.watch.at + 10_001);
    expect(healthOf(testPage)).toEqual([503, 'hangs']);
  });

  test('is starting before the run trades', () => {
    const metrics = metricsOf({ clock: new VirtualClock(0), watch: () => undefined });
    const { status } = metricsApi({ metrics, clock: new VirtualClock(0), watches: () => [] })({ method: 'GET', path: '/healthz' });
    expect(status).toBe(200);
  });
});

test('over HTTP there is Prometheus text for programs, and nothing for web pages', async () => {
  const { metrics, watch, clock } = after(recorded);
  const served = await serveMetrics({ port: 0, clock, metrics, watches: () => [watch], onBug: rethrow });
  onTestFinished(() => served.close());
  const reply = await fetch(`${served.url}/metrics`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(await reply.text()).toContain('\ntickwright_equity ');
  expect((await fetch(`${served.url}/metrics`, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect((await fetch(`${served.url}/other`)).status).toBe(404);
  expect((await fetch(`${served.url}/metrics`, { method: 'POST' })).status).toBe(405);
});

const filled = (after: number, side: 'bid' | 'ask', price: number): Turn =>
  turn({ kind: 'timerFired', at: T0 + after }, { fills: [fillAt(after, side, price, 2)] });

test('a fill is measured against the mid price before it, and 1, 10 and 60 s after it; one without a fresh book is not', async () => {
  const watch = watchOf([BTC]);
  const metrics = metricsOf({ clock: new VirtualClock(0), watch: () => watch });
  const play = (one: Turn): void => {
    watch.add(one);
    metrics.add(one);
  };
  play(filled(0, 'bid', 100)); // no book yet
  play(bookTurn(1_000, 100, 102));
  play(filled(1_500, 'bid', 100)); // the mid is 101: 2 × 1 captured
  play(bookTurn(2_400, 103, 105)); // after 1 s the mid is 104: 2 × 3
  play(bookTurn(11_000, 98, 100)); // after 10 s 99: 2 × −2
  play(filled(11_100, 'ask', 98)); // 2 × −1
  play(bookTurn(20_000, 98, 100));
  play(bookTurn(61_400, 101, 103)); // after 60 s 102, of the first: 2 × 1
  play(bookTurn(80_000, 100, 102));
  const values = await valuesOf(metrics);
  expect(values.get('spread_captured')).toBeCloseTo(0, 6);
  expect(values.get('spread_notional')).toBeCloseTo(2 * 101 + 2 * 99, 6);
  expect(values.get('markout{after="1s"}')).toBeCloseTo(6, 6);
  expect(values.get('markout{after="10s"}')).toBeCloseTo(-4, 6);
  expect(values.get('markout{after="60s"}')).toBeCloseTo(2, 6);
  expect(values.get('markout_notional{after="60s"}')).toBeCloseTo(202, 6); // of the second there is no fresh book
});

test('sums of money have no more than six decimals', async () => {
  const watch = watchOf([BTC]);
  const metrics = metricsOf({ clock: new VirtualClock(0), watch: () => watch });
  for (const one of [bookTurn(1_000, 100, 102), filled(1_500, 'bid', 100.9), bookTurn(2_500, 100, 102.2)]) {
    watch.add(one);
    metrics.add(one);
  }
  const values = await valuesOf(metrics);
  expect(values.get('spread_captured')).toBe(0.2);
  expect(values.get('markout{after="1s"}')).toBe(0.2);
});

test('an order that was not sent is not counted as rejected, and has no receipt', async () => {
  const { order } = recorded.turns.flatMap(({ changes }) => changes).find(({ status }) => status === 'placed')!;
  const metrics = metricsOf({ clock: new VirtualClock(0), watch: () => undefined });
  const refused = { order, status: 'rejected', reason: 'NOT_SENT' } as const;
  metrics.add(turn({ kind: 'timerFired', at: T0 }, { changes: [{ order, status: 'placed' }, refused] }));
  const values = await valuesOf(metrics);
  expect([values.get('orders_total{status="not sent"}'), values.get('orders_total{status="rejected"}')]).toEqual([1, undefined]);
  expect(values.get('order_receipt_seconds_count')).toBe(0);
});
