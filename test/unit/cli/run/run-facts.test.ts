// The facts of a run in its state directory: enough for other commands to act for the run, without secrets.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { openStateDirectory } from '../../../../src/bot/run/state/state.ts';
import { runFacts } from '../../../../src/program/commands/run/facts.ts';
import type { RunPlan } from '../../../../src/program/commands/run/plan.ts';
import { run } from '../../../../src/program/commands/run/run.ts';
import { VENUES } from '../../../../src/program/venues.ts';
import { readFacts } from '../../../../src/venues/kind/facts.ts';
import type { VenueFlags } from '../../../../src/venues/kind/venue-kind.ts';
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
const USER = keyNamed('facts');
const keyFile = join(mkdtempSync(join(tmpdir(), 'run-facts-key-')), 'my.key');
writeFileSync(keyFile, JSON.stringify(USER.keyFile), { mode: 0o600 });

const planned = (flags: Partial<VenueFlags>) =>
  VENUES.plan({ exchange: 'embedded', schema: 'bundled', ...flags }, { passphrase: () => Promise.reject(new Error('no passphrase')) });
const factsOf = async (flags: Partial<VenueFlags>) => runFacts({ facts, venue: await planned(flags) }, AT).exchange;
const hosted = (schema: string) =>
  planned({ exchange: 'hosted', live: true, url: 'https://exchange.example', key: relative('', keyFile), account: 9, schema });

test('a hosted run has the public key, and absolute paths of all files', async () => {
  const reported = runFacts({ facts, venue: await hosted('own.proto') }, AT);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(reported).toMatchObject({
    version: 1,
    run: 'grid-hosted',
    strategy: 'grid',
    markets: ['BTCUSDC'],
    started: AT,
    pid: process.pid,
    tickwright: version,
  });
  const { exchange } = reported;
  expect(exchange).toEqual({
    kind: 'hosted',
    url: 'https://exchange.example',
    user: USER.base58,
    account: 9,
    schema: resolve('own.proto'),
    key: keyFile,
    approvals: resolve('.bot/approved-schemas.json'),
  });
});

test.each(['bundled', 'remote'])('a schema that is no file is kept as it is: %s', async (schema) => {
  expect(runFacts({ facts, venue: await hosted(schema) }, AT).exchange).toMatchObject({ schema });
});

test('the other exchanges need only their addresses', async () => {
  const url = 'http://127.0.0.1:1';
  expect(await factsOf({ exchange: 'local', live: true, url })).toEqual({ kind: 'local', url });
  expect(await factsOf({ exchange: 'local', paper: true, url })).toEqual({ kind: 'paper', of: 'local', url });
  expect(await factsOf({})).toEqual({ kind: 'embedded' });
});

test('a start that fails names the account of the journal if none was given', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'run-facts-'));
  const [key, directory, user] = [join(folder, 'key.json'), join(folder, 'state'), keyNamed('facts')];
  const url = 'http://127.0.0.1:1'; // nothing listens there
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
  expect(readFacts(directory, VENUES)?.exchange).toMatchObject({ kind: 'hosted', url, account: 5 });
});
