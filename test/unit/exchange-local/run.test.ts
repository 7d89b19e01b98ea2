// Whole runs through surface A on virtual time: the built-in strategies, every setting at its default.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../../src/base/transport.ts';
import { connectLocal } from '../../../src/exchange/local/connect.ts';
import { inProcessTransport } from '../../../src/exchange/transport/in-process.ts';
import { loadConfig } from '../../../src/run/config.ts';
import { FAUCET } from '../../../src/run/embedded.ts';
import { memoryState } from '../../../src/run/state.ts';
import { startTrading, stopAfter } from '../../../src/run/trading.ts';
import { startEmbedded } from '../../../src/server/embedded.ts';
import { deciderOf } from '../../../src/strategy/decide.ts';
import { loadStrategy } from '../../../src/strategy/loader.ts';
import { resolveParams } from '../../../src/strategy/params.ts';
import { bundledSchema } from '../../../src/wire/schema.ts';
import { type ForeignProcess, startForeignProcess } from '../../foreign/local/process.ts';
import { AS_DOCUMENTED, AS_THE_REAL_ONE, type Rows } from '../../foreign/local/rows.ts';

const START = Date.parse('2026-01-05T12:00:00Z');
const SECONDS = 20;
const QUIET = { info: () => undefined, warn: () => undefined };

async function driven<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const done = (): void => {
    settled = true;
  };
  promise.then(done, done);
  await clock.drive(clock.now() + 86_400_000, () => settled);
  return promise;
}

interface Played {
  readonly clock: VirtualClock;
  readonly transport: Transport;
  readonly strategy: string;
  readonly flagsAs?: 'text' | undefined;
}

async function play({ clock, transport, strategy: name, flagsAs }: Played) {
  const rng = rngFrom('local');
  const { strategy } = await loadStrategy(name);
  const { polling, limits } = loadConfig({ file: undefined, sets: [] });
  const params = resolveParams(strategy, {}, () => undefined);
  const venue = await driven(clock, connectLocal({ transport, clock, rng, polling, log: QUIET, markets: ['BTCUSDC'], flagsAs }));
  const decide = deciderOf(strategy, params, { rng, markets: venue.feed.markets });
  const state = memoryState();
  const trading = startTrading({
    clock,
    venue,
    state,
    decide,
    limits,
    params,
    seed: 'local',
    name: { run: 'test', strategy: name, exchange: 'local' },
  });
  stopAfter(trading.run, { clock, spanMs: SECONDS * 1_000 });
  const ending = await driven(clock, trading.run.done);
  await venue.gateway.close();
  return { ending, summary: trading.summary(), lines: state.lines };
}

const onBug = (thrown: unknown): never => {
  throw thrown;
};

async function playEmbedded(strategy: string) {
  const clock = new VirtualClock(START);
  const embedded = await startEmbedded({
    seed: 'local',
    start: START,
    clock,
    speed: 1,
    faucet: FAUCET,
    schema: bundledSchema(),
    localPort: 0,
    onBug,
  });
  const { local: handler, localAccount } = embedded;
  if (handler === undefined || localAccount === undefined) throw new Error('there is no surface A');
  const delays = rngFrom('latency');
  const played = await play({ clock, transport: inProcessTransport({ handler, clock, latencyMs: () => 5 + delays.below(40) }), strategy });
  await embedded.close();
  const account = embedded.exchange.account(localAccount.id);
  return { ...played, account, trades: embedded.exchange.trades({ account: localAccount.id, pageSize: 50 }).items };
}

describe('on the embedded exchange', () => {
  test.each(['grid', 'twap'])('%s trades, and leaves nothing unknown or open', async (strategy) => {
    const { ending, summary, lines, account, trades } = await playEmbedded(strategy);
    expect(ending).toEqual({ kind: 'settled' });
    expect(summary.orders).toMatchObject({ unknown: 0, openAtExit: 0 });
    expect(summary.fills).toBe(trades.length);
    expect(summary.fills).toBeGreaterThan(0);
    expect(account?.orders).toEqual([]);
    const held = account?.positions.find(({ market }) => market === 0)?.size ?? 0;
    expect(Number(summary.positions['BTCUSDC'] ?? 0)).toBeCloseTo(held / 1e4, 9);
    const ends = lines.filter((line) => line.kind === 'order' && ['filled', 'cancelled', 'rejected'].includes(line.status));
    expect(ends).toHaveLength(summary.orders.placed);
  });

  test('twice the same, byte for byte', async () => {
    const [first, second] = [await playEmbedded('twap'), await playEmbedded('twap')];
    expect(second.summary).toEqual(first.summary);
    expect(second.lines).toEqual(first.lines);
  });
});

/** Its answers come at once; a reply that is lost or never comes is a time without one. */
function transportTo(foreign: ForeignProcess, clock: VirtualClock): Transport {
  const send = (request: HttpRequest, timeoutMs: number): Promise<HttpReply> =>
    new Promise((resolve, reject) => {
      clock.at(clock.now() + 5, () => {
        const outcome = foreign.handle(request);
        if (typeof outcome === 'string') clock.at(clock.now() + timeoutMs, () => reject(new TransportError('noReply', 'no reply')));
        else clock.at(clock.now() + 5, () => resolve(outcome));
      });
    });
  return { request: (request, { timeoutMs }) => send(request, timeoutMs), close: () => Promise.resolve() };
}

async function playForeign(
  rows: Rows,
  more: { flagsAs?: 'text'; meanwhile?: (foreign: ForeignProcess, clock: VirtualClock) => void } = {},
) {
  const clock = new VirtualClock(START);
  const foreign = await startForeignProcess({ rows, now: () => clock.now() });
  more.meanwhile?.(foreign, clock);
  const played = await play({ clock, transport: transportTo(foreign, clock), strategy: 'grid', flagsAs: more.flagsAs });
  const { state } = foreign;
  const { orders, trades, account, commands } = state;
  const ours = trades.filter(({ takerId, makerId }) => takerId === account.id || makerId === account.id);
  await foreign.close();
  return { ...played, position: state.position(), orders, commands, fills: ours.length };
}

const losing = (foreign: ForeignProcess, clock: VirtualClock): void => {
  for (const second of [2, 5, 9, 14]) clock.at(START + second * 1_000, () => foreign.control.loseReplies(1));
};

describe('on the foreign process', () => {
  test.each<[string, Rows, 'text' | undefined]>([
    ['as documented', AS_DOCUMENTED, undefined],
    ['as the real one, its flags written as it reads them', AS_THE_REAL_ONE, 'text'],
  ])('%s, the grid trades, and leaves nothing unknown or open', async (_, rows, flagsAs) => {
    const { ending, summary, position, orders, fills } = await playForeign(rows, flagsAs && { flagsAs });
    expect(ending).toEqual({ kind: 'settled' });
    expect(summary.orders).toMatchObject({ unknown: 0, openAtExit: 0, rejected: 0 });
    expect(summary.fills).toBe(fills);
    expect(fills).toBeGreaterThan(0);
    expect(orders).toEqual([]);
    expect(Number(summary.positions['BTCUSDC'] ?? 0)).toBe(position);
  });

  test('as the real one, it stops at the first order, says why, and leaves nothing behind', async () => {
    const { ending, summary, orders } = await playForeign(AS_THE_REAL_ONE);
    expect(ending).toMatchObject({ kind: 'failed', error: { code: 'unheeded-flag', message: expect.stringContaining('postOnly: false') } });
    expect(summary.seconds).toBeLessThan(5);
    expect(orders).toEqual([]);
  });

  test('replies that are lost leave nothing unknown, and no order is sent twice', async () => {
    const { ending, summary, commands, position, orders, fills } = await playForeign(AS_DOCUMENTED, { meanwhile: losing });
    expect(ending).toEqual({ kind: 'settled' });
    const placed = commands.filter(({ kind }) => kind === 'place');
    expect(placed.filter(({ replyLost }) => replyLost).length).toBeGreaterThan(0);
    expect(new Set(placed.map(({ fields }) => fields['clientId'])).size).toBe(placed.length);
    expect(summary.orders).toMatchObject({ unknown: 0, openAtExit: 0 });
    expect([summary.fills, orders]).toEqual([fills, []]);
    expect(fills).toBeGreaterThan(0);
    expect(Number(summary.positions['BTCUSDC'] ?? 0)).toBe(position);
  });
});
