// Names that others chose (an exchange, a file, a tape) cannot control a terminal or a spreadsheet.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../../src/base/server/http.ts';
import { jsonReply, textReply } from '../../src/base/server/reply.ts';
import { runProgram } from '../../src/program/program.ts';
import { csvCell } from '../../src/research/report/tables/table.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { FakeHost } from '../unit/cli/fake-host.ts';

const HOSTILE = '\x1b]0;owned\x07\u009b2J\u202e\rgood';
/** Characters that control a terminal or reorder text; line breaks and tabs are allowed. */
// oxlint-disable-next-line no-control-regex
const POWER = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/;
const folder = mkdtempSync(join(tmpdir(), 'hostile-'));

let server: Served;
beforeAll(async () => {
  server = await serve(
    ({ path }) => (path === '/schema.proto' ? textReply(`${bundledSchema().text}\n// ${HOSTILE}\n`) : jsonReply({ message: HOSTILE }, 500)),
    { port: 0, host: '127.0.0.1', onBug: () => undefined },
  );
});
afterAll(() => server.close());

async function outputOf(argv: readonly string[], isTTY: boolean): Promise<string> {
  const host = new FakeHost({ isTTY });
  await runProgram(argv, host);
  return host.stdout.text + host.stderr.text;
}

const put = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

test.each([true, false])('the commands print hostile names as plain text; terminal: %s', async (isTTY) => {
  const candles = put('candles.csv', `date,open,high,low,close${HOSTILE},volume\n1,2,3,4,5,6\n`);
  const config = put('config.yaml', `strategy: grid\nparams:\n  "\\e[2Jx": 1\n`);
  const key = join(folder, 'a.key');
  await outputOf(['keys', 'new', key], isTTY);
  for (const argv of [
    ['schema', 'show', '--url', server.url],
    ['schema', 'diff', '--url', server.url],
    ['import', '--from', 'candles', candles, '--market', 'X', '--out', join(folder, 'x.tape')],
    ['--config', config],
    ['--strategy', HOSTILE],
    ['doctor', '--url', server.url],
    ['wallet', 'balances', '--url', server.url],
  ]) {
    const text = await outputOf(argv, isTTY);
    expect({ argv: argv.slice(0, 2), length: text.length > 0, power: POWER.exec(text)?.[0] }).toEqual({
      argv: argv.slice(0, 2),
      length: true,
      power: undefined,
    });
  }
});

test.each([
  ['=HYPERLINK("http://evil.test")', `"'=HYPERLINK(""http://evil.test"")"`],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+1+1', "'+1+1"],
  ['-BTC', "'-BTC"],
  ['\tx', "'\tx"],
  ['-1.5', '-1.5'],
  ['+2', '+2'],
  ['BTCUSDC', 'BTCUSDC'],
])('a cell of fills.csv: %j', (value, cell) => expect(csvCell(value)).toBe(cell));
