// Paper runs: only requests that read are sent, fills come from a simulated account, and a backtest of the tape repeats the run.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../../src/base/files/node-disk.ts';
import { micros } from '../../../src/bot/domain/numbers.ts';
import { KillSwitch } from '../../../src/bot/journal/kill-switch.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import type { PaperAssumptions } from '../../../src/embedded/paper/options.ts';
import { readPast } from '../../../src/embedded/recording/past-file.ts';
import { START } from '../../replay/virtual-run.ts';
import { fineGrid } from '../backtest/played.ts';
import { testBadData } from './bad-data.ts';
import { HAS_CCXT, noNetwork, type PaperApi } from './paper-stage.ts';
import { DRAWN, staged, testParity, testRepeated } from './repeated.ts';
import { fillsIn, replayed } from './replayed.ts';

/** Another client that this project did not write; it shows no public trades of this exchange. */
const OVER_CCXT: readonly [string, PaperAssumptions, PaperApi][] = HAS_CCXT ? [['on Hyperliquid over ccxt', {}, 'ccxt']] : [];
if (!HAS_CCXT) console.log('skipped: a paper run over ccxt, which is not installed (npm install --no-save --save-dev ccxt@4.5.84)');

describe('a backtest on the tape of a paper run', () => {
  testRepeated([['with a drawn latency, another queue, deposit and fees', 'hosted', DRAWN]]);
  testParity([['on Hyperliquid', {}, 'hyperliquid'], ...OVER_CCXT]);

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

  test('closes its tape if the state directory holds another account', async () => {
    const stage = await staged();
    const file = (name: string): string => join(stage.directory, name);
    await stage.start(await fineGrid());
    await stage.pass(2);
    await stage.stop();
    for (const name of ['paper.jsonl', 'market.tape']) rmSync(file(name));
    await expect(stage.start(await fineGrid(), { url: 'http://127.0.0.1:2' })).rejects.toMatchObject({ name: 'UserError', code: 'state' });
    expect(readdirSync(stage.directory).filter((name) => name.startsWith('market.tape'))).toEqual(['market.tape']);
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
