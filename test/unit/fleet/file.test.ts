// The fleet file: its runs, and errors that name file, line and column.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { newSecretKey, toBase58 } from '../../../src/base/wire/ed25519.ts';
import { planFleet, runKeysOf } from '../../../src/program/commands/fleet/plan.ts';
import { loadFleet } from '../../../src/program/fleet/file.ts';
import { FakeHost } from '../cli/fake-host.ts';

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'fleet-')), 'two.yaml');
  writeFileSync(file, text);
  return file;
}

const KEYS = runKeysOf(new FakeHost());

const plan = (text: string, flags = {}) => planFleet(fileOf(text), flags, { clock: systemClock, host: new FakeHost() });

test('each run has its options, and its values override the configuration of its strategy', async () => {
  const { runs, file } = await plan(`
runs:
  narrow: { strategy: grid, seed: one, params: { levels: 3 }, limits: { position: { maxNotional: 700 } } }
  maker: { strategy: lean-maker }
limits: { daily-loss: { maxLoss: "50" } }
`);
  expect(file).toMatchObject({ name: 'two', limits: { 'daily-loss': { maxLoss: 50, mode: 'close-only' } } });
  const [narrow, maker] = runs;
  expect(narrow?.plan).toMatchObject({ facts: { strategy: 'grid', seed: 'one' }, params: { levels: 3, spacingBps: 4 } });
  expect(narrow?.plan.config.limits).toMatchObject({ position: { maxNotional: 700 }, leverage: { max: 3 } });
  expect(narrow?.plan.facts.run).toMatch(/^two-narrow-embedded-/);
  expect(narrow?.plan.facts.state).toBe(`.bot/${narrow?.plan.facts.run}`);
  expect(maker?.plan.facts.strategy).toBe('lean-maker');
});

test('the example file is valid', async () => {
  const { runs } = await planFleet('config/fleet.yaml', {}, { clock: systemClock, host: new FakeHost() });
  expect(runs.map(({ name }) => name)).toEqual(['narrow', 'wide', 'maker']);
});

const HOSTED = 'strategy: grid, exchange: hosted, url: "http://127.0.0.1:1"';

test.each([
  [
    'an unknown key of a run',
    'runs:\n  a: { stratgy: grid }',
    /two\.yaml:2:8: unknown key "stratgy" in runs\.a/,
    'did you mean "strategy"?',
  ],
  ['an unknown parameter', 'runs:\n  a:\n    strategy: grid\n    params: { level: 3 }', /two\.yaml:4:22: /, undefined],
  [
    'an unknown limit of a guard',
    'runs:\n  a:\n    strategy: grid\n    limits: { position: { max: 3 } }',
    /two\.yaml:4:27: unknown key "max"/,
    undefined,
  ],
  ['a missing strategy', 'runs:\n  a: { strategy: gird }', /two\.yaml:2:3: run a: unknown strategy "gird"/, undefined],
  [
    'an unknown exchange',
    'runs:\n  a: { strategy: grid, exchange: hosed }',
    /two\.yaml:2:34: run a: exchange "hosed"/,
    'did you mean "hosted"?',
  ],
  ['a missing key file', `runs:\n  a: { ${HOSTED}, paper: false }`, /two\.yaml:2:3: run a: /, undefined],
  ['no run', 'runs: {}', /two\.yaml:1:1: there is no run/, undefined],
  [
    'a limit without an amount',
    'runs:\n  a: { strategy: grid }\nlimits: { drawdown: { mode: flatten } }',
    /two\.yaml:3:\d+: limits\.drawdown\.maxLoss/,
    undefined,
  ],
  [
    'a mode that a limit cannot set',
    'runs:\n  a: { strategy: grid }\nlimits: { drawdown: { maxLoss: 1, mode: halted } }',
    /two\.yaml:3:41: limits\.drawdown\.mode: must be/,
    undefined,
  ],
  ['a name with a slash', 'runs:\n  "../a": { strategy: grid }', /two\.yaml:2:3: "\.\.\/a" is not a name/, undefined],
  [
    'real money without --live',
    `runs:\n  a: { ${HOSTED}, live: true }`,
    /two\.yaml:2:\d+: a of this fleet would trade real money/,
    undefined,
  ],
  [
    'a key in the file',
    `runs:\n  a: { strategy: grid, seed: "${toBase58(newSecretKey())}" }`,
    /two\.yaml:2: this looks like a key/,
    undefined,
  ],
])('%s is an error with its place', async (_, text, message, hint) => {
  const error = await plan(text).then(
    () => undefined,
    (thrown: unknown) => thrown as Error & { hint?: string },
  );
  expect(error).toMatchObject({ name: 'UserError', message: expect.stringMatching(message) });
  if (hint !== undefined) expect(error?.hint).toBe(hint);
});

test('a run accepts a market file as `run --market` does', async () => {
  const file = fileOf('runs:\n  a: { strategy: grid, market: ./fitted.yaml }');
  writeFileSync(join(file, '../fitted.yaml'), 'like: busy\n');
  const { runs } = await planFleet(file, {}, { clock: systemClock, host: new FakeHost() });
  expect(runs).toHaveLength(1);
});

test('two runs with one account are refused', async () => {
  const text =
    'runs:\n  a: { strategy: grid, exchange: local, url: "http://127.0.0.1:1", live: true }\n  b: { strategy: twap, exchange: local, url: "http://127.0.0.1:1", live: true }';
  await expect(plan(text, { live: true })).rejects.toThrow(/two\.yaml:3:3: b and a would trade one account/);
});

test('a run may have the options of `bot run` that are marked for it, and the example file lists all of them', async () => {
  const example = readFileSync('config/fleet.yaml', 'utf8').replaceAll(/\n +# /g, ' ');
  const listed = /The options of `bot run` by their names: (.*?)\. Paths/.exec(example)?.[1];
  const named = listed?.replace('and foreign: adopt, cancel or ignore', 'foreign').split(', ') ?? [];
  expect(named.toSorted()).toEqual([...new Set(KEYS.map(({ key }) => key))].toSorted());
  await expect(plan('runs:\n  a: { strategy: grid, watch: true }')).rejects.toThrow(/two\.yaml:2:\d+: unknown key "watch" in runs\.a/);
});

test('values are read as those of the options, and an option with a default has it', async () => {
  const paper = '{ strategy: grid, exchange: hosted, url: "http://127.0.0.1:1", paper: true, account: 1.5, deposit: 5, fees: "1,4.5" }';
  await expect(plan(`runs:\n  a: ${paper}`)).rejects.toThrow(/two\.yaml:2:\d+: run a: --account "1\.5" is not an account id/);
  const { runs } = await plan('runs:\n  a: { strategy: grid, foreign: cancel, live: false, seed: 5 }\n  b: { strategy: twap }');
  expect(runs.map(({ plan: { foreign, live, facts } }) => [foreign, live, facts.seed])).toEqual([
    ['cancel', false, '5'],
    ['refuse', false, expect.stringMatching(/^[0-9a-f]{8}$/)],
  ]);
  await expect(plan('runs:\n  a: { strategy: grid, foreign: keep }')).rejects.toThrow(/runs\.a\.foreign: must be adopt, cancel or ignore/);
});

test('paths are relative to the file', () => {
  const file = fileOf(
    'runs:\n  a: { strategy: ./mine.ts, market: ./fitted.yaml, config: grid.yaml, key: /etc/key, schema: remote, exchange: ./venue.ts }',
  );
  const folder = join(file, '..');
  expect(loadFleet(file, KEYS).runs[0]?.options).toMatchObject({
    strategy: join(folder, 'mine.ts'),
    exchange: join(folder, 'venue.ts'),
    market: join(folder, 'fitted.yaml'),
    config: join(folder, 'grid.yaml'),
    key: '/etc/key',
    schema: 'remote',
  });
});

test('an exchange that cannot be loaded is refused with the place of its option; a package keeps its name', async () => {
  const text = 'runs:\n  a:\n    strategy: grid\n    exchange: ./nowhere.ts\n    paper: true\n    url: http://127.0.0.1:1\n';
  await expect(plan(text)).rejects.toThrow(/two\.yaml:4:15: run a: there is no file .*nowhere\.ts/);
  expect(loadFleet(fileOf('runs:\n  a: { exchange: "@mine/venue" }'), KEYS).runs[0]?.options.exchange).toBe('@mine/venue');
});
