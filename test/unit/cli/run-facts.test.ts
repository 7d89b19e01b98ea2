// What a plan leaves in its state directory for whoever minds the run later: enough to trade for it, and nothing secret.
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { expect, test } from 'vitest';
import { runFacts } from '../../../src/cli/commands/run-facts.ts';
import type { RunPlan } from '../../../src/cli/commands/run-plan.ts';
import { walletOf } from '../../../src/run/keys/key.ts';
import { publicKeyOf, toBase58 } from '../../../src/wire/signing.ts';

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
  expect(runFacts({ facts, exchange: { kind: 'embedded' } }, AT).exchange).toEqual({ kind: 'embedded' });
});
