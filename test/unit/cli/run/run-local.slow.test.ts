// A whole run through a local process, in this process: it trades, and nothing is open at the end.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { exchange } from '../../../../src/program/commands/exchange/exchange.ts';
import { run } from '../../../../src/program/commands/run/run.ts';
import { runProgram } from '../../../../src/program/program.ts';
import { FakeHost } from '../fake-host.ts';

test('grid trades through the local process, the wallet commands see the same account, and a second run on it is refused', async () => {
  const [server, host, wallet] = [new FakeHost(), new FakeHost(), new FakeHost()];
  const served = exchange({ hostedPort: 0, localPort: 0, schema: 'bundled', speed: 1, seed: 'x', json: true }, server);
  await vi.waitFor(() => expect(server.stdout.text).not.toBe(''), { timeout: 300_000, interval: 5 });
  const { local: url } = JSON.parse(server.stdout.text) as { local: string };

  const state = mkdtempSync(join(tmpdir(), 'run-'));
  const over = run({ strategy: 'grid', exchange: 'local', url, live: true, schema: 'bundled', seed: 'x', state, json: true }, host);
  await vi.waitFor(() => expect(host.stdout.text).toContain('"status":"open"'), { timeout: 300_000 });
  expect(await runProgram(['wallet', 'balances', '--url', url, '--json'], wallet)).toBe(0);
  const second = new FakeHost();
  const words = ['run', 'grid', '--exchange', 'local', '--url', url, '--live', '--state', mkdtempSync(join(tmpdir(), 'run-')), '--json'];
  expect(await runProgram(words, second)).toBe(2);
  expect(second.stderr.text).toContain(`process ${process.pid}, with the state directory ${state}`);
  host.signal('SIGINT');
  expect(await over).toBe(0);

  const summary = JSON.parse(host.stdout.lines.at(-1) ?? '') as object;
  expect(summary).toMatchObject({ kind: 'summary', run: 'grid-local', exchange: 'local', orders: { unknown: 0, openAtExit: 0 } });
  expect(JSON.parse(wallet.stdout.lines[0] ?? '')).toMatchObject({ kind: 'balance', coin: 'USDC' });
  server.signal('SIGINT');
  expect(await served).toBe(0);
});
