// The web page of a run in a real browser: what it shows, and the attacks that need a browser.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Market } from '../../src/bot/domain/market.ts';
import type { Turn } from '../../src/bot/domain/turn.ts';
import type { RunHistory } from '../../src/bot/run/core/history-file.ts';
import type { ListedRun } from '../../src/program/monitoring/listed-run.ts';
import { runListOf } from '../../src/program/monitoring/page/run-list.ts';
import { CHROMIUM, CHROMIUM_FLAGS } from '../chromium.ts';
import { LISTED_AT, listedRun, TOTALS } from '../unit/monitoring/listed-run.ts';
import { type RecordedTurns, recordedTurns } from '../unit/monitoring/recorded-turns.ts';
import { openTestPage, type TestPage, watchOf } from '../unit/monitoring/test-page.ts';
import { marketOf } from '../unit/world-builder.ts';

/** Requests that a script of any page can send with the cookies of this browser; returns their results in order. */
const ATTACK = `async (url) => {
  const outcome = (promise) => promise.then(async (response) => [response.type, response.status, await response.text()].join(' '), () => 'blocked');
  const body = '{"mode":"kill"}';
  const headers = { 'x-tickwright': '1', 'content-type': 'application/json' };
  const stream = new Promise((resolve) => {
    const source = new EventSource(url + '/api/stream?from=0', { withCredentials: true });
    source.onmessage = () => resolve('read');
    source.onerror = () => { source.close(); resolve('blocked'); };
  });
  return [
    await outcome(fetch(url + '/api/stop', { method: 'POST', mode: 'no-cors', credentials: 'include', body })),
    await outcome(fetch(url + '/api/stop', { method: 'POST', credentials: 'include', headers, body })),
    await outcome(fetch(url + '/api/state', { credentials: 'include' })),
    await stream,
  ];
}`;

if (CHROMIUM === undefined) console.warn('no Chromium is installed: the page is not tried in a browser (apt-get install chromium)');

const level = (market: Market, price: number, size: number) => ({ price: market.restAt('bid', price), size: market.lots(size) });
const middle = (page: Page): Promise<string | null> => page.locator('.ladder .middle b').textContent();

describe.skipIf(CHROMIUM === undefined)('the page in Chromium', () => {
  let browser: Browser;
  let recorded: RecordedTurns;
  let testPage: TestPage;
  let context: BrowserContext;

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM ?? '',
      args: [...CHROMIUM_FLAGS, '--host-resolver-rules=MAP evil.test 127.0.0.1'],
    });
    recorded = await recordedTurns();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    testPage = await openTestPage({ control: true, watch: watchOf(recorded.markets) });
    context = await browser.newContext();
  });
  afterEach(async () => {
    await context.close();
    await testPage.close();
  });

  /** Adds the next turns of the recording to the run. */
  function play(from: number, to: number): void {
    for (const turn of recorded.turns.slice(from, to)) {
      testPage.watch.add(turn);
      testPage.source.add(turn);
    }
    testPage.source.stream.flush();
  }

  async function opened(link = testPage.page.link): Promise<Page> {
    const page = await context.newPage();
    await page.goto(link);
    return page;
  }

  test('the link opens it; the secret leaves the address bar, and no script can read the cookie', async () => {
    play(0, 100);
    const page = await opened();
    await page.locator('.ladder .middle').waitFor();
    expect(page.url()).toBe(`${testPage.page.url}/`);
    expect(await page.evaluate('document.cookie')).toBe('');
    const again = await (await browser.newContext()).newPage();
    await again.goto(testPage.page.link);
    await again.getByText('This page needs a link').waitFor();
  });

  test('the ladder follows the turns', async () => {
    play(0, 100);
    const page = await opened();
    await page.locator('.ladder .middle').waitFor();
    const before = await middle(page);
    const height = async (): Promise<number | undefined> => (await page.locator('.ladder .rows').boundingBox())?.height;
    const first = await height();
    play(100, 200);
    // Asked from here: Chromium lets the page's policy refuse a condition that it evaluates again in the page.
    await expect.poll(() => middle(page), { timeout: 30_000 }).not.toBe(before);
    expect(Number((await middle(page))?.replaceAll(',', ''))).toBeGreaterThan(0);
    expect(await page.locator('.ladder .row.own').count()).toBeGreaterThan(0);
    expect(await height()).toBe(first);
  });

  test('text of the exchange and of the strategy is shown as text and never runs', async () => {
    const evil = '<img src=x onerror="document.title=1;fetch(`/api/stop`)"><script>document.title=2</script>';
    const market = marketOf({ symbol: evil });
    await testPage.close();
    testPage = await openTestPage({ control: true, watch: watchOf([market]) });
    const at = testPage.watch.at;
    const book = { market: market.id, updateId: '1', bids: [level(market, 100, 1)], asks: [level(market, 101, 1)] };
    const finding = { guard: evil, market: market.id, side: 'bid', verdict: 'refuse', reason: evil } as const;
    const empty = { intents: [], actions: [], changes: [], fills: [] };
    const turn: Turn = {
      at,
      events: [{ kind: 'bookSeen', at, asked: at, book }],
      ...empty,
      findings: [finding],
      alarms: [
        { name: evil, market: market.id, reason: evil },
        { name: 'mode', reason: 'a test' },
      ],
      logs: [{ level: 'warn', text: evil, fields: { [evil]: evil } }],
    };
    testPage.watch.add(turn);
    testPage.source.add(turn);
    const page = await opened();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.locator('.entry.alarm').first().waitFor();
    await page.locator('.cause').waitFor();
    expect(await page.locator('.entry.finding .text').first().textContent()).toContain(`${evil} refuses bid `);
    expect((await page.locator('.entry.log').boundingBox())?.height).toBeLessThan(100);
    expect(await page.locator('.entry.log .text').textContent()).toBe(`${evil} ${evil}=${evil}`);
    expect(await page.locator('main img, main script').count()).toBe(0);
    const [first, second] = (await page.locator('.entry.alarm .text').allTextContents()).toSorted();
    expect(first).toContain(evil);
    expect(second).toBe('mode: a test');
    expect(await page.locator('.tab').textContent()).toBe(evil);
    expect(requests).not.toContain('/api/stop');
    expect(testPage.stops).toEqual([]);
  });

  test('stop needs a press of one second; a click and a key do nothing', async () => {
    play(0, 100);
    const page = await opened();
    await page.clock.pauseAt(Date.now() + 3_600_000); // the second is counted by the page's clock, however long the steps below take
    const button = page.getByRole('button', { name: 'hold to stop' });
    await button.click();
    await button.focus();
    for (const key of ['Enter', 'Space', 'Escape', 's', 'k', 'Delete']) {
      await page.keyboard.down(key);
      await page.keyboard.up(key);
    }
    await button.hover();
    const size = await button.boundingBox();
    await page.mouse.down();
    await page.locator('.hold .tip.shown').waitFor();
    expect(await button.boundingBox()).toEqual(size);
    await page.clock.runFor(999);
    await page.mouse.up();
    await page.clock.runFor(10_000);
    await page.getByRole('button', { name: 'hold to close only' }).waitFor();
    expect(testPage.stops).toEqual([]);
    const sent = page.waitForResponse((response) => response.url().endsWith('/api/stop?'));
    await page.mouse.down();
    await page.clock.runFor(1_000);
    expect((await sent).status()).toBe(202);
    await page.mouse.up();
    expect(testPage.stops).toEqual(['kill']);
  });

  test('by keyboard alone: Enter held for a second stops, Escape closes the history of an order', async () => {
    play(0, 100);
    const page = await opened();
    await page.locator('.entry .why').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.dialog button:focus').waitFor();
    for (let press = 0; press < 4; press++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.querySelector("main > :not(.dialog) :focus")')).toBeNull();
    }
    await page.keyboard.press('Escape');
    await page.locator('.dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.className')).toBe('why');
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.getByRole('button', { name: 'hold to stop' }).focus();
    await page.keyboard.down('Enter');
    await page.clock.runFor(999);
    await page.keyboard.up('Enter');
    await page.clock.runFor(10_000);
    expect(testPage.stops).toEqual([]);
    const sent = page.waitForResponse((response) => response.url().endsWith('/api/stop?'));
    await page.keyboard.down('Enter');
    await page.clock.runFor(1_000);
    expect((await sent).status()).toBe(202);
    await page.keyboard.up('Enter');
    expect(testPage.stops).toEqual(['kill']);
  });

  test('the theme is that of the system, until a person chooses the other', async () => {
    play(0, 100);
    const page = await opened();
    const becomes = (theme: string): Promise<void> => page.locator(`html[data-theme="${theme}"]`).waitFor();
    await page.locator('.ladder .middle').waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await becomes('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await becomes('light');
    await page.getByTitle('dark or light').click();
    await becomes('dark');
    await page.reload();
    await becomes('dark');
  });

  test('the page shows that no turns arrive any more', async () => {
    play(0, 100);
    const page = await opened();
    await page.locator('.band').waitFor(); // the turns of the recording are old
    expect(await page.locator('main').getAttribute('class')).toBe('stale');
    testPage.source.ended();
    await page.getByText('ENDED', { exact: true }).waitFor();
  });

  test('why shows the history of an order', async () => {
    play(0, 100);
    const page = await opened();
    await page.locator('.entry .why').first().click();
    await page.locator('.dialog').waitFor();
    await page.getByText('has no order').waitFor();
  });

  test('a page that is 400 pixels wide scrolls in one direction only, also with several orders at one price', async () => {
    play(0, 200);
    const page = await opened();
    await page.setViewportSize({ width: 400, height: 800 });
    await page.locator('.ladder .middle').waitFor();
    await page.evaluate(
      `for (const order of document.querySelectorAll('.ours button')) order.after(order.cloneNode(true), order.cloneNode(true))`,
    );
    expect(await page.locator('.ours button').count()).toBeGreaterThan(2);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
  });

  test('what equity means is shown on hover and on focus', async () => {
    play(0, 100);
    const page = await opened();
    const tile = page.locator('.tile', { hasText: 'equity' }).first();
    const words = tile.getByRole('tooltip');
    await words.waitFor({ state: 'hidden' });
    await tile.hover();
    await words.waitFor();
    await page.mouse.move(0, 0);
    await words.waitFor({ state: 'hidden' });
    await tile.focus();
    await words.waitFor();
    expect(await words.textContent()).toContain('profit counts them at the mark price');
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
  });

  test('the list has the sums of all runs and their profit; runs are filtered, also by keyboard; a failed one says why', async () => {
    const history: RunHistory = {
      points: [
        [0, '0', '1.00'],
        [60_000, '0', '2.00'],
      ],
      start: TOTALS,
      days: [],
    };
    const runs = Array.from({ length: 40 }, (_, rank): ListedRun => {
      const failed = { process: 'ended', outcome: 'failed', reason: 'the disk is full' } as const;
      return listedRun(
        `run-${rank}`,
        { pnl: '2.00', positions: { BTCUSDC: '-0.0166' }, alarms: 1, ...(rank % 8 === 0 && failed) },
        { history },
      );
    });
    const all = await openTestPage({ list: () => runListOf(runs, LISTED_AT) });
    try {
      const page = await opened(all.page.link);
      await page.locator('.chart.whole canvas').first().waitFor();
      expect(await page.locator('.sums .tile').allTextContents()).toEqual(
        expect.arrayContaining([expect.stringMatching(/35 of 40 running.*5 failed/), expect.stringContaining('+80.00')]),
      );
      expect(await page.locator('.card').first().textContent()).toMatch(/▼ 0.0166 BTCUSDC.*1 alarm/);
      await page.getByRole('button', { name: 'local' }).click();
      await page.getByRole('button', { name: 'UTC' }).waitFor();
      await page.getByRole('button', { name: 'dark or light' }).click();
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
      await page.getByRole('button', { name: 'failed' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('5 of 40 runs').waitFor();
      expect(await page.locator('.card.failed .reason').allTextContents()).toEqual(Array.from({ length: 5 }, () => 'the disk is full'));
      const border = (card: string): Promise<unknown> =>
        page.evaluate(`getComputedStyle(document.querySelector('${card}')).borderTopColor`);
      expect(await border('.card.failed')).toBe(await page.evaluate(`getComputedStyle(document.querySelector('.down')).color`));
      await page.getByRole('searchbox').fill('run-16');
      await page.getByText('1 of 40 runs').waitFor();
      await page.setViewportSize({ width: 400, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
    } finally {
      await all.close();
    }
  });

  test('a list without runs says how one is started, and shows the first that begins', async () => {
    let runs: readonly ListedRun[] = [];
    const all = await openTestPage({ list: () => runListOf(runs, LISTED_AT) });
    try {
      const page = await opened(all.page.link);
      await page.getByText('no runs on this machine yet').waitFor();
      runs = [listedRun('first', { pnl: '2.00' })];
      await page.locator('.card').waitFor();
      expect(await page.locator('.sums .tile').nth(1).textContent()).toBe('profit+2.00of one run');
    } finally {
      await all.close();
    }
  });

  describe('a page of another origin', () => {
    let site: Server;
    beforeEach(async () => {
      site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>other</title>'));
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      play(0, 100);
      await (await opened()).locator('.ladder .middle').waitFor(); // from here on this browser has the cookie
    });
    afterEach(() => {
      site.closeAllConnections();
      site.close();
    });
    const at = (host: string): string => `http://${host}:${(site.address() as AddressInfo).port}/`;

    test.each(['127.0.0.1', 'localhost', 'evil.test'])('%s: can neither stop the run nor read the stream', async (host) => {
      const page = await opened(at(host));
      const tries = await page.evaluate(`(${ATTACK})(${JSON.stringify(testPage.page.url)})`);
      expect(tries).toEqual(['blocked', 'blocked', 'blocked', 'blocked']);
      expect(testPage.stops).toEqual([]);
    });

    test('a frame around the page stays empty, and another host name for this machine is refused', async () => {
      const page = await opened(at('localhost'));
      await page.setContent(`<iframe src="${testPage.page.url}/"></iframe>`);
      await page.waitForLoadState('networkidle');
      expect(await page.frames()[1]?.locator('main').count()).toBe(0);
      const rebound = await context.newPage();
      const reply = await rebound.goto(`http://evil.test:${testPage.port}/`);
      expect(reply?.status()).toBe(421);
    });
  });
});
