// The commands that operate a run, on state directories without a run: what they print, and what they do not change.

import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { nodeDisk } from '../../../../src/base/files/node-disk.ts';
import { openJournal } from '../../../../src/bot/journal/journal.ts';
import { KillSwitch } from '../../../../src/bot/journal/kill-switch.ts';
import type { Entry } from '../../../../src/bot/run/state/entries.ts';
import { checkWords } from '../../../../src/program/commands/doctor/doctor.ts';
import { nodeCheck } from '../../../../src/program/commands/doctor/machine-checks.ts';
import { heldRows } from '../../../../src/program/commands/operate/why.ts';
import { endWords, killSwitchWords, progressPrinter, progressWords } from '../../../../src/program/output/cancel-all-words.ts';
import type { CancelProgress } from '../../../../src/venues/operate/cancel-all.ts';
import { clockCheck } from '../../../../src/venues/operate/client-checks.ts';
import { PATIENCE } from '../../../patience.ts';
import { FakeHost } from '../fake-host.ts';
import { runCommand } from '../run-command.ts';
import { folderOf, NOW, writeNow } from './state-folder.ts';

const CAUSE = { reason: 'somebody typed bot kill', at: '2026-01-02T03:04:05.678Z', by: 'kill' };

function latched(holder?: 'living'): { directory: string; latch: KillSwitch } {
  const { directory } = folderOf({}, holder === undefined ? {} : { holder });
  const latch = new KillSwitch(nodeDisk(directory));
  latch.raise('cancel-all', CAUSE);
  return { directory, latch };
}

describe('resume', () => {
  test('needs the name of the run in a pipe', async () => {
    const { directory, latch } = latched();
    const { code, out } = await runCommand(`resume --state ${directory} --yes grid-local`);
    expect([code, latch.get().mode]).toEqual([0, 'active']);
    expect(out).toContain(
      'the kill switch of grid-local is at cancel-all since 2026-01-02T03:04:05.678Z, by kill: somebody typed bot kill\n',
    );
    expect(out).toContain('released');
  });

  test.each([
    ['another name', ' --yes grid', '"grid" is not grid-local: the kill switch stays set'],
    ['no name', '', 'the name of the run must be typed at a terminal'],
  ])('%s in a pipe releases nothing', async (_, flag, message) => {
    const { directory, latch } = latched();
    const { code, err } = await runCommand(`resume --state ${directory}${flag}`);
    expect([code, latch.get().mode]).toEqual([2, 'cancel-all']);
    expect(err).toContain(message);
    expect(err).toContain('--yes grid-local');
  });

  test.each([
    ['grid-local\n', 0, 'active'],
    ['yes\n', 2, 'cancel-all'],
  ])('a person types %j', async (typing, expected, mode) => {
    const { directory, latch } = latched();
    const host = new FakeHost({ isTTY: true });
    host.stdin.write(typing);
    const { code, out } = await runCommand(`resume --state ${directory}`, host);
    expect([code, latch.get().mode]).toEqual([expected, mode]);
    expect(out).toContain('type the name of the run to let it trade again: ');
  });

  test('is refused while the process of the run lives', async () => {
    const { directory, latch } = latched('living');
    const { code, err } = await runCommand(`resume --state ${directory} --yes grid-local`);
    expect([code, latch.get().mode]).toEqual([2, 'cancel-all']);
    expect(err).toContain(`process ${process.pid} of this run is still alive`);
  });

  test('reports that there is nothing to release', async () => {
    const { directory } = folderOf();
    expect(await runCommand(`resume --state ${directory}`)).toMatchObject({
      code: 0,
      out: 'the kill switch of grid-local is not set: it may trade\n',
    });
  });
});

describe('kill', () => {
  test('an exchange that does not answer: the kill switch is still set, and the exit code is 1 when the time is over', async () => {
    const { directory } = folderOf({}, { holder: 'dead' });
    const { code, out } = await runCommand(`kill --state ${directory} --for 1.5s`);
    expect(code).toBe(1);
    expect(out).toContain('kill switch set to cancel-all; its process is gone');
    expect(out).toContain('trying again: GET /orders');
    expect(out).toContain('not proved in time');
    expect(new KillSwitch(nodeDisk(directory)).get()).toMatchObject({ mode: 'cancel-all', cause: { by: 'kill' } });
  });

  test('an embedded exchange that has ended with its process', async () => {
    const { directory } = folderOf({ exchange: { kind: 'embedded' } }, { holder: 'dead' });
    const { code, out } = await runCommand(`kill --state ${directory} --json`);
    expect([code, JSON.parse(out)]).toMatchObject([0, { kind: 'killed', run: 'grid-local', empty: true, alive: false }]);
  });

  test('a process that does not end', async () => {
    const { directory } = folderOf({ exchange: { kind: 'embedded' } }, { holder: 'living' });
    writeNow(directory, {});
    const { code, out } = await runCommand(`kill --state ${directory} --for 0.3s`);
    expect(code).toBe(1);
    expect(out).toMatch(/its process is \d+, which hangs: it last reported \d+ s ago/);
    expect(out).toContain('its process has not ended');
  });

  test('creates no missing directory', async () => {
    const { directory } = folderOf();
    const { code } = await runCommand(`kill --state ${join(directory, 'nowhere')}`);
    expect([code, readdirSync(directory)]).toEqual([2, ['facts.json']]);
  });
});

describe('why and why-not', () => {
  test('list what is held back, by which guard, and how old that is', async () => {
    const { directory } = folderOf();
    writeNow(directory, {
      holding: [{ guard: 'margin', market: 'BTCUSDC', side: 'bid', verdict: 'refuse', reason: 'too little' }],
      mode: 'close-only',
    });
    const { code, out } = await runCommand(`why-not --state ${directory}`);
    expect(code).toBe(0);
    expect(out).toMatch(/^grid-local: not running; its state at the end, written \d+ s ago\n/);
    expect(out).toContain('  mode      close-only\n  guard     margin refuses bid BTCUSDC: too little\n');
  });

  test.each([
    ['alive', 0],
    ['hanging', 60_000],
  ])('of a run that is %s', async (state, age) => {
    const { directory } = folderOf({}, { holder: 'living' });
    writeNow(directory, { at: new Date(Date.now() - age).toISOString() });
    const { out } = await runCommand(`why-not --state ${directory} --json`);
    expect(JSON.parse(out)).toMatchObject({ kind: 'why-not', state });
  });

  test('report that nothing is held back, and what the strategy itself wants', () => {
    const intents = [
      { market: 'BTCUSDC', bids: 0, asks: 5 },
      { market: 'ETHUSDC', position: '-0.5' },
    ];
    expect(heldRows({ ...NOW, intents })).toEqual([
      ['held back', 'nothing: no guard or gate acts'],
      ['intents', 'the strategy wants no bids and 5 asks in BTCUSDC; a position of -0.5 ETHUSDC'],
    ]);
    const stopped = { ...NOW, mode: 'close-only', modeReason: 'close-only since noon: 91.00 lost since 00:00 UTC' } as const;
    expect(heldRows(stopped)).toContainEqual(['mode', 'close-only since noon: 91.00 lost since 00:00 UTC']);
  });

  test('report that a run has not traded', async () => {
    const { directory } = folderOf();
    expect(await runCommand(`why-not --state ${directory}`)).toMatchObject({ code: 2, out: '' });
    const { code, err } = await runCommand(`why 5 --state ${directory}`);
    expect([code, err.split('\n')[0]]).toEqual([2, 'error: the run grid-local has no order "5"']);
  });
});

describe('doctor', () => {
  test('a correct directory and the embedded exchange: all is well', async () => {
    const { directory } = folderOf({ exchange: { kind: 'embedded' } });
    const { code, out } = await runCommand(`doctor --state ${directory} --json`);
    const checks = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { check: string; verdict: string });
    expect(checks.map(({ check }) => check)).toEqual([
      'node',
      'disk',
      'permissions',
      'lock',
      'kill switch',
      'journal',
      'orders',
      'watchdog',
      'exchange',
    ]);
    expect([code, checks.filter(({ verdict }) => verdict === 'fail')]).toEqual([0, []]);
    expect(readdirSync(directory)).toEqual(['facts.json']);
  });

  test('uses the exchange interface of the run, and no other', async () => {
    const { directory } = folderOf();
    expect((await runCommand(`doctor --state ${directory} --exchange local`)).out).toMatch(
      /^FAIL {2}exchange .*\n *start the local process/m,
    );
    expect(await runCommand(`doctor --state ${directory} --exchange hosted`)).toMatchObject({ code: 2, out: '' });
    const { out } = await runCommand(`doctor --state ${directory} --url http://127.0.0.1:2`);
    expect(out).toMatch(/^FAIL {2}exchange .*127\.0\.0\.1:2.*\n *start the local process/m);
  });

  test('checks every live run, under its name', async () => {
    const { home: place, directory: home } = folderOf({ run: '.bot' });
    for (const run of ['a', 'b']) folderOf({ run, exchange: { kind: 'embedded' } }, { home, holder: 'living' });
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(place);
    const { code, out } = await runCommand('doctor --json');
    const reported = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { check: string; run?: string });
    expect(reported.flatMap(({ check, run }) => (check === 'journal' ? [run] : []))).toEqual(['a', 'b']);
    expect(code).toBe(0);
  });

  test('reports orders that neither a process nor a watchdog manages', async () => {
    const { directory } = folderOf({}, { holder: 'dead' });
    const order: Entry = {
      status: 'open',
      orderId: '9',
      kind: 'order',
      at: CAUSE.at,
      market: 'BTCUSDC',
      clientOrderId: '1',
      side: 'bid',
      price: '1',
      size: '1',
      fillMode: 'POST_ONLY',
    };
    openJournal<Entry>(nodeDisk(directory), { checkpoint: (kept) => kept }).append([order]);
    const { code, out } = await runCommand(`doctor --state ${directory}`);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^FAIL {2}watchdog .*both gone, and its last journal entry has 1 resting order\n *start the run again.*bot -- kill/m,
    );
  });

  test('names each problem, with what to do', async () => {
    const { directory } = latched();
    chmodSync(directory, 0o755);
    writeFileSync(join(directory, 'journal-000001.log'), 'nonsense\nnonsense\n');
    writeFileSync(join(directory, 'my.key'), 'x', { mode: 0o644 });
    const { code, out } = await runCommand(`doctor --state ${directory} --key ${join(directory, 'my.key')}`);
    expect(code).toBe(1);
    expect(out).toMatch(/^FAIL {2}key .*0644.*\n.*chmod 600/m);
    expect(out).toMatch(new RegExp(`^warn  permissions .*0755.*\\n *chmod 700 ${directory}$`, 'm'));
    expect(out).toMatch(/^warn {2}kill switch .*cancel-all.*\n *when the cause is gone: npm run bot -- resume --state/m);
    expect(out).toMatch(/^FAIL {2}journal /m);
    expect(out).toMatch(/^warn {2}orders .*not known.*\n.*bot -- kill/m);
    expect(out).toMatch(/^FAIL {2}watchdog .*it is not known which orders were resting/m);
    expect(out).toMatch(/^FAIL {2}exchange .*\n *start the local process/m);
    expect(statSync(directory).mode & 0o777).toBe(0o755);
  });

  test.each([
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['20.18.9', 'fail'],
    ['18.20.1', 'fail'],
  ])('Node %s: %s', (version, verdict) => {
    expect(nodeCheck(version).verdict).toBe(verdict);
  });

  test.each([
    [0, 'ok', "within a second of the exchange's"],
    [1_900, 'ok', "within a second of the exchange's"],
    [-3_000, 'ok', "3.0 s behind the exchange's"],
    [9_000, 'warn', "8.0 s ahead of the exchange's"],
  ])('a clock %i ms ahead of a time in whole seconds: %s', (ahead, verdict, says) => {
    expect(clockCheck(ahead)).toMatchObject({ verdict, says });
  });

  test('prints a line, and its remedy below it', () => {
    expect(checkWords({ check: 'disk', verdict: 'warn', says: 'slow', fix: 'another' })).toBe(
      'warn  disk        slow\n                  another',
    );
  });
});

async function watched(feed: (host: FakeHost) => void, more = ''): Promise<{ code: number; err: string }> {
  const { directory } = folderOf({ exchange: { kind: 'embedded' } }, { holder: 'dead' });
  const host = new FakeHost();
  const over = runCommand(`watchdog --state ${directory}${more}`, host);
  await vi.waitFor(() => expect(host.stderr.text).toContain(' watches grid-local'), PATIENCE);
  feed(host);
  return over;
}

describe('watchdog', () => {
  test('ends when the run says goodbye', async () => {
    const { code, err } = await watched(({ stdin }) => stdin.end('bbf'));
    expect([code, err]).toEqual([0, expect.stringContaining('the run has ended and left no orders')]);
  });

  test('acts if the run ends without that', async () => {
    const { code, err } = await watched(({ stdin }) => stdin.end('bb'), ' --silence 1s');
    expect([code, err]).toEqual([0, expect.stringContaining('the run has died without reporting its end')]);
  });

  test('acts if the run is silent', async () => {
    const { err } = await watched(({ stdin }) => stdin.write('b'), ' --silence 1s');
    expect(err).toContain('silent for 1 s');
  });

  test('is not listed as a command for people', async () => {
    const { code, err } = await runCommand('watchdog --state x', new FakeHost({ isTTY: true }));
    expect([code, err]).toEqual([2, expect.stringContaining('started only by the run that it watches')]);
  });
});

const progress = (more: Partial<CancelProgress>): CancelProgress => ({
  resting: 0,
  cancelled: 3,
  foreign: 0,
  mayArrive: { count: 0, seconds: 0 },
  ...more,
});

describe('words', () => {
  test.each([
    [progress({ resting: 2 }), '3 orders cancelled, 2 orders left'],
    [progress({ mayArrive: { count: 1, seconds: 41 } }), '3 orders cancelled, none left; waiting 41 s: 1 action may still arrive'],
    [progress({ cancelled: 1 }), '1 order cancelled, none left, and nothing can arrive any more; reading the account once more'],
    [progress({ failure: 'no\u001b[2J reply' }), '3 orders cancelled; trying again: no?[2J reply'],
  ])('of progress %#', (reported, words) => {
    expect(progressWords(reported)).toBe(words);
  });

  test('of an end', () => {
    expect(endWords({ ...progress({ foreign: 1 }), kind: 'empty' })).toBe(
      'proved: the account has no orders left; 3 orders cancelled, 1 of them not placed by this run',
    );
    expect(endWords({ ...progress({ resting: 1 }), kind: 'late' })).toBe(
      'not proved in time that no order is left: 3 orders cancelled; 1 order may still be open',
    );
  });

  test('of a kill switch that is set', () => {
    expect(killSwitchWords({ mode: 'close-only' })).toBe('close-only, with no reason recorded');
  });

  test('repeat an unchanged message every ten seconds', () => {
    const clock = new VirtualClock(0);
    const printed: string[] = [];
    const report = progressPrinter(clock, (text) => printed.push(text));
    for (let second = 0; second < 25; second++) {
      report(progress({ mayArrive: { count: 1, seconds: 60 - second } }));
      clock.advanceTo(clock.now() + 1_000);
    }
    expect(printed.map((text) => /waiting (\d+) s/.exec(text)?.[1])).toEqual(['60', '50', '40']);
  });
});
