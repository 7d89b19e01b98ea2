// The sources of history: which exchange is asked, what happens without the optional library, and what is asked of Hyperliquid.
import { afterEach, expect, test } from 'vitest';
import { systemClock, VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import type { HttpReply, Transport } from '../../../../src/base/transport/transport.ts';
import { ccxtSource } from '../../../../src/research/download/sources/ccxt.ts';
import { hyperliquidSource } from '../../../../src/research/download/sources/hyperliquid.ts';
import { historySourceOf } from '../../../../src/research/download/sources/sources.ts';
import { loadCcxt } from '../../../../src/venues/ccxt/library.ts';
import { driven } from '../../../driven.ts';
import { inProcessTransport } from '../../../in-process.ts';
import { FakeCcxt } from './fake-ccxt.ts';
import { HyperliquidStandIn, type HyperliquidStandInOptions } from './hyperliquid-stand-in.ts';
import { MarketHistory } from './market-history.ts';

const NOW = Date.UTC(2026, 0, 3, 12, 0, 30);
const log = { info: () => undefined, warn: () => undefined };
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function hyperliquid(options: Partial<HyperliquidStandInOptions> = {}) {
  const history = new MarketHistory({ begins: Date.UTC(2024, 0, 1), fundingMs: 3_600_000 });
  const standIn = new HyperliquidStandIn({ now: NOW, markets: { BTC: history, 'PURR/USDC': history }, ...options });
  const source = await historySourceOf('hyperliquid', { url: await standIn.listen(), log });
  closing.push(() => source.close().then(() => standIn.close()));
  return { source, standIn };
}

test('without ccxt the message says what to install', async () => {
  await expect(loadCcxt('tickwright-no-such-package')).rejects.toThrow('this needs packages that are not installed: ccxt@4.5.84');
  await expect(loadCcxt('tickwright-no-such-package')).rejects.toMatchObject({
    code: 'option',
    hint: expect.stringMatching(/npm install .*ccxt@4\.5\.84/),
  });
});

test.each([
  ['hyperliquids', '--from "hyperliquids" is not a source of history'],
  ['ccxt', '--from "ccxt" is not a source of history'],
  ['ccxt:', '--from "ccxt:" is not a source of history'],
  ['ccxt:fak', 'ccxt 0.0.0 does not know the exchange "fak"'],
])('%s is refused', async (from, message) => {
  await expect(historySourceOf(from, { log, load: async () => new FakeCcxt({ now: NOW, markets: {} }) })).rejects.toThrow(message);
});

test('Hyperliquid: a perpetual by its coin, a spot market by its pair or its own name', async () => {
  const { source } = await hyperliquid();
  expect(await source.market('BTC')).toMatchObject({ id: 'BTC', kind: 'perp' });
  expect(await source.market('PURR/USDC')).toMatchObject({ id: '@0', kind: 'spot' });
  expect(await source.market('@0')).toMatchObject({ id: '@0', kind: 'spot' });
  await expect(source.market('BTCC')).rejects.toMatchObject({ message: 'Hyperliquid has no market "BTCC"', hint: 'did you mean "BTC"?' });
});

test('Hyperliquid: an answer of 429 with null and one that is cut off are asked for again', async () => {
  const { source, standIn } = await hyperliquid({
    instead: (_, count) => (count === 1 ? { status: 429, body: 'null' } : count === 2 ? { status: 200, body: '{"time":' } : undefined),
  });
  expect(await source.now()).toBe(NOW);
  expect(standIn.requests).toHaveLength(3);
});

test('Hyperliquid: a redirect is not followed', async () => {
  const { source } = await hyperliquid({ instead: () => ({ status: 302, body: '' }) });
  await expect(source.now()).rejects.toThrow('a redirect, which is not followed');
});

test('Hyperliquid: a length of candles that it does not have is refused', async () => {
  const { source } = await hyperliquid();
  const market = await source.market('BTC');
  expect(() => source.candles(market, 360_000)).toThrow('Hyperliquid has no candles of 6m');
  expect(source.trades(market)).toBeUndefined();
});

test('Hyperliquid: its limit of weights a minute is kept', async () => {
  const clock = new VirtualClock(NOW);
  const handler = (): HttpReply => ({ status: 200, contentType: 'application/json', body: Buffer.from(JSON.stringify({ time: NOW })) });
  const transport = inProcessTransport({ handler, clock, latencyMs: () => 2 });
  const source = hyperliquidSource({ transport, paced: true, clock, rng: rngFrom('pace'), log });
  const ask = async (count: number): Promise<void> => {
    for (let request = 0; request < count; request++) await source.now(); // of weight 2
  };
  await driven(clock, ask(600));
  expect(clock.now() - NOW).toBeLessThan(2_000);
  await driven(clock, ask(600));
  expect(clock.now() - NOW).toBeGreaterThan(59_000);
});

test('ccxt: its requests go over our transports, which wait as the exchange asks and follow no redirect', async () => {
  const sent: string[] = [];
  const replies: HttpReply[] = [429, 200, 302].map((status) => ({
    status,
    contentType: 'application/json',
    body: Buffer.from('7'),
    retryAfter: 0,
  }));
  const transport: Transport = {
    request: async ({ method, path }) => {
      sent.push(`${method} ${path}`);
      return replies.shift()!;
    },
    close: async () => undefined,
  };
  const ccxt = new FakeCcxt({ markets: {}, now: NOW });
  const exchange = ccxt.create();
  exchange.fetchTime = async () =>
    Number(await (await exchange.fetchImplementation!('https://fake.example/time', { method: 'POST' })).text());
  ccxt.create = () => exchange;
  const transports = { to: () => transport, close: async () => undefined };
  const source = ccxtSource({ ccxt, name: 'fake', transports, clock: systemClock, rng: rngFrom('ccxt'), log });
  expect(await source.now()).toBe(7);
  expect(sent).toEqual(['POST /time', 'POST /time']);
  await expect(source.now()).rejects.toThrow('a redirect, which is not followed');
});
