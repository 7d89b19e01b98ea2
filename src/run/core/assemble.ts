// A world and its engine, put together the same way for a run and for the replay of its recording.
import type { Millis } from '../../base/clock.ts';
import type { Market } from '../../domain/market.ts';
import type { Order } from '../../domain/order.ts';
import { Engine, type EngineParts } from '../../engine/engine.ts';
import type { RiskRules } from '../../risk/guard.ts';
import { World } from '../../world/world.ts';
import type { History } from '../state/history.ts';
import { notAfter } from './leave-rate.ts';
import { clientOrderIds, seriesOf } from './series.ts';
import type { ForeignOrders } from './start-check.ts';

export interface Parts {
  readonly markets: readonly Market[];
  readonly history: History;
  readonly startedAt: Millis;
  readonly decide: EngineParts['decide'];
  readonly rules: RiskRules;
  /** What becomes of the unknown orders that the first account lists; `ignore` unless told otherwise. */
  readonly foreign?: ForeignOrders | undefined;
}

export function assemble({ markets, history, startedAt, decide, rules, foreign = 'ignore' }: Parts): { world: World; engine: Engine } {
  const nextClientOrderId = clientOrderIds(startedAt, history);
  const { series } = history;
  const world = new World(markets, {
    adoptForeign: foreign === 'adopt' || foreign === 'cancel' ? nextClientOrderId : undefined,
    cancelForeign: foreign === 'cancel',
    isOfThisRun: (id) => series !== undefined && seriesOf(id) === series,
  });
  world.adopt({
    ...history,
    orders: history.orders.map((order) => before(order, startedAt)),
    placedAt: notAfter(history.placedAt ?? [], startedAt),
    ended: history.ended?.map((end) => ({ ...end, at: Math.min(end.at, startedAt) })),
  });
  return { world, engine: new Engine({ world, decide, rules, nextClientOrderId }) };
}

/** The clock may have been set back since: what an earlier process did was before this one began, whatever the times say. */
const before = (order: Order, startedAt: Millis): Order => ({
  ...order,
  sentAt: Math.min(order.sentAt, startedAt),
  touchedAt: Math.min(order.touchedAt, startedAt),
});
