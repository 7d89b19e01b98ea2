// A review that keeps verdicts has the same result as one that asks every guard about every order, in random situations and after each turn of runs.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rngFrom } from '../../src/base/rng.ts';
import { JSON_LIMITS, readJson } from '../../src/base/text/json.ts';
import type { OrderIntent } from '../../src/bot/domain/intent.ts';
import { Market } from '../../src/bot/domain/market.ts';
import { lots, type Ticks } from '../../src/bot/domain/numbers.ts';
import type { Turn } from '../../src/bot/domain/turn.ts';
import { findingOf, type RiskRules } from '../../src/bot/risk/guard.ts';
import { KeptVerdicts } from '../../src/bot/risk/kept-verdicts.ts';
import { type Review, review } from '../../src/bot/risk/review.ts';
import { limitsSchema, rulesFrom } from '../../src/bot/risk/rules.ts';
import { readHeader } from '../../src/bot/run/state/turn-recording.ts';
import { deciderOf } from '../../src/bot/strategy/decide.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { resolveParams } from '../../src/bot/strategy/params.ts';
import type { World } from '../../src/bot/world/world.ts';
import { assembleReplay } from '../../src/research/parity/follower.ts';
import { virtualRun } from '../replay/virtual-run.ts';
import { START } from '../unit/world-builder.ts';
import { quoteOf, type Scene, SEED, scenes, worldOf } from './random-world.ts';

/** Compares one review with the other, and counts the reviews that rejected something. */
class Comparison {
  readonly #parts: { readonly world: World; readonly rules: RiskRules };
  readonly #kept: KeptVerdicts;
  rejected = 0;

  constructor(world: World, rules: RiskRules) {
    this.#parts = { world, rules };
    this.#kept = new KeptVerdicts(rules, world.revisions);
  }

  check(intents: readonly OrderIntent[]): void {
    const whole = review(intents, this.#parts);
    expect(plain(review(intents, { ...this.#parts, kept: this.#kept }))).toEqual(plain(whole));
    if (whole.hasRejections) this.rejected += 1;
  }
}

const plain = ({ findings, ...review }: Review) => ({ ...review, findings: findings.map(findingOf) });

/** The orders of the scene, so that they stand, and its intents. */
function intentsOf(scene: Scene): readonly OrderIntent[] {
  const quote = quoteOf({ ...scene, intents: [...scene.orders, ...scene.intents] });
  return [quote];
}

test('in random situations, after each change', () => {
  let [rejected, passed] = [0, 0];
  const limits = fc.constantFrom({ position: { maxNotional: 30_000 }, margin: { liquidationBuffer: 0.5 } }, { leverage: { max: 1 } }, {});
  fc.assert(
    fc.property(scenes, limits, fc.array(fc.integer({ min: -4_000, max: 4_000 }), { maxLength: 4 }), (scene, some, moves) => {
      const world = worldOf(scene);
      const comparison = new Comparison(world, rulesFrom(limitsSchema.parse(some)));
      const intents = intentsOf(scene);
      let checks = 0;
      const check = (): void => {
        for (const wanted of [intents, intents, intentsOf({ ...scene, intents: [] })]) comparison.check(wanted);
        checks += 3;
      };
      check();
      for (const [nth, move] of moves.entries()) {
        const at = START + nth + 1;
        const index = Math.max(1, scene.mid + move) as Ticks;
        world.apply({ kind: 'infoSeen', at, asked: at, infos: [{ market: 0, index, mark: index, frozen: false }] });
        check();
        const id = String(nth + 1);
        world.apply({ kind: 'orderOpened', at, clientOrderId: id, actionId: id, orderId: `y${id}`, taken: [], resting: lots(0) });
        check();
        if (move % 3 !== 0) continue;
        const mode = move > 0 ? 'close-only' : 'active';
        world.apply({ kind: 'command', at, command: 'mode', mode, reason: 'a test' });
        check();
      }
      rejected += comparison.rejected;
      passed += checks - comparison.rejected;
    }),
    { seed: SEED, numRuns: 300 },
  );
  expect(rejected).toBeGreaterThan(200);
  expect(passed).toBeGreaterThan(200);
});

const TIGHT = { position: { maxNotional: 1_500 }, 'open-orders': { maxPerMarket: 5 }, rate: { maxPerSecond: 2, maxPerMinute: 20 } };

test.each([
  { name: 'grid', seed: 'kept 1', limits: {} },
  { name: 'grid', seed: 'kept 2', limits: TIGHT },
  { name: 'lean-maker', seed: 'kept 3', limits: TIGHT },
  { name: 'twap', seed: 'kept 4', limits: {} },
])('after each turn of $name, seed $seed', async ({ name, seed, limits }) => {
  const [head = '', ...turns] = (await virtualRun({ strategy: name, seed, seconds: 20 })).recording;
  const header = readHeader(head);
  const { strategy } = await loadStrategy(header.strategy);
  const params = resolveParams(strategy, header.params as Record<string, unknown>, () => undefined);
  const markets = header.markets.map((spec) => new Market(spec));
  const decide = deciderOf(strategy, params, { rng: rngFrom(header.seed).fork('strategy'), markets });
  const rules = rulesFrom(limitsSchema.parse(limits));
  const { engine, world } = assembleReplay({ header, decide, rules }, {});
  const comparison = new Comparison(world, rules);
  let acted = 0;
  for (const line of turns) {
    const turn = engine.step(...(readJson(line, JSON_LIMITS.state) as Turn).events);
    comparison.check(turn.intents);
    if (turn.actions.length > 0) acted += 1;
  }
  expect(acted).toBeGreaterThan(1);
  if (limits === TIGHT) expect(comparison.rejected).toBeGreaterThan(5);
});
