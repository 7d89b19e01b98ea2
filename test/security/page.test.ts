// Attacks on the web page of a run over HTTP: each is refused, shows nothing of the run and changes nothing.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { Access } from '../../src/program/monitoring/page/access.ts';
import { logIn, OWN, openTestPage, sendRequest, type TestPage } from '../unit/monitoring/test-page.ts';

let testPage: TestPage;
beforeEach(async () => {
  testPage = await openTestPage({ control: true });
});
afterEach(() => testPage.close());

const stopWith = (headers: Readonly<Record<string, string>>, body = '{"mode":"kill"}') =>
  sendRequest(testPage.port, '/api/stop', { method: 'POST', headers, body });

describe('who may read', () => {
  test.each(['/api/state', '/api/stream', '/api/runs', '/api/why/7'])('%s: 401 without the cookie', async (path) => {
    const { status, text } = await sendRequest(testPage.port, path);
    expect([status, text]).toEqual([401, expect.stringContaining('open the page with the link')]);
  });

  test('the link gives a cookie that scripts cannot read, and works once', async () => {
    const body = JSON.stringify({ secret: testPage.secret });
    const { status, headers } = await sendRequest(testPage.port, '/api/link', { method: 'POST', headers: OWN, body });
    expect(status).toBe(200);
    expect(String(headers['set-cookie'])).toMatch(/^tickwright-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=86400$/);
    expect((await sendRequest(testPage.port, '/api/link', { method: 'POST', headers: OWN, body })).status).toBe(401);
  });

  test('five wrong secrets disable the link, also for the right secret', async () => {
    for (const secret of ['', 'a', 'b'.repeat(43), 'c', 'd']) {
      expect(
        (await sendRequest(testPage.port, '/api/link', { method: 'POST', headers: OWN, body: JSON.stringify({ secret }) })).status,
      ).toBe(401);
    }
    expect(await logIn(testPage)).toBe('undefined');
  });

  test('the link expires after ten minutes, the session after a day', () => {
    const clock = new VirtualClock(0);
    const access = new Access({ clock, port: () => 1 });
    const late = access.newSecret();
    clock.advanceTo(600_001);
    expect(access.login(late)).toBeUndefined();
    const cookie = access.login(access.newSecret())?.split(';')[0];
    expect(access.hasSession(cookie)).toBe(true);
    clock.advanceTo(600_001 + 86_400_001);
    expect(access.hasSession(cookie)).toBe(false);
  });

  test('a cookie of another page of this machine opens nothing', async () => {
    const other = await openTestPage();
    const cookie = await logIn(other);
    await other.close();
    const renamed = cookie.replace(/^tickwright-\d+/, `tickwright-${testPage.port}`);
    for (const headers of [{ cookie }, { cookie: renamed }])
      expect((await sendRequest(testPage.port, '/api/state', { headers })).status).toBe(401);
  });
});

describe('what a page of another site can send', () => {
  test.each(['/', '/page.js', '/api/state'])('a foreign Host: 421 for %s', async (path) => {
    const cookie = await logIn(testPage);
    for (const host of [`evil.test:${testPage.port}`, '127.0.0.1', 'localhost', '127.0.0.1:1', `127.0.0.1.evil.test:${testPage.port}`]) {
      expect([host, (await sendRequest(testPage.port, path, { headers: { host, cookie } })).status]).toEqual([host, 421]);
    }
  });

  test.each([
    { origin: 'http://evil.test' },
    { origin: 'http://localhost:1' },
    { origin: 'null' },
    { referer: 'http://evil.test/' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('%o: 403, also with the cookie', async (headers) => {
    const cookie = await logIn(testPage);
    expect((await sendRequest(testPage.port, '/api/state', { headers: { ...headers, cookie } })).status).toBe(403);
    expect((await stopWith({ ...OWN, ...headers, cookie })).status).toBe(403);
    expect(testPage.stops).toEqual([]);
  });

  test("a form, or a script without the page's own header, stops nothing", async () => {
    const cookie = await logIn(testPage);
    expect((await stopWith({ cookie, 'content-type': 'application/json' })).status).toBe(403);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a', 'application/jsonp'])
      expect((await stopWith({ ...OWN, cookie, 'content-type': type })).status).toBe(415);
    expect(testPage.stops).toEqual([]);
    expect((await stopWith({ ...OWN, cookie })).status).toBe(202);
    expect(testPage.stops).toEqual(['kill']);
  });
});

describe('what the page may do', () => {
  test('only stop and close-only, in a body of at most 1 KB', async () => {
    const cookie = await logIn(testPage);
    const wrong = ['', '{', '[]', '{"mode":"active"}', '{"mode":"resume"}', '{"mode":"kill","market":1}', '"kill"'];
    for (const body of wrong) expect([body, (await stopWith({ ...OWN, cookie }, body)).status]).toEqual([body, 400]);
    expect((await stopWith({ ...OWN, cookie }, `{"mode":"kill"${' '.repeat(1_024)}}`)).status).toBe(413);
    expect((await stopWith({ ...OWN, cookie }, '{"mode":"close-only"}')).status).toBe(202);
    expect(testPage.stops).toEqual(['close-only']);
  });

  test('nothing without --ui-control', async () => {
    const reading = await openTestPage();
    const cookie = await logIn(reading);
    const { status, text } = await sendRequest(reading.port, '/api/stop', {
      method: 'POST',
      headers: { ...OWN, cookie },
      body: '{"mode":"kill"}',
    });
    expect([status, text]).toEqual([403, expect.stringContaining('--ui-control')]);
    await reading.close();
  });

  test('no other path or method exists', async () => {
    const cookie = await logIn(testPage);
    for (const path of ['/api/order', '/api/keys', '/..%2f..%2fetc/passwd', '/page.js/..', '//', '/.bot'])
      expect([path, (await sendRequest(testPage.port, path, { headers: { cookie } })).status]).toEqual([path, 404]);
    expect((await sendRequest(testPage.port, '/api/stop', { headers: { cookie } })).status).toBe(405);
    expect((await sendRequest(testPage.port, '/api/state', { method: 'OPTIONS', headers: { cookie } })).status).toBe(405);
  });
});

describe('what every answer has', () => {
  test('headers that keep a browser from running, framing, sending or caching it', async () => {
    for (const path of ['/', '/page.js', '/api/state', '/nothing']) {
      const { headers } = await sendRequest(testPage.port, path);
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  test('neither the secret of the link nor that of the session', async () => {
    const cookie = await logIn(testPage);
    const token = cookie.split('=')[1] ?? '';
    for (const path of ['/', '/page.js', '/page.css', '/favicon.svg', '/api/state', '/api/runs', '/api/why/7', '/api/why/8', '/nothing']) {
      const { text, headers } = await sendRequest(testPage.port, path, { headers: { cookie } });
      const all = `${text} ${JSON.stringify(headers)}`;
      expect([path, all.includes(token), all.includes(testPage.secret)]).toEqual([path, false, false]);
    }
  });
});
