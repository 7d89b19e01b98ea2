// A session of Hyperliquid's official Python SDK with the embedded exchange: the SDK is unchanged, only its address is ours.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { embeddedOn, ONE_MARKET } from '../../../replay/virtual-run.ts';

const python = process.env['HYPERLIQUID_PYTHON'] ?? 'python3';
const hasSdk = spawnSync(python, ['-c', 'import hyperliquid']).status === 0;
const SESSION = new URL('../../../fixtures/hyperliquid/session.py', import.meta.url).pathname;

const one = (status: unknown) => ({ status: 'ok', response: { data: { statuses: [status] } } });
const error = (text: string) => one({ error: expect.stringContaining(text) });

test.skipIf(!hasSdk)(
  'the SDK reads, trades and cancels (skipped: Python has no hyperliquid-python-sdk)',
  { timeout: 120_000 },
  async () => {
    const { hyperliquidUrl = '', close } = await embeddedOn(systemClock, { seed: 'sdk', markets: ONE_MARKET, hyperliquidPort: 0 });
    try {
      const { stdout } = await promisify(execFile)(python, [SESSION, hyperliquidUrl]);
      expect(JSON.parse(stdout)).toMatchObject({
        approved: { status: 'ok' },
        role: { role: 'agent' },
        resting: one({ resting: { cloid: '0x00000000000000000000000000000007' } }),
        status: { status: 'order', order: { status: 'open' } },
        open: [{ coin: 'BTC', side: 'B', origSz: '0.0100' }],
        modified: one({ resting: { cloid: '0x00000000000000000000000000000007' } }),
        cancelled: one('success'),
        gone: error('never placed, already canceled, or filled'),
        crossing: error('Post only order would have immediately matched'),
        figures: error('divisible by tick size'),
        small: error('minimum value of $10'),
        bought: one({ filled: { totalSz: '0.0200' } }),
        reduces: error('Reduce only order would increase position'),
        state: { assetPositions: [{ position: { coin: 'BTC', szi: '0.0200' } }] },
        sold: one({ filled: { totalSz: '0.0200' } }),
        funding: [],
        paid: [],
        noop: { status: 'err', response: expect.stringContaining('nonce too low') },
        flat: [],
        schedule: { status: 'err' },
        expired: { status: 'err', response: 'Action already expired' },
      });
    } finally {
      await close();
    }
  },
);
