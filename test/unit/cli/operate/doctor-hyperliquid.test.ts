// `bot doctor` at Hyperliquid's API of the embedded exchange: with the key of an agent that its account has approved, and before that.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { AGENT, approveAgent, MASTER, writeKeyFile } from '../../../hyperliquid/agent.ts';
import { embeddedOn, ONE_MARKET } from '../../../replay/virtual-run.ts';
import { runCommand } from '../run-command.ts';

async function staged() {
  const exchange = await embeddedOn(systemClock, { seed: 'doctor', markets: ONE_MARKET, hyperliquidPort: 0 });
  onTestFinished(exchange.close);
  const key = join(mkdtempSync(join(tmpdir(), 'doctor-')), 'hl.key');
  writeKeyFile(key);
  return { exchange, flags: `--exchange hyperliquid --url ${exchange.hyperliquidUrl}`, key };
}

/** Returns the lines about the key, the exchange and the account. */
async function checks(flags: string) {
  const { out } = await runCommand(`doctor ${flags} --json`);
  const lines = out.trimEnd().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { check: string; verdict: string; says: string; fix?: string })
    .filter(({ check }) => ['key', 'exchange', 'clock', 'account'].includes(check));
}

test('without a key only the exchange is checked', async () => {
  const { flags } = await staged();
  expect(await checks(flags)).toMatchObject([
    { check: 'exchange', verdict: expect.stringMatching(/ok|warn/) },
    { check: 'clock', verdict: 'ok' },
  ]);
});

test('with the key of an approved agent the account is read', async () => {
  const { exchange, flags, key } = await staged();
  approveAgent(exchange.hyperliquid, systemClock);
  const found = await checks(`${flags} --key ${key}`);
  expect(found.map(({ check }) => check)).toEqual(['key', 'exchange', 'clock', 'account']);
  expect(found[0]).toMatchObject({ verdict: 'ok', says: expect.stringContaining(`is of the agent ${AGENT}, for the account ${MASTER}`) });
  expect(found[3]).toMatchObject({ verdict: 'ok', says: `account ${MASTER}, 0 open orders` });
});

test('the key of an agent that no account has approved fails', async () => {
  const { flags, key } = await staged();
  const account = (await checks(`${flags} --key ${key}`)).at(-1);
  expect(account).toMatchObject({ check: 'account', verdict: 'fail', says: `the key ${AGENT} is not approved by any account` });
  expect(account?.fix).toContain('approve it as an API wallet');
});
