// Further links to open pages: each opens once, ends the link before, and only its hash is on the disk.
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { link, pagesFolder } from '../../../src/program/commands/ui/link.ts';
import { Access } from '../../../src/program/monitoring/page/access.ts';
import { listPage, makeLink, type OpenPage, openPages } from '../../../src/program/monitoring/page/open-pages.ts';
import { FakeHost } from '../cli/fake-host.ts';

const PAGE: OpenPage = { port: 8_800, pid: 1, shows: 'grid-hosted' };
const everywhere = (): boolean => true;
const secretIn = (url: string): string => url.replace(/^.*#/, '');

function opened() {
  const folder = join(mkdtempSync(join(tmpdir(), 'pages-')), 'pages');
  const clock = new VirtualClock(0);
  const page = listPage(folder, PAGE);
  const access = new Access({ clock, port: () => PAGE.port, newLink: () => page.newLink() });
  return { folder, clock, page, access };
}

test('another link opens once, and ends the first one', () => {
  const { folder, clock, access } = opened();
  const first = access.newSecret();
  const another = makeLink(folder, PAGE, clock.now());
  expect(another).toMatch(/^http:\/\/127\.0\.0\.1:8800\/#[\w-]{43}$/);
  expect(access.login(first)).toBeUndefined();
  expect(access.login(secretIn(another))).toMatch(/^tickwright-8800=/);
  expect(access.login(secretIn(another))).toBeUndefined();
});

test('it expires after ten minutes, or after five wrong secrets', () => {
  const { folder, clock, access } = opened();
  const late = makeLink(folder, PAGE, clock.now());
  clock.advanceTo(600_001);
  expect(access.login(secretIn(late))).toBeUndefined();
  const guessed = makeLink(folder, PAGE, clock.now());
  for (let wrong = 0; wrong < 5; wrong++) expect(access.login('x')).toBeUndefined();
  expect(access.login(secretIn(guessed))).toBeUndefined();
});

test('its files are private, without the secret, and are removed with the page; a damaged one is ignored', () => {
  const { folder, clock, page, access } = opened();
  const url = makeLink(folder, PAGE, clock.now());
  for (const name of readdirSync(folder)) {
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain(secretIn(url));
  }
  writeFileSync(join(folder, '8800.link'), 'damaged');
  const own = access.newSecret();
  expect(access.login(own)).toBeDefined();
  page.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('the page of a process that has died is no longer listed', () => {
  const { folder } = opened();
  expect(openPages(folder, everywhere)).toEqual([PAGE]);
  expect(openPages(folder, () => false)).toEqual([]);
  expect(openPages(folder, everywhere)).toEqual([]);
});

test('the command takes the only page, or the named one', async () => {
  const host = new FakeHost({ env: { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'pages-')) } });
  await expect(link(undefined, {}, host)).rejects.toThrow('no page is open on this machine');
  const folder = pagesFolder(host.env);
  listPage(folder, PAGE);
  expect(await link(undefined, { json: true }, host)).toBe(0);
  expect(JSON.parse(host.stdout.text)).toEqual({ kind: 'ui', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8800\/#/) as string });
  listPage(folder, { ...PAGE, port: 8_801, shows: 'twap-hosted' });
  await expect(link(undefined, {}, host)).rejects.toThrow('2 pages are open: grid-hosted on port 8800, twap-hosted on port 8801');
  await expect(link('carry-hosted', {}, host)).rejects.toThrow('no such page is open');
  expect(await link('twap-hosted', {}, host)).toBe(0);
  expect(await link(undefined, { port: 8_800 }, host)).toBe(0);
});
