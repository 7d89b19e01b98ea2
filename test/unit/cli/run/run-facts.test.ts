// The facts that a plan writes into its state directory: enough for other commands to act for the run, and nothing secret.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { runFacts } from '../../../../src/cli/commands/run/facts.ts';
import type { RunPlan } from '../../../../src/cli/commands/run/plan.ts';
import { run } from '../../../../src/cli/commands/run/run.ts';
import { walletOf } from '../../../../src/run/keys/key.ts';
import { readFacts } from '../../../../src/run/state/facts.ts';
import { openStateDirectory } from '../../../../src/run/state/state.ts';
import { publicKeyOf, toBase58 } from '../../../../src/wire/signing.ts';
import { keyNamed } from '../../../foreign/keys.ts';
import { FakeHost } from '../fake-host.ts';

const AT = '2026-01-02T03:04:05.678Z';
const facts: RunPlan['facts'] = {
  run: 'grid-hosted',
  strategy: 'grid',
  exchange: 'hosted',
  seed: 'x',
  state: '.bot/x',
  markets: ['BTCUSDC'],
};
const SECRET = new Uint8Array(32).fill(7);
const hosted = { kind: 'hosted', url: 'https://exchange.example', wallet: walletOf(SECRET), accountId: 9, keyFile: 'my.key' } as const;

test('a hosted run: the public key, and absolute paths to all that is a file', () => {
  const told = runFacts({ facts, exchange: { ...hosted, schema: 'own.proto' } }, AT);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(told).toMatchObject({
    version: 1,
    run: 'grid-hosted',
    strategy: 'grid',
    markets: ['BTCUSDC'],
    started: AT,
    pid: process.pid,
    tickwright: version,
  });
  const { exchange } = told;
  if (exchange.kind !== 'hosted') throw new Error('not a hosted one');
  expect(exchange).toMatchObject({ url: hosted.url, user: toBase58(publicKeyOf(SECRET)), account: 9 });
  expect([exchange.schema, exchange.key, exchange.approvals].every((path) => isAbsolute(path))).toBe(true);
  expect(JSON.stringify(told)).not.toContain(toBase58(SECRET));
});

test.each(['bundled', 'remote'])('a schema that is no file: %s', (schema) => {
  expect(runFacts({ facts, exchange: { ...hosted, schema } }, AT).exchange).toMatchObject({ schema });
});

test('the other exchanges need no more than where they are', () => {
  expect(runFacts({ facts, exchange: { kind: 'local', url: 'http://127.0.0.1:1' } }, AT).exchange).toEqual({
    kind: 'local',
    url: 'http://127.0.0.1:1',
  });
  expect(runFacts({ facts, exchange: { kind: 'embedded', regime: undefined } }, AT).exchange).toEqual({ kind: 'embedded' });
});

test('a start that fails names the account of the journal where it was given none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'run-facts-'));
  const [key, directory, user] = [join(folder, 'key.json'), join(folder, 'state'), keyNamed('facts')];
  const url = 'http://127.0.0.1:1'; // nobody listens there
  writeFileSync(key, JSON.stringify(user.keyFile), { mode: 0o600 });
  const state = openStateDirectory(directory, { clock: systemClock, started: 'before' });
  const identity = { exchange: 'hosted', url, user: user.base58, account: 5 } as const;
  state.append([{ kind: 'identity', at: AT, series: state.series, ...identity }]);
  state.close();
  const host = new FakeHost();
  const flags = {
    strategy: 'grid',
    exchange: 'hosted',
    schema: 'bundled',
    seed: 'x',
    url,
    key,
    state: directory,
    live: true,
    json: true,
  } as const;
  expect(await run({ ...flags, startTimeout: 1 }, host)).toBe(1);
  expect(host.stderr.text).toContain('connecting to the exchange failed');
  expect(readFacts(directory)?.exchange).toMatchObject({ kind: 'hosted', url, account: 5 });
});
