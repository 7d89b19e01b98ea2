// The flags of a run: which combinations are valid, checked before anything is sent.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { micros } from '../../../../src/bot/domain/numbers.ts';
import { newKey } from '../../../../src/program/commands/keys/keys.ts';
import { planRun, type RunFlags } from '../../../../src/program/commands/run/plan.ts';
import { FakeHost } from '../fake-host.ts';

const START = Date.parse('2026-01-02T03:04:05.678Z');
const USUAL: RunFlags = { strategy: 'grid', exchange: 'embedded', schema: 'bundled' };
const PROCESS = 'http://127.0.0.1:3000';
const PAPER: Partial<RunFlags> = { exchange: 'hosted', url: 'https://x.test', paper: true };
let key: string;

beforeAll(async () => {
  key = join(mkdtempSync(join(tmpdir(), 'flags-')), 'user.key');
  await newKey(key, new FakeHost());
});

const plan = (flags: Partial<RunFlags>) => planRun({ ...USUAL, ...flags }, new VirtualClock(START), new FakeHost());
const hosted = (flags: Partial<RunFlags>) => plan({ exchange: 'hosted', live: true, url: 'https://exchange.example', key, ...flags });

describe('names', () => {
  test('an embedded run has its start time in its name, so that no other run adopts its orders', async () => {
    const { facts, stamp, venue } = await plan({});
    expect([facts.run, facts.state, stamp]).toEqual([
      'grid-embedded-20260102T030405678Z',
      '.bot/grid-embedded-20260102T030405678Z',
      '20260102T030405678Z',
    ]);
    expect([venue.facts(), facts.markets]).toEqual([{ kind: 'embedded' }, ['BTCUSDC']]);
  });

  test('a hosted run has its account in its name, and keeps its name', async () => {
    expect((await hosted({})).facts.run).toBe('grid-hosted');
    expect((await hosted({ account: 7 })).facts.run).toBe('grid-hosted-7');
  });

  test('a run at the local process needs only its address, and keeps its name', async () => {
    const { facts, venue } = await plan({ exchange: 'local', live: true, url: PROCESS });
    expect([facts.run, facts.exchange, venue.facts()]).toEqual(['grid-local', 'local', { kind: 'local', url: PROCESS }]);
  });

  test('state and seed are as given; without --seed a random one is used', async () => {
    const reported = await plan({ state: '/tmp/here', seed: 'mine' });
    expect([reported.facts.state, reported.facts.seed]).toEqual(['/tmp/here', 'mine']);
    expect((await plan({})).facts.seed).toMatch(/^[0-9a-f]{8}$/);
  });
});

describe('refused', () => {
  test.each<[string, Partial<RunFlags>, string]>([
    ['a watched file with real money', { watch: true, live: true, exchange: 'hosted' }, '--watch is for the embedded exchange alone'],
    ['a watched built-in strategy', { watch: true }, '--watch needs a strategy of your own'],
    ['an unknown strategy', { strategy: 'grd' }, 'unknown strategy "grd"; did you mean "grid"?'],
    [
      'no strategy at all',
      { strategy: undefined },
      'no strategy was given; built-in strategies: grid, lean-maker, twap, crossover, pairs, carry, trend',
    ],
    ['an unknown limit', { set: ['limits.margn.openBuffer=1'] }, 'unknown key "margn" in limits'],
    ['a negative size', { set: ['params.notional=-5'] }, 'notional -5 is negative'],
    ['parameters that contradict each other', { set: ['params.lower=5'] }, 'are not a range'],
    ['a real exchange without --live', { exchange: 'hosted' }, '--exchange hosted needs --paper or --live'],
    ['both --paper and --live', { exchange: 'hosted', paper: true, live: true }, 'exclude each other'],
    ['a paper run without an address', { exchange: 'hosted', paper: true }, '--exchange hosted needs --url'],
    ['a paper run with a key', { exchange: 'hosted', url: 'https://x.test', paper: true, key: 'k' }, '--paper does not take --key'],
    ['a paper run that adopts orders', { ...PAPER, adopt: true }, '--paper does not take --adopt'],
    ['a paper run that cancels orders of others', { ...PAPER, cancelForeign: true }, '--paper does not take --cancel-foreign'],
    ['a paper run that ignores orders of others', { ...PAPER, ignoreForeign: true }, '--paper does not take --ignore-foreign'],
    ['a paper run with a schema', { ...PAPER, schema: 'remote' }, '--paper does not take --schema'],
    ['a paper run with --live at the local process', { exchange: 'local', url: PROCESS, paper: true, live: true }, 'exclude each other'],
    [
      'a paper run with queue positions, which polls do not show',
      { exchange: 'local', url: PROCESS, paper: true, queue: 'exact' },
      '--queue exact needs',
    ],
    ['a latency for a live run', { exchange: 'hosted', live: true, latency: '20' }, '--latency is for --paper alone'],
    ['a deposit without --paper', { deposit: micros(1) }, '--deposit is for --paper alone'],
    ['the local process without --live', { exchange: 'local', url: PROCESS }, '--exchange local needs --paper or --live'],
    ['the local process without --url', { exchange: 'local', live: true }, '--exchange local needs --url'],
    [
      'a key for the local process',
      { exchange: 'local', url: PROCESS, live: true, key: 'my.key' },
      'the local process does not take --key',
    ],
    [
      'an account for the local process',
      { exchange: 'local', url: PROCESS, live: true, account: 0 },
      'the local process does not take --account',
    ],
    [
      'a schema for the local process',
      { exchange: 'local', url: PROCESS, live: true, schema: 'remote' },
      'the local process does not take --schema',
    ],
    ['no --url', { exchange: 'hosted', live: true }, '--exchange hosted needs --url'],
    ['no --key', { exchange: 'hosted', live: true, url: 'https://x.example' }, '--exchange hosted needs --key'],
    [
      'flags of a real exchange for the embedded one',
      { url: 'https://x.example', live: true },
      'the embedded exchange does not take --url, --live',
    ],
    ['a schema for the embedded one', { schema: 'remote' }, 'the embedded exchange does not take --schema'],
  ])('%s', async (_, flags, message) => {
    await expect(plan(flags)).rejects.toMatchObject({ name: 'UserError', message: expect.stringContaining(message) as string });
  });

  test.each([
    ['ftp://exchange.example', 'is not an http URL'],
    ['http://exchange.example', 'is not encrypted, and not on this machine'],
    ['exchange.example', 'is not a URL'],
    ['https://me:secret@exchange.example', 'carries a user name or password'],
  ])('the address %s', async (url, message) => {
    for (const exchange of ['hosted', 'local'] as const) {
      const refusal = { name: 'UserError', message: expect.stringContaining(message) as string };
      await expect(plan({ exchange, live: true, url, ...(exchange === 'hosted' && { key }) })).rejects.toMatchObject(refusal);
    }
    await expect(hosted({ url })).rejects.not.toMatchObject({ message: expect.stringContaining('secret') as string });
  });

  test('a key file that is not there', async () => {
    await expect(hosted({ key: `${key}.gone` })).rejects.toMatchObject({ name: 'UserError', code: 'key' });
  });
});
