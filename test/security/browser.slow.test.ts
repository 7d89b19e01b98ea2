// A web page in the user's browser cannot place, withdraw or read at the embedded exchange on loopback. Uses a real Chromium.
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Embedded } from '../../src/embedded/server/embedded.ts';
import { CHROMIUM, CHROMIUM_FLAGS } from '../chromium.ts';
import { embeddedOn } from '../replay/virtual-run.ts';

const FLAGS = [...CHROMIUM_FLAGS, '--host-resolver-rules=MAP evil.test 127.0.0.1'];

const portOf = (url: string | undefined): string => new URL(url ?? '').port;

/** The text of a page as the browser shows it when all its scripts are done. */
async function shown(url: string): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'chromium-'));
  const args = [...FLAGS, `--user-data-dir=${profile}`, '--virtual-time-budget=20000', '--dump-dom', url];
  return (await promisify(execFile)(CHROMIUM ?? '', args)).stdout;
}

describe.skipIf(CHROMIUM === undefined)('a page of another site (needs Chromium)', () => {
  let exchange: Embedded;
  let site: Server;
  let page = '';
  beforeAll(async () => {
    exchange = await embeddedOn(systemClock, { seed: 'browser', port: 0, localPort: 0 });
    site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    site.closeAllConnections();
    site.close();
    await exchange.close();
  });

  const local = (path: string): string => `${exchange.localUrl}${path}`;
  const ask = async (path: string): Promise<unknown> => ((await (await fetch(local(path))).json()) as { result: unknown }).result;
  const state = async (): Promise<unknown> => [await ask('/orders'), await ask('/orders/history'), await ask('/wallet/transfers')];
  const ORDER = JSON.stringify({ market: 'BTC-PERP', side: 'buy', price: 100, size: 0.01, type: 'limit' });
  const WITHDRAWAL = '/wallet/withdrawals?coin=USDC&size=3000';

  /** A page of this host on another port, whose script runs this and writes its result. */
  async function attack(host: string, script: string): Promise<string> {
    const reported =
      '(text) => (document.body.textContent = "came to: " + text), (error) => (document.body.textContent = "failed: " + error)';
    page = `<body>working<script>(async () => { ${script} })().then(${reported})</script>`;
    for (;;) {
      const result = await shown(`http://${host}:${(site.address() as AddressInfo).port}/`);
      if (!result.includes('<body>working<')) return result; // on a busy machine the browser may end before the script
    }
  }

  const post = (): string =>
    `await fetch('${local('/orders')}', { method: 'POST', mode: 'no-cors', body: ${JSON.stringify(ORDER)} }); return 'sent'`;
  const SCRIPTS: Readonly<Record<string, () => string>> = {
    'an image that withdraws': () =>
      `const image = new Image(); const over = new Promise((resolve) => (image.onload = image.onerror = resolve));
       image.src = '${local(WITHDRAWAL)}'; await over; return 'sent';`,
    'a script that places an order': post,
    'a form that withdraws': () =>
      `const frame = document.createElement('iframe'); frame.name = 'there'; document.body.append(frame);
       const form = document.createElement('form');
       Object.assign(form, { method: 'GET', target: 'there', action: '${local('/wallet/withdrawals')}' });
       for (const [name, value] of [['coin', 'USDC'], ['size', '3000']]) {
         const input = document.createElement('input'); Object.assign(input, { name, value }); form.append(input);
       }
       document.body.append(form);
       const over = new Promise((resolve) => frame.addEventListener('load', resolve)); form.submit(); await over; return 'sent';`,
    'a form that places an order': () =>
      `const frame = document.createElement('iframe'); frame.name = 'there'; document.body.append(frame);
       const form = document.createElement('form');
       Object.assign(form, { method: 'POST', enctype: 'text/plain', target: 'there', action: '${local('/orders')}' });
       const input = document.createElement('input');
       Object.assign(input, { name: '{"market":"BTC-PERP","side":"buy","price":100,"size":0.01,"type":"limit","clientId":"a', value: '"}' }); form.append(input);
       document.body.append(form);
       const over = new Promise((resolve) => frame.addEventListener('load', resolve)); form.submit(); await over; return 'sent';`,
  };

  test.each(Object.keys(SCRIPTS))('%s is refused from another site and from another port of this machine', async (name) => {
    const before = await state();
    for (const host of ['evil.test', 'localhost']) expect(await attack(host, SCRIPTS[name]?.() ?? '')).toContain('came to: sent');
    expect(await state()).toEqual(before);
  });

  test('a host name of another site that resolves to this machine can neither read an API nor withdraw', async () => {
    const before = await state();
    for (const [url, path] of [
      [exchange.localUrl, '/account'],
      [exchange.localUrl, WITHDRAWAL],
      [exchange.url, '/info'],
    ] as const) {
      expect(await shown(`http://evil.test:${portOf(url)}${path}`)).toContain('this server answers to 127.0.0.1 and localhost only');
    }
    expect(await state()).toEqual(before);
  });

  test('the same requests from a program are answered', async () => {
    const placed = await fetch(local('/orders'), { method: 'POST', body: ORDER });
    const moved = await fetch(local(WITHDRAWAL));
    expect([placed.status, moved.status, (await ask('/wallet/transfers')) as unknown[]]).toMatchObject([
      200,
      200,
      [{ type: 'withdrawal' }, { type: 'deposit' }],
    ]);
  });
});
