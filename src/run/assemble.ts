// A world and its engine, put together the same way for a run and for the replay of its recording.
import type { Millis } from '../base/clock.ts';
import type { Market } from '../domain/market.ts';
import type { Order } from '../domain/order.ts';
import { Engine, type EngineParts } from '../engine/engine.ts';
import type { RiskRules } from '../risk/guard.ts';
import { World } from '../world/world.ts';
import type { History } from './history.ts';

export interface Parts {
  readonly markets: readonly Market[];
  readonly history: History;
  readonly startedAt: Millis;
  readonly decide: EngineParts['decide'];
  readonly rules: RiskRules;
  /** The orders of others that the first account lists become ours. They are left alone unless told. */
  readonly adoptForeign?: boolean | undefined;
}

export function assemble({ markets, history, startedAt, decide, rules, adoptForeign = false }: Parts): { world: World; engine: Engine } {
  const nextClientOrderId = clientOrderIds(startedAt, history);
  const world = new World(markets, { adoptForeign: adoptForeign ? nextClientOrderId : undefined });
  world.adopt({
    ...history,
    orders: history.orders.map((order) => before(order, startedAt)),
    ended: history.ended.map((end) => (end.at <= startedAt ? end : { ...end, at: LONG_AGO })),
  });
  return { world, engine: new Engine({ world, decide, rules, nextClientOrderId }) };
}

/** The clock may have been set back since: what an earlier process did was before this one began, whatever the times say. */
const before = (order: Order, startedAt: Millis): Order => ({
  ...order,
  sentAt: Math.min(order.sentAt, startedAt),
  touchedAt: Math.min(order.touchedAt, startedAt),
});

/** By a clock that was ahead of ours nobody knows how long ago an order ended: one that is listed again counts at once, though it may be an old picture. */
const LONG_AGO: Millis = 0;

/** The low bits count within a second of start; more orders than that run into the next second's, and a restart goes past them. */
const COUNTER = 2 ** 20;

/** Ids never used before by this run: seconds of the start, then a counter; below 2^53, so that no JSON on the way can bend them. */
function clientOrderIds(startedAt: Millis, { lastClientOrderId }: History): () => string {
  const afterLast = lastClientOrderId === undefined ? 0 : Number(lastClientOrderId) + 1;
  let next = Math.max(Math.floor(startedAt / 1000) * COUNTER, afterLast);
  return () => String(next++);
}
