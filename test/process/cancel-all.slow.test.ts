// The orders of a bot that hangs or was killed are cancelled: by `bot kill`, and by its watchdog.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, type TestContext, test } from 'vitest';
import { isAlive, nodeDisk } from '../../src/base/files/node-disk.ts';
import { KillSwitch } from '../../src/bot/journal/kill-switch.ts';
import { PATIENCE_MS } from '../patience.ts';
import { startChild } from './children.ts';
import { liveExchange } from './live-exchange.ts';
import { BUILT_MAIN } from './program.ts';
import { type Bot, botTrading, logIn, until } from './trading-bot.ts';

const exchange = liveExchange('rescue');

/** After it is resumed, the bot ends, and no order rests at any moment until then or afterwards. */
async function wakesAndEnds({ child, pid, resting }: Bot, { expect }: TestContext): Promise<void> {
  process.kill(pid, 'SIGCONT');
  const seen: number[] = [];
  do seen.push(await resting());
  while ((await Promise.race([child.ended, wait(20, 'alive')])) === 'alive');
  seen.push(await resting());
  expect(
    seen.filter((count) => count > 0),
    child.stderrText(),
  ).toEqual([]);
  expect(await child.ended, child.stderrText()).toBe(1);
}

/** A watchdog with a shorter timeout than that of a run. */
function watchdogOf({ state }: Bot, { onTestFinished }: TestContext): { readonly ended: Promise<unknown>; readonly lose: () => void } {
  const watchdog = spawn(process.execPath, [BUILT_MAIN, 'watchdog', '--state', state, '--silence', '2s'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => void watchdog.kill('SIGKILL'));
  return { ended: new Promise((resolve) => watchdog.once('close', resolve)), lose: () => void watchdog.stdin?.end() };
}

const modeIn = (state: string): string => new KillSwitch(nodeDisk(state)).get().mode;

describe.concurrent('every order is cancelled, and none returns:', { timeout: 2 * PATIENCE_MS }, () => {
  test('of a bot that hangs, by bot kill', async (context) => {
    const { expect } = context;
    const bot = await botTrading(exchange, 'stopped', { ...context, more: ['--no-watchdog'] });
    process.kill(bot.pid, 'SIGSTOP');
    const kill = startChild(['kill', '--state', bot.state, '--json']);
    await kill.printed('progress');
    await until(async () => (await bot.resting()) === 0, kill);
    expect(await kill.ended, kill.stderrText()).toBe(0);
    expect(kill.lines.at(-1)).toMatchObject({ kind: 'killed', empty: true, foreign: 0, resting: 0, alive: true });
    await wakesAndEnds(bot, context);
  });

  test('of a bot that hangs, by bot kill, although its facts and its key file were deleted', async (context) => {
    const { expect } = context;
    const bot = await botTrading(exchange, 'bereft', { ...context, more: ['--no-watchdog'] });
    process.kill(bot.pid, 'SIGSTOP');
    rmSync(join(bot.state, 'facts.json'));
    rmSync(join(bot.state, '..', 'key.json'));
    const kill = startChild(['kill', '--state', bot.state, '--json']);
    expect(await kill.ended, kill.stderrText()).toBe(0);
    expect(await bot.resting()).toBe(0);
    const doubts = ['facts.json is missing', 'exchange and account are taken from its journal', expect.stringContaining('action schema')];
    expect(kill.lines.at(-1)).toMatchObject({ kind: 'killed', empty: true, latched: true, alive: true, doubts });
    await wakesAndEnds(bot, context);
  });

  test('of a bot that was killed, by its watchdog; then the bot can be started again', async (context) => {
    const { expect } = context;
    const bot = await botTrading(exchange, 'killed', { ...context, more: ['--no-watchdog'] });
    const { ended, lose } = watchdogOf(bot, context);
    await bot.child.signal('SIGKILL');
    lose();
    await until(async () => (await bot.resting()) === 0, bot.child);
    expect(await ended).toBe(0);
    expect(modeIn(bot.state)).toBe('active');
  });

  test('of a bot that is started again: its first watchdog leaves the orders to the new process', async (context) => {
    const { expect } = context;
    const bot = await botTrading(exchange, 'succeeded', context);
    await until(() => logIn(bot.state).includes(` watches grid-hosted, process ${bot.pid}`), bot.child);
    await bot.child.signal('SIGKILL');
    const next = await bot.again();
    await until(() => logIn(bot.state).includes('another process, or a person, takes care of its orders'), next);
    expect(logIn(bot.state)).not.toContain(' cancelled');
  });

  test('of a bot whose watchdog was killed: exactly one other watchdog replaces it', async (context) => {
    const { expect } = context;
    const bot = await botTrading(exchange, 'guarded', context);
    const watchdogs = (): readonly number[] => [...logIn(bot.state).matchAll(/ watchdog (\d+) watches /g)].map(([, pid]) => Number(pid));
    await until(() => watchdogs().length === 1, bot.child);
    process.kill(watchdogs()[0] ?? 0, 'SIGKILL');
    await until(() => watchdogs().length === 2, bot.child);
    expect(bot.child.stderrText()).toContain('the run starts another one in 1 s');
    expect(watchdogs().filter(isAlive)).toEqual([watchdogs()[1]]);
    await bot.child.signal('SIGINT');
    await until(() => logIn(bot.state).includes('the run has ended and left no orders'), bot.child);
  });

  test('of a bot that hangs, by its watchdog, which sets the kill switch', async (context) => {
    const { expect } = context;
    const bot = await botTrading(exchange, 'silent', { ...context, more: ['--no-watchdog'] });
    const { ended } = watchdogOf(bot, context);
    process.kill(bot.pid, 'SIGSTOP');
    await until(async () => (await bot.resting()) === 0, bot.child);
    expect(await ended).toBe(0);
    expect(modeIn(bot.state)).toBe('cancel-all');
    await wakesAndEnds(bot, context);
  });
});
