// `bot exchange` in this process: what it prints first, and that the addresses in it work.
import { expect, test, vi } from 'vitest';
import type { ExchangeFlags } from '../../../src/program/commands/exchange/command.ts';
import { exchange } from '../../../src/program/commands/exchange/exchange.ts';
import { FakeHost } from './fake-host.ts';

/** Its output; `look` gets the output while the exchange runs. */
async function outputOf(flags: Partial<ExchangeFlags>, look?: (text: string) => Promise<void>): Promise<string> {
  const host = new FakeHost();
  const over = exchange({ hostedPort: 0, schema: 'bundled', speed: 1, seed: 'x', ...flags }, host);
  await vi.waitFor(() => expect(host.stdout.text).not.toBe(''), { timeout: 300_000, interval: 5 });
  await look?.(host.stdout.text);
  host.signal('SIGINT');
  expect(await over).toBe(0);
  return host.stdout.text;
}

test('as JSON it is one line: the addresses of both APIs, and the markets', async () => {
  const text = await outputOf({ localPort: 0, json: true }, async (line) => {
    const { hosted, local } = JSON.parse(line) as { hosted: string; local: string };
    expect((await fetch(`${hosted}/timestamp`)).status).toBe(200);
    expect(await (await fetch(`${local}/account`)).json()).toMatchObject({ success: true, result: { collateral: 100_000 } });
  });
  expect(text.trimEnd()).not.toContain('\n');
  expect(Object.keys(JSON.parse(text) as object)).toEqual(['kind', 'hosted', 'local', 'markets', 'seed']);
});

test('in words it says how to trade on each API', async () => {
  const text = await outputOf({ localPort: 0 });
  expect(text).toMatch(/--exchange hosted --url http:\/\/127\.0\.0\.1:\d+ --key my\.key --live\n/);
  expect(text).toMatch(/--exchange local --url http:\/\/127\.0\.0\.1:\d+ --live\n/);
  expect(text).toContain('seed x');
});

test('without --local-port there is no local process', async () => {
  expect(await outputOf({})).not.toContain('--exchange local');
  expect(Object.keys(JSON.parse(await outputOf({ json: true })) as object)).toEqual(['kind', 'hosted', 'markets', 'seed']);
});
