// Sessions of two libraries that others wrote with the embedded exchange's Hyperliquid API: they are unchanged, only their address is ours.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { listedAs, withBaseFees } from '../../../../src/embedded/exchange/state/listing.ts';
import { AGENT_SECRET, approveAgent, MASTER } from '../../../hyperliquid/agent.ts';
import { embeddedOn } from '../../../replay/virtual-run.ts';

/** Where the libraries are installed. */
const directory = process.env['HYPERLIQUID_LIBRARIES'] ?? process.cwd();
const node = (script: string, ...more: string[]): string[] => ['--input-type=module', '-e', script, '--', ...more];
const isInstalled = (name: string): boolean =>
  spawnSync(process.execPath, node(`import.meta.resolve('${name}')`), { cwd: directory }).status === 0;

async function session(name: 'ccxt' | 'nktkas'): Promise<unknown> {
  const script = readFileSync(new URL(`../../../fixtures/hyperliquid/session-${name}.mjs`, import.meta.url), 'utf8');
  const markets = withBaseFees(listedAs(['BTCUSDC', 'SOLUSDC-SPOT']));
  const { hyperliquid, hyperliquidUrl = '', close } = await embeddedOn(systemClock, { seed: 'libraries', markets, hyperliquidPort: 0 });
  try {
    approveAgent(hyperliquid, systemClock);
    const key = `0x${AGENT_SECRET.toString('hex')}`;
    const { stdout } = await promisify(execFile)(process.execPath, node(script, hyperliquidUrl, MASTER, key), { cwd: directory });
    return JSON.parse(stdout.slice(stdout.indexOf('{')));
  } finally {
    await close();
  }
}

const LIMIT = { timeout: 180_000 };

test.skipIf(!isInstalled('ccxt'))('ccxt lists, trades and cancels (skipped: ccxt is not installed)', LIMIT, async () => {
  expect(await session('ccxt')).toMatchObject({
    book: [true, true],
    order: { cloid: '0x00000000000000000000000000000009' },
    open: [{ side: 'buy', amount: 0.01, isLow: true }],
    gone: expect.stringContaining('OrderNotFound'),
    crossing: expect.stringContaining('Post only order would have immediately matched'),
    small: expect.stringContaining('minimum value of $10'),
    position: { side: 'long', contracts: 0.02 },
    sides: ['buy USDC'],
    traded: expect.closeTo(0.02, 9),
    spot: { symbol: 'SOL/USDC', amount: expect.closeTo(1, 9), fee: { currency: 'SOL' } },
  });
});

test.skipIf(!isInstalled('@nktkas/hyperliquid') || !isInstalled('viem'))(
  'nktkas/hyperliquid lists, trades and cancels (skipped: @nktkas/hyperliquid or viem is not installed)',
  LIMIT,
  async () => {
    expect(await session('nktkas')).toMatchObject({
      coins: ['BTC'],
      pairs: ['@1'],
      resting: { resting: { cloid: '0xfedcba9876543210fedcba987654321a' } },
      status: { status: 'order', order: { status: 'open' } },
      cancelled: 'success',
      gone: expect.stringContaining('never placed, already canceled, or filled'),
      crossing: expect.stringContaining('Post only order would have immediately matched'),
      bought: { filled: { totalSz: '0.0200' } },
      spotBought: { filled: { oid: expect.any(Number) } },
      positions: [{ coin: 'BTC', szi: '0.0200' }],
      balances: [{ coin: 'USDC' }, { coin: 'SOL', total: expect.stringMatching(/^0\.99/) }],
      limit: { nRequestsUsed: expect.any(Number) },
    });
  },
);
