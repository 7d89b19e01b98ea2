// The whole bot, killed five times, on a foreign exchange with lost and late replies, cut receipts, restarts and evicted sessions.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { type Rng, rngFrom } from '../../src/base/rng.ts';
import type { BotProcess } from '../story/foreign/foreign-stage.ts';
import type { NetworkFaults } from './faulty-transport.ts';
import { agree, type Scene, sceneOf } from './scene.ts';

/** Part of the titles, so that a failure names its seed. The environment variable `SEEDS=a,b,c` sets others. */
const SEEDS = process.env.SEEDS?.split(',') ?? ['one', 'two'];
const KILLS = 5;
const HEAVY_FAULTS: NetworkFaults = { lost: 10, cut: 4, late: 4, answeredLate: 4, repeated: 0 };
/** Seconds within which a new process must trade: a minute until old messages are refused, then two accounts. */
const TRADES_WITHIN = 150;
const MAX_ATTEMPTS = 20;
/** Seconds; longer than any delay. */
const ALL_ARRIVED = 130;

describe.each(SEEDS)('with the seed %s', (seed) => {
  test('no order is doubled or lost, positions and fills agree, and the bot trades after each restart', async () => {
    const scene = await sceneOf({ seed });
    const faulty = { ...scene, rng: rngFrom(seed).fork('story') };
    let bot = await scene.stage.bot();
    for (let kill = 0; kill < KILLS; kill++) {
      await runWithDisruption(faulty, bot, DISRUPTIONS[kill % DISRUPTIONS.length]);
      bot.kill();
      bot = await restarted(faulty);
    }
    await runWithDisruption(faulty, bot, undefined);
    await agree(scene, bot, { placed: 60, kills: KILLS, late: ALL_ARRIVED });
    const { lost, cut, late, answeredLate, refused } = scene.network.counts;
    expect(Math.min(lost, cut, late, answeredLate, refused), 'each kind of fault occurred').toBeGreaterThan(0);
  });
});

interface FaultyScene extends Scene {
  readonly rng: Rng;
}

type Disruption = 'evicted' | 'restarted' | 'restarted without its sessions';
const DISRUPTIONS: readonly Disruption[] = ['restarted', 'evicted', 'restarted without its sessions'];

/** Runs with heavy faults until the exchange has accepted an order, then for up to half a minute with a disruption in it. */
async function runWithDisruption({ stage, network, rng }: FaultyScene, bot: BotProcess, disruption: Disruption | undefined): Promise<void> {
  network.faults = HEAVY_FAULTS;
  const from = stage.second;
  const taken = (): boolean =>
    stage.recorder.between(from, Infinity).some(({ action }) => action.kind === 'placeOrder' && action.outcome === 'accepted');
  while (!taken() && stage.second < from + TRADES_WITHIN) await stage.until(stage.second + 1);
  expect(taken(), `an order between second ${from} and ${stage.second}; the last lines: ${JSON.stringify(bot.lines.slice(-5))}`).toBe(true);
  await stage.until(stage.second + rng.below(10_000) / 1_000);
  if (disruption === 'evicted') stage.foreign.control.evictSessions();
  else if (disruption !== undefined) {
    network.down(1_000 + rng.below(8_000));
    stage.foreign.control.restart(disruption === 'restarted' ? 'kept' : 'lost');
  }
  await stage.until(stage.second + rng.below(20_000) / 1_000);
}

/** Restarts the bot, with further attempts until a start succeeds. */
async function restarted({ stage, rng }: FaultyScene): Promise<BotProcess> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await stage.until(stage.second + 1 + rng.below(20_000) / 1_000);
    try {
      return await stage.bot();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
  }
  throw new Error('the bot cannot be restarted');
}
