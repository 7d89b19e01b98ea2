// A world and its engine, put together the same way for a run and for the replay of its recording.
import type { Millis } from '../base/clock.ts';
import type { Market } from '../domain/market.ts';
import { Engine, type EngineParts } from '../engine/engine.ts';
import type { History } from '../report/history.ts';
import type { RiskRules } from '../risk/guard.ts';
import { World } from '../world/world.ts';

export interface Parts {
  readonly markets: readonly Market[];
  readonly history: History;
  readonly startedAt: Millis;
  readonly decide: EngineParts['decide'];
  readonly rules: RiskRules;
}

export function assemble({ markets, history, startedAt, decide, rules }: Parts): { world: World; engine: Engine } {
  const world = new World(markets);
  world.adopt(history);
  return { world, engine: new Engine({ world, decide, rules, nextClientOrderId: clientOrderIds(startedAt, history) }) };
}

/** The low bits count within a second of start; more orders than that run into the next second's, and a restart goes past them. */
const COUNTER = 2 ** 20;

/** Ids never used before by this run: seconds of the start, then a counter; below 2^53, so that no JSON on the way can bend them. */
function clientOrderIds(startedAt: Millis, { lastClientOrderId }: History): () => string {
  const afterLast = lastClientOrderId === undefined ? 0 : Number(lastClientOrderId) + 1;
  let next = Math.max(Math.floor(startedAt / 1000) * COUNTER, afterLast);
  return () => String(next++);
}
