// Paper runs: only requests that read are sent, fills come from a simulated account, and a backtest of the tape repeats the run.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeDisk } from '../../../src/base/files/node-disk.ts';
import { micros } from '../../../src/bot/domain/numbers.ts';
import { KillSwitch } from '../../../src/bot/journal/kill-switch.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import { loadStrategy } from '../../../src/bot/strategy/loading/loader.ts';
import type { PaperAssumptions } from '../../../src/embedded/paper/options.ts';
import { readPast } from '../../../src/embedded/recording/past-file.ts';
import { parityOf } from '../../../src/research/parity/parity.ts';
import { openRecordedRun } from '../../../src/research/parity/recorded-run.ts';
import { embeddedOn, ONE_MARKET, START } from '../../replay/virtual-run.ts';
import { fineGrid } from '../backtest/played.ts';
import { testBadData } from './bad-data.ts';
import { HAS_CCXT, noNetwork, type PaperApi, PaperStage } from './paper-stage.ts';
import { fillsIn, replayed } from './replayed.ts';

async function staged(api: PaperApi = 'hosted'): Promise<PaperStage> {
  const stage = new PaperStage(mkdtempSync(join(tmpdir(), 'paper-')), api);
  const own = { seed: 'paper', start: START, markets: ONE_MARKET };
  const exchange = await embeddedOn(stage.machine, api === 'local' ? { ...own, localPort: 0 } : own);
  onTestFinished(exchange.close);
  const handler = exchange[api === 'ccxt' ? 'hyperliquid' : api];
  if (handler !== undefined) stage.serve(handler);
  await stage.pass(0.012_3); // the run does not start at a whole millisecond
  return stage;
}

/** Another client that this project did not write; it shows no public trades of this exchange. */
const OVER_CCXT: readonly [string, PaperAssumptions, PaperApi][] = HAS_CCXT ? [['on Hyperliquid over ccxt', {}, 'ccxt']] : [];
if (!HAS_CCXT) console.log('skipped: a paper run over ccxt, which is not installed (npm install --no-save --save-dev ccxt@4.5.84)');

const DRAWN: PaperAssumptions = {
  latency: { kind: 'lognormal', median: 20, p99: 200 },
  queue: { kind: 'probabilistic', power: 2 },
  deposit: micros(50_000e6),
  fees: { makerPpm: -50, takerPpm: 400 },
};

describe('a backtest on the tape of a paper run', () => {
  test.each<[string, 'hosted' | 'local', PaperAssumptions]>([
    ['with the measured latency', 'hosted', {}],
    ['with a drawn latency, another queue, deposit and fees', 'hosted', DRAWN],
    ['over the local API', 'local', {}],
  ])('gives the same actions and fingerprint, %s', async (_, api, assumptions) => {
    const stage = await staged(api);
    const strategy = await fineGrid();
    const { trading, turns } = await stage.start(strategy, { assumptions });
    await stage.pass(30);
    await stage.stop();
    const again = await replayed(stage, strategy, assumptions);
    const summary = trading.summary();
    expect(summary.fills).toBeGreaterThan(0);
    expect(summary.orders.openAtExit).toBe(0);
    expect(again.turns.map((turn) => turn.actions)).toEqual(turns.map((turn) => turn.actions));
    expect(again.summary.fingerprint).toBe(summary.fingerprint);
    expect([...stage.methods.keys()]).toEqual(['GET']);
  });

  test.each<[string, PaperAssumptions, PaperApi?]>([
    ['with the measured latency', {}],
    ['on Hyperliquid', {}, 'hyperliquid'],
    ...OVER_CCXT,
    ['with another latency', { latency: { kind: 'lognormal', median: 120, p99: 600 } }],
  ])('agrees with it fill by fill in bot parity, %s', async (_, assumptions, api) => {
    const stage = await staged(api);
    const { strategy } = await loadStrategy('grid');
    const { trading } = await stage.start(strategy, {
      assumptions,
      params: { market: stage.market, spacingBps: 0.5, levels: 8, maxPositionNotional: 90_000 },
    });
    await stage.pass(60);
    await stage.stop();
    const recorded = await openRecordedRun(stage.directory);
    const { processes, agreement, reasons } = await parityOf(recorded, { embedded: false, paper: stage.directory, queues: [] });
    const { fills, fingerprint } = trading.summary();
    expect(fills).toBeGreaterThan(5);
    expect(processes[0]?.match.fills.both).toHaveLength(fills);
    expect([agreement, reasons, processes[0]?.fingerprint]).toEqual([1, [], fingerprint]);
  });

  test('repeats the run of a strategy with a history, with the same past', async () => {
    const stage = await staged('local');
    const strategy: Strategy<Params> = { ...(await fineGrid()), history: () => ({ candles: { '1m': 5 } }) };
    const { trading } = await stage.start(strategy);
    await stage.pass(20);
    await stage.stop();
    const { fingerprint, orders } = trading.summary();
    expect(orders.placed).toBeGreaterThan(5);
    const past = readPast(join(stage.directory, 'past.jsonl'));
    expect((await replayed(stage, strategy, {}, past)).summary.fingerprint).toBe(fingerprint);
    expect((await replayed(stage, strategy)).summary.orders.placed).toBe(0); // the strategy waits for five minutes
  });

  test('repeats the run through an outage without fills and with an unchanged market', async () => {
    const stage = await staged();
    const strategy = await fineGrid();
    const { trading, turns } = await stage.start(strategy);
    await stage.pass(12);
    stage.answer = noNetwork;
    await stage.pass(10);
    expect(trading.now().findings.map(({ guard }) => guard)).toContain('data-age');
    stage.answer = (_, own) => own();
    await stage.pass(12);
    expect(trading.now().findings).toEqual([]);
    await stage.stop();
    const again = await replayed(stage, strategy);
    const [gap] = turns.flatMap(({ events }) => events.filter((event) => event.kind === 'healthSeen' && !event.healthy));
    const back = turns.findLast(({ events }) =>
      events.some((event) => event.kind === 'healthSeen' && event.healthy && event.stream === 'book'),
    );
    const inGap = turns.filter(({ at }) => gap !== undefined && back !== undefined && at > gap.at + 1_000 && at < back.at);
    expect(inGap.length).toBeGreaterThan(5);
    expect(inGap.flatMap(({ events }) => events.flatMap((event) => (event.kind === 'fillsSeen' ? event.fills : [])))).toEqual([]);
    expect(again.summary.fingerprint).toBe(trading.summary().fingerprint);
  });
});

testBadData(['staleBook']);

describe('a paper run', () => {
  test('reports the measured latency and the path of its tape', async () => {
    const stage = await staged();
    const { trading } = await stage.start(await fineGrid());
    await stage.pass(5);
    await stage.stop();
    const { paper, latency, tapes } = trading.summary();
    expect([paper, tapes]).toEqual([true, { BTCUSDC: join(stage.directory, 'market.tape') }]);
    expect(latency?.requests).toBeGreaterThan(10);
    expect(latency?.median).toBeGreaterThan(10); // 5 to 44 ms each way
    expect(latency?.p99).toBeLessThan(100);
  });

  test.each(['is stopped', 'is killed'] as const)('that %s continues with its orders, fills and position', async (how) => {
    const stage = await staged();
    const strategy = await fineGrid();
    const first = await stage.start(strategy);
    await stage.pass(17); // between two checkpoints of the tape
    if (how === 'is killed') stage.kill();
    else await stage.stop();
    await stage.pass(5);
    const second = await stage.start(strategy);
    await stage.pass(15);
    await stage.stop();
    const [before, after] = [first, second].map(({ turns }) => turns.flatMap(fillsIn));
    expect(before?.length).toBeGreaterThan(0);
    expect(after?.length).toBeGreaterThan(0);
    const ids = [...(before ?? []), ...(after ?? [])].map(({ tradeId, role }) => `${tradeId} ${role}`);
    expect(new Set(ids).size).toBe(ids.length); // none is reported twice
    const held = [...(before ?? []), ...(after ?? [])].reduce((sum, { side, size }) => sum + (side === 'bid' ? size : -size), 0);
    const { account } = second.trading.run.world;
    expect(account?.value.positions.reduce((sum, { size }) => sum + size, 0)).toBe(held);
    expect(second.turns.flatMap(({ alarms }) => alarms)).toEqual([]);
    expect(second.trading.summary()).toMatchObject({ fills: ids.length, orders: { openAtExit: 0, unknown: 0 } });
  });

  test('refuses an account that started with other assumptions', async () => {
    const stage = await staged();
    await stage.start(await fineGrid(), { assumptions: { deposit: micros(1_000e6) } });
    await stage.pass(2);
    await stage.stop();
    await expect(stage.start(await fineGrid(), { assumptions: { deposit: micros(2_000e6) } })).rejects.toMatchObject({
      name: 'UserError',
      message: 'the paper account of this state directory began with other terms: its deposit is 1000',
    });
  });

  test('refuses a tape that another run writes', async () => {
    const [stage, other] = [await staged(), await staged()];
    const record = join(stage.directory, 'shared.tape');
    await stage.start(await fineGrid(), { assumptions: { record } });
    await expect(other.start(await fineGrid(), { assumptions: { record } })).rejects.toThrow('is recording to this file');
    await stage.stop();
    await stage.start(await fineGrid(), { assumptions: { record } });
    await stage.stop();
  });

  test('ends when another process sets its kill switch', async () => {
    const stage = await staged();
    const { trading } = await stage.start(await fineGrid());
    await stage.pass(8);
    new KillSwitch(nodeDisk(stage.directory)).raise('cancel-all', { reason: 'kill', at: new Date(START).toISOString(), by: 'person' });
    await stage.whileTimePasses(trading.run.done);
    expect(trading.summary().orders).toMatchObject({ openAtExit: 0, unknown: 0 });
    await stage.stop();
  });
});
