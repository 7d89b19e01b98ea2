// A run whose inputs answer with JSON that is too deep or too large: each answer is refused with a reason, and the run goes on trading.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';
import { type Child, type Printed, startChild } from './children.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const keys = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join()}}`;

/** The bodies of hostile answers, with the reason for which each is refused. */
const HOSTILE: readonly (readonly [body: string, reason: string])[] = [
  [nested(2_500), 'nested too deep: at most 64 levels'],
  [`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'nested too deep: at most 64 levels'],
  [keys(1_000_000), 'exceeds 1048576 bytes'],
];

/** The answer to every poll. */
let body = '{"n":0}';
let server: Server;
let bot: Child;

/** The same answers go to an input whose own function parses them. */
const strategy = (origin: string): string => `
  import { defineStrategy, poll, webhook } from 'tickwright';
  let last;
  export default defineStrategy({
    name: 'mine',
    defaults: { market: 'BTCUSDC' },
    inputs: () => ({
      news: poll({ url: '${origin}/', everyMs: 100, maxAgeMs: 1_000 }),
      own: poll({ url: '${origin}/', everyMs: 100, maxAgeMs: 1_000, parse: JSON.parse }),
      wanted: webhook(),
    }),
    create: ({ market }, { log }) => (view) => {
      const seen = JSON.stringify([view.input('news')?.value, view.input('own')?.value, view.input('wanted')?.value]);
      if (seen !== last) log.info('inputs ' + seen);
      last = seen;
      const { mid, quote } = view.market(market);
      return mid === undefined ? [] : [quote({ bids: [{ price: mid * 0.99, size: 0.01 }], asks: [], slackBps: 50 })];
    },
  });`;

beforeAll(async () => {
  server = createServer((_, response) => void response.end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const file = join(folder, 'mine.ts');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(file, strategy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  bot = startChild(['run', '--strategy', file, '--json', '--seed', 'hostile', '--signals', '0', '--state', join(folder, 'state')]);
  await found(({ kind, status }) => kind === 'order' && status === 'open');
}, PATIENCE_MS);
afterAll(async () => {
  await bot.signal('SIGKILL');
  server.close();
});

async function found(fits: (line: Printed) => boolean): Promise<Printed> {
  const line = await bot.line(fits);
  if (line === undefined) throw new Error(`the run has ended: ${bot.stderrText()}`);
  return line;
}
/** The reason of a finding; or the text of a log record, if a finding of the same failure came before its reason was known. */
const says = (line: Printed): string => String(line.kind === 'finding' ? line['reason'] : line.kind === 'log' ? line['text'] : '');
const isLog = (text: string) => (line: Printed) => line.kind === 'log' && String(line['text']).includes(text);

test.each(HOSTILE.map(([text, reason], index) => ({ text, reason, index })))(
  'a polled answer that is refused because of: $reason ($index)',
  async ({ text, reason, index }) => {
    const before = bot.lines.length;
    body = text;
    await found((line) => bot.lines.indexOf(line) >= before && says(line).includes(reason));
    body = `{"n":${index + 1}}`;
    await found(isLog(`inputs [{"n":${index + 1}},{"n":${index + 1}},`));
  },
  PATIENCE_MS,
);

test(
  'signals with the token: each is refused with a reason, and the next good one arrives',
  async () => {
    const url = String((await found(({ kind }) => kind === 'signals'))['url']);
    const authorization = `Bearer ${readFileSync(join(folder, 'state/signals.token'), 'utf8').trim()}`;
    const send = async (text: string) => {
      const reply = await fetch(url, { method: 'POST', body: text, headers: { authorization } }).catch(() => undefined);
      return [reply?.status, await reply?.text()];
    };
    expect(await send(nested(2_500))).toEqual([400, expect.stringContaining('nested too deep: at most 64 levels')]);
    expect(await send(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`)).toEqual([400, expect.stringContaining('nested too deep')]);
    expect(await send(`[${'0,'.repeat(3_000)}0]`)).toEqual([400, expect.stringContaining('values; at most 2000 are accepted')]);
    expect(await send('{"__proto__":{"x":1}}')).toEqual([400, expect.stringContaining('__proto__')]);
    for (const huge of [nested(100_000), keys(1_000_000), 'x'.repeat(20_000_000)])
      expect([413, undefined]).toContain((await send(huge))[0]);
    expect((await send('{"position":1}'))[0]).toBe(202);
    await found(isLog('{"position":1}]'));
  },
  PATIENCE_MS,
);

test(
  'the run is stopped in the usual way, with its orders cancelled',
  async () => {
    expect([await bot.signal('SIGINT'), bot.lines.at(-1)]).toMatchObject([0, { kind: 'summary', orders: { openAtExit: 0 } }]);
  },
  PATIENCE_MS,
);
