// The commands status, logs, flatten and clean, on state directories without a run, and on one whose run ends meanwhile.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { nodeDisk } from '../../../../src/base/files/node-disk.ts';
import { KillSwitch } from '../../../../src/bot/journal/kill-switch.ts';
import { machineFolder } from '../../../../src/bot/run/state/machine.ts';
import { cleanBeforeStart, expiredOf } from '../../../../src/program/commands/operate/clean.ts';
import { knownRuns, rememberRun } from '../../../../src/program/known-runs.ts';
import type { RunLine } from '../../../../src/program/monitoring/listed-run.ts';
import { keepOutcome } from '../../../../src/program/outcome.ts';
import { listedRuns } from '../../../../src/program/resolve-state.ts';
import { VENUES } from '../../../../src/program/venues.ts';
import { FakeHost } from '../fake-host.ts';
import { runCommand } from '../run-command.ts';
import { folderOf, NOW, writeNow } from './state-folder.ts';

const env = (): { XDG_STATE_HOME: string } => ({ XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'machine-')) });
/** Runs a command on a machine without other runs. */
const runAlone = (line: string, host = new FakeHost({ env: env() })) => runCommand(line, host);

function terminal(columns = 200): FakeHost {
  const host = new FakeHost({ env: env(), isTTY: true });
  host.stdout.columns = columns;
  return host;
}

const DAY = 86_400_000;
const DAYS_AGO = (days: number): Date => new Date(Date.now() - days * DAY);

function age(directory: string, days: number): void {
  for (const name of readdirSync(directory)) utimesSync(join(directory, name), DAYS_AGO(days), DAYS_AGO(days));
}

let before: string;
let home: string;
beforeEach(() => {
  before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'work-'));
  home = join(folder, '.bot');
  mkdirSync(home, { mode: 0o700 });
  process.chdir(folder);
});
afterEach(() => process.chdir(before));

describe('status', () => {
  test('no run', async () => {
    expect((await runAlone('status')).out).toBe('no runs on this machine; bot --strategy grid starts one\n');
  });

  test('prints one line a run: live ones first, a hanging one is marked, an ended one shows its kill switch', async () => {
    const at = new Date().toISOString();
    const living = folderOf({ run: 'living' }, { home, holder: 'living' });
    writeNow(living.directory, {
      at,
      status: { ...NOW.status, at, pnl: '12.34', positions: { BTCUSDC: '0.0120' }, openOrders: 3, dataAgeMs: 400 },
    });
    const hanging = folderOf({ run: 'hanging', started: '2026-01-01T00:00:00.000Z' }, { home, holder: 'living' });
    writeNow(hanging.directory, { at: new Date(Date.now() - 600_000).toISOString(), unknown: [{} as never] });
    const ended = folderOf({ run: 'ended' }, { home });
    new KillSwitch(nodeDisk(ended.directory)).raise('cancel-all', { reason: 'a test', at, by: 'kill' });
    const { code, out } = await runAlone('status');
    const lines = out.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      /^living +alive for \d+ [hd] +active +BTCUSDC 0.0120 +profit 12.34 +real money, 127.0.0.1:1 +3 open orders, account 0.4 s old$/,
    );
    expect(lines[1]).toMatch(
      /^hanging +hangs: last reported 10 min ago +active +flat +profit 0.00 +real money, 127.0.0.1:1 +0 open orders, 1 unknown$/,
    );
    expect(lines[2]).toMatch(
      /^ended +killed +cancel-all +position not known +profit not known +real money, 127.0.0.1:1 +its process ended without a stop/,
    );
  });

  test('says below the runs what the data of those that live is worth', async () => {
    const quality = 'ccxt:binance by ccxt 4.5.84, polled: order books every 0.5 s';
    const at = new Date().toISOString();
    writeNow(folderOf({ run: 'living' }, { home, holder: 'living' }).directory, { at, quality });
    writeNow(folderOf({ run: 'ended' }, { home }).directory, { at, quality });
    const { out } = await runAlone('status');
    expect(out.trimEnd().split('\n').slice(2)).toEqual([`living data: ${quality}`]);
    const { out: json } = await runAlone('status --json');
    expect(
      json
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as RunLine).quality),
    ).toEqual([quality, quality]);
  });

  test('on a terminal lists those that live, and the rest with --all', async () => {
    const living = folderOf({ run: 'living' }, { home, holder: 'living' });
    writeNow(living.directory, { at: new Date().toISOString() });
    folderOf({ run: 'ended' }, { home });
    expect((await runAlone('status', terminal())).out).toMatch(/^living .*\n1 run ended: bot status --all\n$/);
    expect((await runAlone('status --all', terminal())).out).toMatch(/^living .*\nended .*\n$/);
    rmSync(living.directory, { recursive: true });
    expect((await runAlone('status', terminal())).out).toBe('no run is alive; 1 run ended: bot status --all\n');
  });

  test('fits a run into the columns of a terminal, with all that a wider one shows', async () => {
    const living = folderOf({ run: 'living' }, { home, holder: 'living' });
    writeNow(living.directory, { at: new Date().toISOString() });
    const started = '2026-01-02T03:04:05.678Z';
    const failed = folderOf({ run: 'failed', started }, { home });
    const reason = `${'a'.repeat(50)}, ${'b'.repeat(50)}`;
    keepOutcome(failed.directory, { started, outcome: 'failed', reason });
    const { out } = await runAlone('status --all', terminal(60));
    const lines = out.trimEnd().split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60);
    expect(lines.filter((line) => !line.startsWith('  ')).map((line) => line.split(' ')[0])).toEqual(['living', 'failed']);
    const words = lines.map((line) => line.trim()).join('  ');
    expect(words).toMatch(
      /^living  alive for .*  real money, 127.0.0.1:1  .*  failed  failed  active .*  real money, 127.0.0.1:1  a{50},  b{50}$/,
    );
    expect((await runAlone('status')).out.trimEnd().split('\n')).toHaveLength(2); // not a terminal
  });

  test('says how each run ended and what distinguishes runs of the same name', async () => {
    const started = '2026-01-02T03:04:05.678Z';
    const user = 'So11111111111111111111111111111111111111112';
    const hosted = { kind: 'hosted', url: 'https://host.test', user, account: 12, schema: 'bundled', approvals: '/a', key: '/k' };
    const runs = [
      ['done', { outcome: 'done' }],
      ['failed', { outcome: 'failed', reason: 'the disk is full' }],
      ['limit', { outcome: 'limit', reason: 'daily loss' }],
    ] as const;
    for (const [name, ended] of runs) keepOutcome(folderOf({ run: name, exchange: hosted }, { home }).directory, { started, ...ended });
    keepOutcome(folderOf({ run: 'restarted', exchange: hosted }, { home }).directory, {
      started: '2026-01-01T00:00:00.000Z',
      outcome: 'done',
    });
    const earlier = folderOf({ run: 'earlier', exchange: hosted }, { home });
    writeNow(earlier.directory, { stopping: 'SIGINT' });
    const { out } = await runAlone('status --json');
    const found = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RunLine);
    expect(Object.fromEntries(found.map(({ run, outcome, reason }) => [run, [outcome, reason]]))).toEqual({
      done: ['done', undefined],
      failed: ['failed', 'the disk is full'],
      limit: ['limit', 'daily loss'],
      restarted: ['killed', expect.stringContaining('ended without a stop')],
      earlier: ['done', undefined],
    });
    expect(found[0]).toMatchObject({ account: 12, publicKey: user, url: 'https://host.test', money: 'real', state: expect.any(String) });
    const { out: words } = await runAlone('status');
    expect(words).toMatch(/^failed +failed +active .* real money, account 12, key So111111…, host.test +the disk is full$/m);
    writeFileSync(join(home, 'failed', 'events.jsonl'), '');
    expect((await runAlone('logs failed')).err).toMatch(/^failed: real money, account 12, .*; failed: the disk is full\n$/);
  });

  test('names the exchange whose data a paper run follows', async () => {
    for (const [run, of] of [
      ['a', 'ccxt:binance'],
      ['b', 'hosted'],
    ] as const) {
      const exchange = { kind: 'paper', of, url: 'https://host.test' };
      folderOf({ run, exchange }, { home });
    }
    folderOf({ run: 'c' }, { home });
    const { out } = await runAlone('status --json');
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RunLine);
    expect(lines.map(({ exchange, paper, money }) => [exchange, paper, money])).toEqual([
      ['ccxt:binance', true, 'practice'],
      ['hosted', true, 'practice'],
      ['local', undefined, 'real'],
    ]);
  });

  test('lists runs in other directories of the machine once, until they are gone', async () => {
    const state = { env: env() };
    const other = folderOf({ run: 'elsewhere' });
    rememberRun(other.directory, state.env);
    rememberRun(other.directory, state.env);
    const { out } = await runAlone('status --json', new FakeHost(state));
    expect(JSON.parse(out)).toMatchObject({ kind: 'run', run: 'elsewhere', state: other.directory, process: 'ended', mode: 'active' });
    renameSync(other.directory, `${other.directory}-gone`);
    expect(knownRuns(state.env)).toEqual([]);
    expect(readdirSync(join(state.env.XDG_STATE_HOME, 'tickwright', 'runs'))).toEqual([]);
  });
});

describe('logs', () => {
  const order = {
    kind: 'order',
    at: '2026-01-02T03:04:05.678Z',
    market: 'BTCUSDC',
    side: 'bid',
    price: '60000.0',
    size: '0.01',
    status: 'open',
  };
  const line = (price: string): string => `${JSON.stringify({ ...order, price })}\n`;

  test('prints the latest lines, also of the last file; as words or as JSON', async () => {
    const { directory } = folderOf({}, { home });
    writeFileSync(join(directory, 'events.jsonl.1'), line('1') + line('2'));
    writeFileSync(join(directory, 'events.jsonl'), `${line('3')}not JSON\n`);
    const words = (await runAlone('logs --lines 3')).out;
    expect(words).toBe(
      '2026-01-02T03:04:05.678Z order open: bid 0.01 BTCUSDC at 2\n2026-01-02T03:04:05.678Z order open: bid 0.01 BTCUSDC at 3\nnot JSON\n',
    );
    expect((await runAlone('logs grid-local --lines 2 --json')).out).toBe(`${line('3')}not JSON\n`);
  });

  test('follows a file that grows and is replaced, until the process ends', async () => {
    const { directory } = folderOf({}, { home, holder: 'living' });
    const file = join(directory, 'events.jsonl');
    writeFileSync(file, line('1'));
    const host = new FakeHost({ env: env() });
    const ended = runAlone('logs --follow', host);
    const shown = async (text: string): Promise<void> => {
      while (!host.stdout.text.includes(text)) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    await shown('at 1');
    appendFileSync(file, line('2'));
    await shown('at 2');
    appendFileSync(file, line('3'));
    renameSync(file, `${file}.1`);
    writeFileSync(file, line('4'));
    await shown('at 4');
    host.signal('SIGINT');
    expect((await ended).out.match(/at \d/g)).toEqual(['at 1', 'at 2', 'at 3', 'at 4']);
  });

  test('reports a run without events', async () => {
    folderOf({}, { home });
    const { code, err } = await runAlone('logs');
    expect([code, err]).toEqual([2, expect.stringContaining('has written no events')]);
  });
});

describe('flatten', () => {
  test('waits until the run has no position', async () => {
    const { directory } = folderOf({}, { home, holder: 'living' });
    writeNow(directory, { status: { ...NOW.status, positions: { BTCUSDC: '0.01' }, openOrders: 2 } });
    const host = new FakeHost({ env: env() });
    const ended = runAlone('flatten', host);
    const latch = new KillSwitch(nodeDisk(directory));
    while (latch.get().mode === 'active') await new Promise((resolve) => setTimeout(resolve, 10));
    expect(latch.get()).toMatchObject({ mode: 'flatten', cause: { by: 'flatten' } });
    writeNow(directory, { mode: 'flatten', status: { ...NOW.status, positions: { BTCUSDC: '0.01' } } });
    while (!host.stdout.text.includes('closing BTCUSDC 0.01')) await new Promise((resolve) => setTimeout(resolve, 10));
    writeNow(directory, { mode: 'flatten' });
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).toContain('grid-local: holds nothing\n');
    expect(out).toContain('resume grid-local');
  });

  test('a run that has ended closes at its next start', async () => {
    folderOf({}, { home });
    const { code, out } = await runAlone('flatten grid-local');
    expect([code, out]).toEqual([1, expect.stringContaining('start it again as before and it closes what it holds')]);
  });

  test('reports if it does not happen in time', async () => {
    const { directory } = folderOf({}, { home, holder: 'living' });
    writeNow(directory, { mode: 'flatten', status: { ...NOW.status, positions: { BTCUSDC: '0.01' } } });
    const { code, out } = await runAlone('flatten --for 1s --json');
    expect([code, JSON.parse(out)]).toEqual([1, { kind: 'flattened', run: 'grid-local', flat: false, latched: true, alive: true }]);
  });

  test('gives up after a minute, with both figures, while the exchange and the fills disagree, even if the exchange shows nothing', async () => {
    const reason = 'nothing can be closed: the exchange shows a position of 0.0000, our fills explain 0.1000';
    const { directory } = folderOf({}, { home, holder: 'living' });
    writeNow(directory, { mode: 'flatten', holding: [{ guard: 'account', verdict: 'hold', market: 'BTCUSDC', reason }] });
    const host = new FakeHost({ env: env() });
    const timers = vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let now = systemClock.now();
    vi.spyOn(systemClock, 'now').mockImplementation(() => now); // only here: other test files of this worker use the same clock
    const ended = runAlone('flatten', host);
    for (let polls = 0; polls < 4_000 && !host.stdout.text.includes('not closed'); polls++) {
      await new Promise(setImmediate);
      now += 500;
      timers.advanceTimersByTime(500);
    }
    vi.useRealTimers();
    vi.restoreAllMocks();
    const { code, out } = await ended;
    expect(code).toBe(1);
    expect(out).toContain(`grid-local: waiting: ${reason}`);
    expect(out).toContain(`not closed: ${reason}; look up the position`);
  });
});

function aged(name: string, kind: 'embedded' | 'local', days: number, holder?: 'living'): string {
  const exchange = kind === 'embedded' ? { kind } : { kind, url: 'http://127.0.0.1:1' };
  const { directory } = folderOf({ run: name, exchange }, { home, ...(holder && { holder }) });
  writeFileSync(join(directory, 'journal-000001.log'), 'x'.repeat(500));
  writeFileSync(join(directory, 'turns-1-000001.jsonl.gz'), 'x'.repeat(1_000));
  age(directory, days);
  return directory;
}

function expired(run: string): string {
  const { directory } = folderOf({ run, exchange: { kind: 'embedded' } }, { home });
  age(directory, 8);
  return directory;
}

describe('clean', () => {
  test('runs before the first start of a day, and not again', () => {
    const host = new FakeHost({ env: env() });
    const first = expired('first');
    cleanBeforeStart({ runDays: 7, recordingDays: 30 }, host);
    expect([existsSync(first), host.stderr.text]).toEqual([false, expect.stringMatching(/^removed what was past its retention: 1 run, /)]);
    const second = expired('second');
    cleanBeforeStart({ runDays: 7, recordingDays: 30 }, host);
    expect(existsSync(second)).toBe(true);
    const stamp = join(machineFolder(host.env), 'cleaned');
    utimesSync(stamp, DAYS_AGO(1), DAYS_AGO(1));
    cleanBeforeStart({ runDays: 7, recordingDays: 30 }, host);
    expect(existsSync(second)).toBe(false);
  });

  test('removes ended embedded runs and old recordings, and nothing that a restart needs', async () => {
    const old = aged('old', 'embedded', 8);
    const young = aged('young', 'embedded', 6);
    const alive = aged('alive', 'embedded', 8, 'living');
    const traded = aged('traded', 'local', 31);
    writeFileSync(join(traded, 'now.json'), '{}');
    const listed = await runAlone('clean --dry-run');
    expect(existsSync(old)).toBe(true);
    expect(listed.out).toMatch(/would remove 1 run, 1 recording, \d kB\n$/);
    const { code, out } = await runAlone('clean');
    expect(code).toBe(0);
    expect(out).toMatch(/removed 1 run, 1 recording, \d kB\n$/);
    expect([old, young, alive, traded].map((directory) => existsSync(directory))).toEqual([false, true, true, true]);
    expect(readdirSync(traded).sort()).toEqual(['facts.json', 'journal-000001.log', 'now.json']);
    expect(readdirSync(young)).toContain('turns-1-000001.jsonl.gz');
    expect((await runAlone('clean')).out).toBe('removed nothing\n');
  });

  test('keeps the recording that a live run writes, however short the retention', async () => {
    const { directory } = folderOf({ run: 'writes', exchange: { kind: 'embedded' } }, { home, holder: 'living' });
    for (const name of ['turns-1-000001.jsonl.gz', 'turns-1-000002.jsonl.gz']) writeFileSync(join(directory, name), 'x');
    age(directory, 1);
    writeFileSync(join(directory, 'now.json'), '{}');
    expect((await runAlone('clean --recordings 0')).out).toMatch(/, 1 recording, /);
    expect(readdirSync(directory)).toContain('turns-1-000002.jsonl.gz');
    expect(readdirSync(directory)).not.toContain('turns-1-000001.jsonl.gz');
  });

  test('ignores a run that disappears while it is listed', () => {
    folderOf({ run: 'gone' }, { home });
    const [run] = listedRuns({ env: env(), venues: VENUES });
    rmSync(join(home, 'gone'), { recursive: true });
    expect(run?.facts.run).toBe('gone');
    expect(expiredOf([run!], { runs: 0, recordings: 0, venues: VENUES, now: Date.now() })).toEqual([]);
  });

  test('keeps a directory that the user chose', async () => {
    const { directory } = folderOf({ run: 'chosen', exchange: { kind: 'embedded' } });
    age(directory, 100);
    const state = { env: env() };
    rememberRun(directory, state.env);
    expect((await runAlone('clean --runs 0', new FakeHost(state))).out).toBe('removed nothing\n');
  });
});
