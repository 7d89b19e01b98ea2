// How a run with open orders ends, as a process: by every signal that can be caught, and by errors in the strategy.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test, vi } from 'vitest';
import { rngFrom } from '../../src/base/rng.ts';
import { PATIENCE_MS } from '../patience.ts';
import { type Child, type Printed } from './children.ts';
import { liveExchange } from './live-exchange.ts';
import { startProxy } from './proxy.ts';

const exchange = liveExchange('ends');
const GRID = ['run', '--strategy', 'grid'];

interface Bot {
  readonly child: Child;
  /** Number of orders that rest at the exchange. */
  readonly resting: () => Promise<number>;
}

interface Restarted extends Bot {
  /** The lines of its watchdog. */
  readonly log: () => string;
}

/** A process that dies with open orders, and the next one of the same run, which finds no exchange at its start. */
async function startedInVain(name: string, context: TestContext): Promise<Restarted> {
  const proxy = await startProxy({ target: exchange.url, rng: rngFrom(name), percent: { GET: 0, POST: 0 }, lateMs: 1 });
  context.onTestFinished(() => proxy.close());
  const { start, state, resting } = exchange.place(name, context, proxy.url);
  const first = start(GRID, ['--no-watchdog']);
  await first.printed('order', 'open');
  await first.signal('SIGKILL');
  await proxy.close();
  const child = start(GRID, ['--start-timeout', '1s']);
  await child.ended;
  await proxy.outage(() => Promise.resolve()); // it listens again
  return { child, log: () => readFileSync(join(state, 'watchdog.log'), 'utf8'), resting };
}

function startBot(name: string, context: Pick<TestContext, 'onTestFinished'>, strategy?: string): Bot {
  const { start, folder, resting } = exchange.place(name, context);
  const file = join(folder, 'mine.mjs');
  if (strategy !== undefined) writeFileSync(file, strategy);
  return { child: start(strategy === undefined ? GRID : ['run', '--strategy', file], ['--no-watchdog']), resting };
}

const summaryOf = ({ lines }: Child): Printed | undefined => lines.findLast(({ kind }) => kind === 'summary');

/** Two orders far from the market, moved in each turn, so that some are always in flight; the strategy throws when one of them is open. */
const moving = (mistake: string): string => `
  export default {
    name: 'mine',
    defaults: { market: 'BTCUSDC' },
    create({ market }) {
      let turns = 0;
      return (view) => {
        const { mid, quote } = view.market(market);
        if (mid === undefined) return [];
        turns += 1;
        if (turns === 60) {
          ${mistake}
        }
        const price = mid * (0.99 - (turns % 5) / 1000);
        return [quote({ bids: [{ price, size: 0.01 }, { price: price * 0.999, size: 0.01 }], asks: [], slackBps: 0 })];
      };
    },
  };`;

describe.concurrent('with open orders, these end in order:', { timeout: 2 * PATIENCE_MS }, () => {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGXCPU'] as const;
  for (const name of signals) {
    test(`a run that gets ${name}`, async (context) => {
      const { expect } = context;
      const { child, resting } = startBot(name, context);
      await child.printed('order', 'open');
      const code = await child.signal(name);
      expect([code, await resting()], child.stderrText()).toEqual([0, 0]);
      expect(summaryOf(child)).toMatchObject({ orders: { unknown: 0, openAtExit: 0 } });
      expect(child.stderrText()).not.toContain('Debugger listening');
    });
  }

  test('a start that fails while orders of the last process rest: its watchdog cancels them at once', async (context) => {
    const { expect } = context;
    const { child, log, resting } = await startedInVain('in vain', context);
    expect(await child.ended, child.stderrText()).toBe(1);
    expect(child.stderrText()).toContain('connecting to the exchange failed for 1 s');
    await vi.waitFor(() => expect(log()).toContain('the run has ended without the proof that all its orders are gone'), {
      timeout: PATIENCE_MS,
    });
    await vi.waitFor(() => expect(log()).toContain('proved: the account has no orders left'), { timeout: PATIENCE_MS });
    expect(await resting()).toBe(0);
  });

  const mistakes = [
    ['that throws', "throw new Error('no price');"],
    [
      'with two unhandled rejections in one turn',
      "void Promise.reject(new Error('no price')); void Promise.reject(new Error('nor this'));",
    ],
    ['that throws in a timer', "setTimeout(() => { throw new Error('no price'); }, 0);"],
    [
      'with unhandled rejections while it closes',
      "for (const ms of [0, 20, 300]) setTimeout(() => void Promise.reject(new Error('no price')), ms);",
    ],
  ] as const;
  for (const [what, mistake] of mistakes) {
    test(`a strategy ${what}`, async (context) => {
      const { expect } = context;
      const { child, resting } = startBot(what, context, moving(mistake));
      const code = await child.ended;
      expect([code, await resting()], child.stderrText()).toEqual([1, 0]);
      expect(summaryOf(child)).toMatchObject({ orders: { unknown: 0, openAtExit: 0 } });
      expect(child.stderrText()).toMatch(/error: strategy mine failed at \S*mine\.mjs:\d+:\d+: no price\n/);
    });
  }
});
