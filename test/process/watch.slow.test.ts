// `run --watch`: the file of a strategy is rewritten while the run trades.
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';
import { type Child, type Printed, startChild } from './children.ts';

const folder = mkdtempSync(join(tmpdir(), 'watch-'));
const file = join(folder, 'mine.ts');

/** Replaces the file by renaming, as editors do. */
function write(name: string, text: string): void {
  writeFileSync(join(folder, `${name}.new`), text);
  renameSync(join(folder, `${name}.new`), join(folder, name));
}

const strategy = (intent: string, before = ''): string => `
  import { defineStrategy } from 'tickwright';
  import { far } from './far.ts';
  export default defineStrategy({
    name: 'mine',
    defaults: { market: 'BTCUSDC' },
    create: ({ market }) => (view) => {
      const { mid, quote } = view.market(market);
      ${before}
      return mid === undefined ? [] : [quote({ ${intent}, slackBps: 50 })];
    },
  });`;
const BID = 'bids: [{ price: mid * (1 - far), size: 0.01 }]';
const ASK = 'asks: [{ price: mid * (1 + far), size: 0.01 }]';

async function lineOf(child: Child, fits: (line: Printed) => boolean): Promise<Printed> {
  const found = await child.line(fits);
  if (found === undefined) throw new Error(`the run has ended: ${child.stderrText()}`);
  return found;
}

const isLog = (text: string) => (line: Printed) => line.kind === 'log' && String(line['text']).includes(text);
const isOrder = (side: string, status: string) => (line: Printed) =>
  line.kind === 'order' && line['side'] === side && line['status'] === status;

test(
  'new code takes over the run, and broken code does not',
  async () => {
    write('package.json', '{ "type": "module" }');
    write('far.ts', 'export const far = 0.01;');
    write('mine.ts', strategy(`${BID}, ${ASK}`));
    const bot = startChild(['run', '--strategy', file, '--watch', '--json', '--seed', 'watch', '--state', join(folder, 'state')]);
    const bid = await lineOf(bot, isOrder('bid', 'open'));
    const ask = await lineOf(bot, isOrder('ask', 'open'));

    write('mine.ts', strategy(BID));
    const loaded = await lineOf(bot, isLog('the new code continues'));
    expect(loaded).toMatchObject({ level: 'info', file, hash: expect.stringMatching(/^[0-9a-f]{16}$/) });
    await lineOf(bot, isOrder('ask', 'cancelled'));

    write('mine.ts', strategy(BID, 'this is no TypeScript'));
    expect(await lineOf(bot, isLog('not valid TypeScript'))).toMatchObject({
      level: 'warn',
      text: expect.stringContaining('the run keeps its present code'),
    });
    write('mine.ts', strategy(BID, "if (mid !== undefined) throw new Error('no luck');"));
    expect(await lineOf(bot, isLog('no luck'))).toMatchObject({ level: 'warn' });
    write('mine.ts', strategy(BID).replaceAll('BTCUSDC', 'ETHUSDC'));
    expect(await lineOf(bot, isLog('it trades ETHUSDC now'))).toMatchObject({ level: 'warn' });

    write('far.ts', 'export const far = 0.005;');
    write('mine.ts', strategy(ASK));
    await lineOf(bot, (line) => isOrder('bid', 'cancelled')(line) && line['clientOrderId'] === bid['clientOrderId']);
    expect(bot.lines.filter(isOrder('bid', 'open')), 'the bid was taken over by each version').toHaveLength(1);
    const nearer = await lineOf(bot, (line) => isOrder('ask', 'open')(line) && line['clientOrderId'] !== ask['clientOrderId']);
    expect(Number(nearer['price']), 'what the file imports was loaded again').toBeLessThan(Number(ask['price']) * 0.998);
    expect(await bot.signal('SIGINT')).toBe(0);
  },
  PATIENCE_MS,
);
