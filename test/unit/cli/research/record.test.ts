// `bot record --url` of an exchange that has no book of one of its markets: it ends when requested, and reports that market.
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { serve } from '../../../../src/base/server/http.ts';
import { jsonReply } from '../../../../src/base/server/reply.ts';
import { runProgram } from '../../../../src/program/program.ts';
import { embeddedOn, rethrow } from '../../../replay/virtual-run.ts';
import { FakeHost } from '../fake-host.ts';

test('after Ctrl-C the other markets have their tapes, and the one without a book is named', async () => {
  const exchange = await embeddedOn(systemClock, { seed: 'dark' });
  const server = await serve(
    (request) => (request.path.startsWith('/market/1/orderbook') ? jsonReply({}, 503) : exchange.hosted(request)),
    { port: 0, host: '127.0.0.1', onBug: rethrow },
  );
  const folder = mkdtempSync(join(tmpdir(), 'record-'));
  const host = new FakeHost();
  const words = ['record', '--url', server.url, '--markets', 'ETHUSDC,BTCUSDC', '--out', join(folder, 'x.tape')];
  const ended = runProgram(words, host);
  await vi.waitFor(() => expect(existsSync(join(folder, 'x.BTCUSDC.tape.new'))).toBe(true), { timeout: 300_000, interval: 5 });
  host.signal('SIGINT');
  expect(await ended).toBe(1);
  expect(host.stdout.lines).toEqual([expect.stringContaining('x.BTCUSDC.tape: ')]);
  expect(host.stderr.text).toContain('no order book of ETHUSDC with a bid and an ask was seen, so no tape was written for it');
  expect(readdirSync(folder)).toEqual(['x.BTCUSDC.tape']);
  await server.close();
  await exchange.close();
});
