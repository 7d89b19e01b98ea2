// `bot kill` if the state of a run is damaged or missing, or its directory cannot take the kill switch: it does what is possible, and reports the rest.

import { chmodSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { nodeDisk } from '../../../../src/base/files/node-disk.ts';
import { openJournal } from '../../../../src/bot/journal/journal.ts';
import { KillSwitch } from '../../../../src/bot/journal/kill-switch.ts';
import { killTarget } from '../../../../src/program/commands/operate/kill-target.ts';
import { VENUES } from '../../../../src/program/venues.ts';
import { keyNamed } from '../../../foreign/keys.ts';
import { PATIENCE } from '../../../patience.ts';
import { FakeHost } from '../fake-host.ts';
import { runCommand } from '../run-command.ts';
import { type Folder, folderOf } from './state-folder.ts';

const USER = keyNamed('kill').base58;
const HOSTED = {
  kind: 'hosted',
  url: 'http://127.0.0.1:1',
  user: USER,
  schema: 'bundled',
  approvals: '/nowhere/approved.json',
  key: '/nowhere/key.json',
} as const;
const IDENTITY = {
  kind: 'identity',
  at: '2026-01-02T03:04:05.678Z',
  exchange: 'hosted',
  url: 'http://127.0.0.1:1',
  user: USER,
  account: 7,
};

const breakFacts = ({ directory }: Folder): void => writeFileSync(join(directory, 'facts.json'), '{');
const loseFacts = ({ directory }: Folder): void => rmSync(join(directory, 'facts.json'));

function journalOf({ directory }: Folder, ...entries: readonly { readonly kind: string }[]): void {
  openJournal(nodeDisk(directory), { checkpoint: (kept) => kept }).append([{ kind: 'process' }, ...entries]);
}

describe('which run, and where it trades', () => {
  test.each([
    ['broken', breakFacts, 'facts.json cannot be used'],
    ['gone', loseFacts, 'facts.json is missing'],
  ])('facts that are %s: the journal names exchange and account', (_, damage, doubt) => {
    const folder = folderOf({ exchange: HOSTED }, { holder: 'living' });
    journalOf(folder, IDENTITY);
    damage(folder);
    const found = killTarget({}, { venues: VENUES, home: folder.home });
    expect(found).toMatchObject({ directory: folder.directory, run: 'grid-local' });
    expect(found.exchange).toMatchObject({ kind: 'hosted', url: IDENTITY.url, user: USER, account: 7 });
    expect(found.doubts.join('; ')).toContain(doubt);
    expect(found.doubts.join('; ')).toContain('taken from its journal');
    expect(killTarget({ run: 'grid-local' }, { venues: VENUES, home: folder.home }).directory).toBe(folder.directory);
    expect(killTarget({ state: folder.directory }, { venues: VENUES }).directory).toBe(folder.directory);
  });

  test('without a journal, the typed options count', () => {
    const folder = folderOf({}, { holder: 'dead' });
    loseFacts(folder);
    const state = folder.directory;
    expect(killTarget({ state, url: 'http://127.0.0.1:2' }, { venues: VENUES }).exchange).toEqual({
      kind: 'local',
      url: 'http://127.0.0.1:2',
    });
    const key = join(folder.home, 'key.json');
    writeFileSync(key, JSON.stringify(keyNamed('kill').keyFile), { mode: 0o600 });
    expect(killTarget({ state, url: 'http://127.0.0.1:2', key, account: 9 }, { venues: VENUES }).exchange).toMatchObject({
      kind: 'hosted',
      user: USER,
      account: 9,
      key,
    });
    expect(killTarget({ state }, { venues: VENUES })).toMatchObject({
      exchange: undefined,
      doubts: ['facts.json is missing', expect.stringContaining('--url')],
    });
  });

  test('typed options override the stored ones; without the key file the user is still known', () => {
    const { directory: state } = folderOf({ exchange: HOSTED });
    const { exchange } = killTarget({ state, url: 'http://127.0.0.1:3', key: '/nowhere/else.json' }, { venues: VENUES });
    expect(exchange).toEqual({ ...HOSTED, url: 'http://127.0.0.1:3', key: '/nowhere/else.json' });
  });

  test('requires a name if two may be alive', () => {
    const broken = folderOf({ run: 'a' }, { holder: 'living' });
    breakFacts(broken);
    folderOf({ run: 'b' }, { home: broken.home, holder: 'living' });
    expect(() => killTarget({}, { venues: VENUES, home: broken.home })).toThrow('more than one run may be alive');
  });
});

describe('what is broken or gone', () => {
  test('everything but the directory: the kill switch is set, and the end is not proved', async () => {
    const folder = folderOf({}, { holder: 'dead' });
    loseFacts(folder);
    const { code, out, err } = await runCommand(`kill --state ${folder.directory} --for 1s`);
    expect([code, new KillSwitch(nodeDisk(folder.directory)).get().mode]).toEqual([1, 'cancel-all']);
    expect(err).toContain('not sure: facts.json is missing\n');
    expect(err).toContain('not sure: the exchange of this run is not known');
    expect(out).toContain('the account could not be read: kill cancelled nothing itself, and nothing is proved');
  });

  test('a lock that is held by an unknown process', async () => {
    const { directory } = folderOf({ exchange: { kind: 'embedded' } }, { holder: 'living' });
    for (const lock of readdirSync(directory).filter((name) => name.startsWith('lock-'))) writeFileSync(join(directory, lock), 'nonsense');
    const { code, out } = await runCommand(`kill --state ${directory} --for 0.3s`);
    expect([code, new KillSwitch(nodeDisk(directory)).get().mode]).toEqual([1, 'cancel-all']);
    expect(out).toContain('it is not known whether its process is alive');
  });

  test('the privacy of the directory: nothing in it is used, and the kill switch is still set', async () => {
    const { directory } = folderOf({}, { holder: 'dead' });
    chmodSync(join(directory, 'facts.json'), 0o666);
    const { code, err } = await runCommand(`kill --state ${directory}`);
    expect(code).toBe(2);
    expect(err).toContain('its kill switch was set to cancel-all, and kill cancelled nothing itself');
    chmodSync(join(directory, 'facts.json'), 0o600);
    expect(new KillSwitch(nodeDisk(directory)).get().mode).toBe('cancel-all');
  });

  test('the key file, the approved schema and the session: it keeps trying, and ends with 1', async () => {
    const exchange = { ...HOSTED, schema: 'remote' };
    const { directory } = folderOf({ exchange }, { holder: 'dead' });
    const { code, out } = await runCommand(`kill --state ${directory} --for 1.5s`);
    expect(code).toBe(1);
    expect(out).toContain('kill switch set to cancel-all');
    expect(out).toContain('not proved in time');
  });
});

/** Makes directories with the names of the temporary files of a write, so that this process cannot write, even as root. */
function refuseWrites(directory: string): () => void {
  const names = [0, 1, 2].map((index) => join(directory, `.unfinished-${process.pid}-${index}`));
  for (const name of names) mkdirSync(name);
  return () => {
    for (const name of names) rmdirSync(name);
  };
}

describe('a directory that cannot be written', () => {
  test('takes the kill switch into the reserve', async () => {
    const { directory } = folderOf({}, { holder: 'dead' });
    new KillSwitch(nodeDisk(directory)).reserve();
    refuseWrites(directory);
    const { out } = await runCommand(`kill --state ${directory} --for 0.5s`);
    expect(out).toContain('kill switch set to cancel-all');
    expect(new KillSwitch(nodeDisk(directory)).get()).toMatchObject({ mode: 'cancel-all', cause: { by: 'kill' } });
  });

  test('without a reserve reports it, tries until it succeeds, and requests the process to end meanwhile', async () => {
    const { directory } = folderOf({}, { holder: 'living' });
    const allow = refuseWrites(directory);
    const host = new FakeHost();
    const over = runCommand(`kill --state ${directory} --for 4s`, host);
    await vi.waitFor(() => expect(host.stdout.text).toContain('kill switch NOT set, so the bot may continue to place orders'), PATIENCE);
    expect(host.askedToEnd).toEqual([process.pid]);
    expect(new KillSwitch(nodeDisk(directory)).get().mode).toBe('active');
    allow();
    await vi.waitFor(() => expect(host.stderr.text).toContain('the kill switch is set to cancel-all now'), PATIENCE);
    const { out } = await over;
    expect(out).toContain('it places no orders, and ends by itself when it can');
    expect(new KillSwitch(nodeDisk(directory)).get().mode).toBe('cancel-all');
  });

  test('for the whole time: it reports neither the kill switch nor a proof', async () => {
    const { directory } = folderOf({ exchange: { kind: 'embedded' } }, { holder: 'living' });
    refuseWrites(directory);
    const { code, out } = await runCommand(`kill --state ${directory} --for 1.2s`);
    expect(code).toBe(1);
    expect(out).toContain('it may place more orders: end it yourself');
    expect(out).toContain('the kill switch is NOT set');
    expect(out).not.toContain('places nothing');
    expect(out).not.toContain('does not trade again');
    const json = await runCommand(`kill --state ${directory} --for 0.3s --json`);
    expect(JSON.parse(json.out)).toMatchObject({ kind: 'killed', latched: false, alive: true });
  });
});
