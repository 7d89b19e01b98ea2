// `bot wallet` with real sockets: the confirmation before funds move, the number of requests, and the message for each result.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { runProgram } from '../../../src/program/program.ts';
import { PATIENCE } from '../../patience.ts';
import { FakeHost } from './fake-host.ts';

type Answer = (response: ServerResponse, line: string) => void;

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

/** A local process that answers every request in one way, and records its requests. */
async function processWith(answer: Answer): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const line = `${request.method} ${request.url}`;
      asked.push(`${line} ${body}`.trim());
      answer(response, line);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const json =
  (body: object, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const result = (value: unknown): Answer => json({ success: true, result: value });
const DONE = result({ coin: 'USDC', status: 'processed', time: '2026-01-02T03:04:05Z', txid: 'abc' });

/** `typing` is the input when the question is asked; null: the input has ended. */
async function wallet(line: string, { typing = '', isTTY = true }: { typing?: string | null; isTTY?: boolean } = {}) {
  const host = new FakeHost({ isTTY });
  if (typing === null) host.stdin.end();
  else host.stdin.write(typing);
  const code = await runProgram(['wallet', ...line.split(' ')], host);
  return { code, out: host.stdout.text, err: host.stderr.text };
}

describe('funds move', () => {
  test.each([
    ['deposit', 'GET /wallet/deposits?coin=USDC&size=12.5', 'deposit'],
    ['withdraw', 'GET /wallet/withdrawals?coin=USDC&size=12.5', 'withdrawal'],
  ])('%s: once, after the amount was typed again', async (verb, request, noun) => {
    const { url, asked } = await processWith(DONE);
    const { code, out, err } = await wallet(`${verb} USDC 12.5 --url ${url}`, { typing: '12.5\n' });
    expect([code, err, asked]).toEqual([0, '', [request]]);
    expect(out).toBe(
      `type the amount again to ${verb} 12.5 USDC: ${noun} of 12.5 USDC: processed, transaction abc, 2026-01-02T03:04:05Z\n`,
    );
  });

  test('uses POST if there is no such GET', async () => {
    const { url, asked } = await processWith((response, line) => (line.startsWith('GET') ? json({}, 404) : DONE)(response, line));
    expect((await wallet(`deposit USDC 5 --url ${url}`, { typing: '5\n' })).code).toBe(0);
    expect(asked).toEqual(['GET /wallet/deposits?coin=USDC&size=5', 'POST /wallet/deposits {"coin":"USDC","size":5}']);
  });

  test('accepts an answer without details', async () => {
    const { url } = await processWith(result({}));
    expect((await wallet(`deposit USDC 5 --url ${url}`, { typing: '5\n' })).out).toContain('deposit of 5 USDC: accepted\n');
  });
});

describe('nothing is sent', () => {
  test.each<[string, Parameters<typeof wallet>[1], string]>([
    ['if another amount was typed', { typing: '12.4\n' }, '"12.4" is not 12.5: nothing was sent'],
    ['if it was written differently', { typing: '12.50\n' }, '"12.50" is not 12.5: nothing was sent'],
    ['if yes was typed', { typing: 'yes\n' }, '"yes" is not 12.5: nothing was sent'],
    ['if nothing was typed', { typing: '\n' }, '"" is not 12.5: nothing was sent'],
    ['if the input ended', { typing: null }, 'the amount was not typed again: nothing was sent'],
    ['by a script', { typing: '12.5\n', isTTY: false }, 'this must be typed by a person at a terminal; nothing was sent'],
  ])('%s', async (_, how, message) => {
    const { url, asked } = await processWith(DONE);
    const { code, err } = await wallet(`withdraw USDC 12.5 --url ${url}`, how);
    expect([code, asked]).toEqual([2, []]);
    expect(err).toContain(`error: ${message}\n`);
  });

  test('if nothing listens', async () => {
    const { code, err } = await wallet('deposit USDC 5 --url http://127.0.0.1:1', { typing: '5\n' });
    expect(code).toBe(2);
    expect(err).toMatch(/nothing was moved: .*\n {2}nothing answers at this address/);
  });
});

describe('after the request was sent', () => {
  test.each<[string, Answer]>([
    ['no reply', (response) => response.destroy()],
    ['an internal failure of the process', json({ message: 'Transaction was not confirmed in 30.00 seconds' }, 500)],
    ['a timeout of the server', json({}, 408)],
    ['no JSON', (response) => response.end('<html>')],
    ['a refusal with a status of success', json({ success: false, message: 'who knows' })],
  ])('%s: it may have been done, and is not requested again', async (_, answer) => {
    const { url, asked } = await processWith(answer);
    const { code, out, err } = await wallet(`withdraw USDC 5 --url ${url}`, { typing: '5\n' });
    expect([code, asked.length, out]).toEqual([1, 1, 'type the amount again to withdraw 5 USDC: ']);
    expect(err).toContain('error: GET /wallet/withdrawals?coin=USDC&size=5');
    expect(err).toContain(`the funds may have been moved: check with \`npm run bot -- wallet transfers --url ${url}\``);
  });

  test('a refusal moved nothing, and is printed in the words of the process', async () => {
    const { url } = await processWith(json({ success: false, message: 'INSUFFICIENT_FUNDS: too little' }, 400));
    const { code, err } = await wallet(`withdraw USDC 5 --url ${url}`, { typing: '5\n' });
    expect(code).toBe(2);
    expect(err).toMatch(/^error: nothing was moved: .*: INSUFFICIENT_FUNDS: too little\n$/);
  });

  test('an unknown coin', async () => {
    const { url } = await processWith(json({ success: false, message: 'unknown coin "USDX"' }, 404));
    const { code, err } = await wallet(`deposit USDX 5 --url ${url}`, { typing: '5\n' });
    expect(code).toBe(2);
    expect(err).toMatch(/nothing was moved: .*unknown coin "USDX".*\n {2}check the coin and --url\n$/);
  });

  test('Ctrl-C during the wait reports what is unknown', async () => {
    const waiting: ServerResponse[] = [];
    const { url } = await processWith((response) => void waiting.push(response));
    const host = new FakeHost({ isTTY: true });
    host.stdin.write('5\n');
    const over = runProgram(['wallet', 'deposit', 'USDC', '5', '--url', url], host);
    await vi.waitFor(() => expect(waiting).toHaveLength(1), PATIENCE);
    host.signal('SIGINT');
    expect(host.exits).toEqual([1]);
    expect(host.stderr.text).toContain('stopped waiting for the answer\n  the funds may have been moved');
    for (const response of waiting) DONE(response, '');
    await over;
  });
});

describe('reads', () => {
  const BALANCES = [
    { coin: 'USDC', free: '0.0000001', spotBorrow: -3, total: 100.5, usdValue: 100.5, availableWithoutBorrow: 1e21 },
    { coin: 'S\u001b[2JOL', total: 0 },
  ];
  const TRANSFERS = [
    [
      { coin: 'USDC', size: 12.5, type: 'deposit', status: 'confirmed', time: '2026-01-02T03:04:05Z' },
      { coin: 'USDC', size: '1', type: 'withdrawal', time: '2026-01-01T03:04:05Z' },
    ],
    [{ coin: 'SOL', size: 2, type: 'deposit', status: 'processed', time: '2025-01-01T03:04:05Z' }],
  ];
  const paged: Answer = (response, line) => result(TRANSFERS[Number(/page=(\d+)/.exec(line)?.[1])] ?? [])(response, line);

  test('balances as lines', async () => {
    const { url, asked } = await processWith(result(BALANCES));
    const { code, out } = await wallet(`balances --url ${url}`, { isTTY: false });
    expect([code, asked]).toEqual([0, ['GET /wallet/balances']]);
    expect(out).toBe('USDC: total 100.5, free 0.0000001, borrowed 3, worth 100.5 USD\nS?[2JOL: total 0\n');
  });

  test('balances as JSON: amounts are plain decimal text', async () => {
    const { url } = await processWith(result(BALANCES.slice(0, 1)));
    const { code, out } = await wallet(`balances --json --url ${url}`, { isTTY: false });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      kind: 'balance',
      coin: 'USDC',
      free: '0.0000001',
      spotBorrow: '3',
      total: '100.5',
      usdValue: '100.5',
      availableWithoutBorrow: '1000000000000000000000',
    });
  });

  test('transfers as lines, page after page', async () => {
    const { url } = await processWith(paged);
    const { code, out } = await wallet(`transfers --url ${url}`, { isTTY: false });
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        '2026-01-02T03:04:05Z deposit of 12.5 USDC, confirmed',
        '2026-01-01T03:04:05Z withdrawal of 1 USDC',
        '2025-01-01T03:04:05Z deposit of 2 SOL, processed',
        '',
      ],
    ]);
  });

  test('transfers as JSON', async () => {
    const { url } = await processWith(paged);
    const { out } = await wallet(`transfers --json --url ${url}`, { isTTY: false });
    expect(JSON.parse(out.split('\n')[0] ?? '')).toEqual({ kind: 'transfer', ...TRANSFERS[0]?.[0], size: '12.5' });
  });

  test('prints a message for people, and no line for scripts, if there is nothing to show', async () => {
    const { url } = await processWith(result([]));
    expect((await wallet(`transfers --url ${url}`)).out).toBe('no transfers\n');
    expect((await wallet(`balances --url ${url}`)).out).toBe('no balances\n');
    expect((await wallet(`balances --json --url ${url}`)).out).toBe('');
  });

  test.each<[string, Answer, string]>([
    ['a failure', json({ message: 'RPC is down' }, 500), 'answered 500: RPC is down'],
    [
      'another server',
      (response) => response.end('<html><body>Hello</body></html>'),
      'check that --url is the address of the local process',
    ],
  ])('%s is reported in its own words', async (_, answer, words) => {
    const { url, asked } = await processWith(answer);
    const { code, out, err } = await wallet(`balances --url ${url}`);
    expect([code, out, asked.length]).toEqual([2, '', 1]);
    expect(err).toContain(words);
  });
});
