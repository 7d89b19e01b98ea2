// The whole bot, killed five times, on a foreign exchange that loses replies, comes late, restarts, evicts sessions and cuts its receipts.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { type Rng, rngFrom } from '../../src/base/rng.ts';
import type { BotProcess } from '../story/foreign/foreign-stage.ts';
import type { Weather } from './hostile-line.ts';
import { agree, type Scene, sceneOf } from './scene.ts';

/** In the titles, so that a failure names its own; `SEEDS=a,b,c` in the environment tries others. */
const SEEDS = process.env.SEEDS?.split(',') ?? ['one', 'two'];
const KILLS = 5;
const FOUL: Weather = { lost: 10, cut: 4, late: 4, answeredLate: 4, repeated: 0 };
/** Every bot has to trade by then: bytes that may live are dead a minute later, and then the account must be seen twice. */
const TRADES_WITHIN = 150;
const MAX_ATTEMPTS = 20;
/** Longer than anything is late. */
const ALL_ARRIVED = 130;

describe.each(SEEDS)('with the seed %s', (seed) => {
  test('nothing doubled, nothing lost, positions and fills equal, and it trades after each restart', async () => {
    const scene = await sceneOf({ seed });
    const story = { ...scene, rng: rngFrom(seed).fork('story') };
    let bot = await scene.stage.bot();
    for (let kill = 0; kill < KILLS; kill++) {
      await live(story, bot, TROUBLES[kill % TROUBLES.length]);
      bot.kill();
      bot = await restarted(story);
    }
    await live(story, bot, undefined);
    await agree(scene, bot, { placed: 60, kills: KILLS, late: ALL_ARRIVED });
    const { lost, cut, late, answeredLate, refused } = scene.line.counts;
    expect(Math.min(lost, cut, late, answeredLate, refused), 'each kind of trouble happened').toBeGreaterThan(0);
  });
});

interface Story extends Scene {
  readonly rng: Rng;
}

type Trouble = 'evicted' | 'restarted' | 'restarted without its sessions';
const TROUBLES: readonly Trouble[] = ['restarted', 'evicted', 'restarted without its sessions'];

/** In foul weather until the exchange has taken an order, then for up to a minute with a trouble in it. */
async function live({ stage, line, rng }: Story, bot: BotProcess, trouble: Trouble | undefined): Promise<void> {
  line.weather = FOUL;
  const from = stage.second;
  const taken = (): boolean =>
    stage.recorder.between(from, Infinity).some(({ action }) => action.kind === 'placeOrder' && action.outcome === 'accepted');
  while (!taken() && stage.second < from + TRADES_WITHIN) await stage.until(stage.second + 1);
  expect(taken(), `an order between second ${from} and ${stage.second}; the last lines: ${JSON.stringify(bot.lines.slice(-5))}`).toBe(true);
  await stage.until(stage.second + rng.below(10_000) / 1_000);
  if (trouble === 'evicted') stage.foreign.control.evictSessions();
  else if (trouble !== undefined) {
    line.down(1_000 + rng.below(8_000));
    stage.foreign.control.restart(trouble === 'restarted' ? 'kept' : 'lost');
  }
  await stage.until(stage.second + rng.below(20_000) / 1_000);
}

/** Somebody starts it again later, and again until it gets through. */
async function restarted({ stage, rng }: Story): Promise<BotProcess> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await stage.until(stage.second + 1 + rng.below(20_000) / 1_000);
    try {
      return await stage.bot();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
  }
  throw new Error('it cannot be started again');
}
