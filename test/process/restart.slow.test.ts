// A bot that is killed with open orders and started again on the same state: the next process continues with them.
import { expect, test } from 'vitest';
import { isAlive } from '../../src/base/files/node-disk.ts';
import { PATIENCE_MS } from '../patience.ts';
import { liveExchange } from './live-exchange.ts';
import { botTrading, logIn, until } from './trading-bot.ts';

const exchange = liveExchange('restart');

test('a bot that was killed together with its watchdog: the next start adopts the orders, and duplicates none', {
  timeout: 2 * PATIENCE_MS,
}, async (context) => {
  const bot = await botTrading(exchange, 'alone', context);
  const watchdog = (): number => Number(/ watchdog (\d+) watches /.exec(logIn(bot.state))?.[1] ?? 0);
  await until(() => watchdog() > 0, bot.child);
  process.kill(watchdog(), 'SIGKILL');
  await bot.child.signal('SIGKILL');
  await until(() => !isAlive(watchdog()), bot.child);
  const before = await bot.orders();
  expect(before.length).toBeGreaterThan(0);
  const next = await bot.again();
  const placed = (): boolean => next.lines.some(({ kind, status }) => kind === 'order' && status === 'placed');
  await until(placed, next);
  const levels = (await bot.orders()).map(({ side, price }) => `${side} ${price}`);
  expect(levels).toEqual([...new Set(levels)]);
  expect(await next.signal('SIGINT'), next.stderrText()).toBe(0);
  expect(await bot.resting()).toBe(0);
  expect(next.lines.at(-1)).toMatchObject({ kind: 'summary', orders: { unknown: 0, openAtExit: 0 } });
  const ended = next.lines.filter(({ kind, status }) => kind === 'order' && (status === 'filled' || status === 'cancelled'));
  const names = ended.map((line) => String(line['clientOrderId'])); // an order whose answer was lost has no order id
  expect(names).toEqual(expect.arrayContaining(before.map(({ clientOrderId }) => String(clientOrderId))));
  expect(names).toEqual([...new Set(names)]);
});
