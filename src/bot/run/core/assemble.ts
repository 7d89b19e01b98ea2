// Builds a world and its engine, in the same way for a run and for the replay of its recording.

import type { Millis } from '../../../base/clock.ts';
import type { ClientOrderId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Order } from '../../domain/order.ts';
import { Engine, type EngineParts } from '../../engine/engine.ts';
import type { RiskRules } from '../../risk/guard.ts';
import { World } from '../../world/world.ts';
import { clientOrderIds, seriesOf } from '../state/client-order-ids.ts';
import type { ForeignOrdersPolicy } from '../state/entries.ts';
import type { EarlierHistory } from '../state/history.ts';
import { notAfter } from '../state/send-rate.ts';

export interface RunParts {
  readonly markets: readonly Market[];
  readonly history: EarlierHistory;
  readonly startedAt: Millis;
  readonly decide: EngineParts['decide'];
  readonly rules: RiskRules;
  /** What to do with unknown orders that rest when the run starts; default `refuse`: there are none. */
  readonly foreign?: ForeignOrdersPolicy | undefined;
  /** The order life by the exchange's rules, in seconds. */
  readonly orderLife?: number | undefined;
  /** True if accounts and trades alone do not prove an order absent: see `VenueRules.absence`. */
  readonly needsWitness?: boolean | undefined;
  /** True if an answer about the account is checked before it is believed. */
  readonly bindsAccounts?: boolean | undefined;
  /** See `VenueRules`. */
  readonly accountLag?: Millis | undefined;
  /** Default: the ids of the run's series. */
  readonly nextClientOrderId?: (() => ClientOrderId) | undefined;
  /** See `EngineParts`. */
  readonly sentInstead?: EngineParts['sentInstead'];
}

export function assemble(parts: RunParts): { world: World; engine: Engine } {
  const {
    markets,
    history,
    startedAt,
    decide,
    rules,
    foreign = 'refuse',
    orderLife,
    needsWitness,
    bindsAccounts,
    accountLag,
    sentInstead,
  } = parts;
  const { nextClientOrderId = clientOrderIds(startedAt, history) } = parts;
  const { series } = history;
  const world = new World(markets, {
    adoptForeign: foreign === 'adopt' || foreign === 'cancel' ? nextClientOrderId : undefined,
    idForCopy: nextClientOrderId,
    cancelForeign: foreign === 'cancel',
    ignoreForeign: foreign === 'ignore',
    orderLife,
    needsWitness,
    bindsAccounts,
    accountLag,
    isOfThisRun: (id) => series !== undefined && seriesOf(id) === series,
  });
  world.adopt({
    ...history,
    orders: history.orders.map((order) => before(order, startedAt)),
    placedAt: notAfter(history.placedAt ?? [], startedAt),
    ended: history.ended?.map((end) => ({ ...end, at: Math.min(end.at, startedAt) })),
  });
  return { world, engine: new Engine({ world, decide, rules, nextClientOrderId, sentInstead }) };
}

/** Limits the times of an earlier process to the start of this one, since the clock may have been set back in between. */
const before = (order: Order, startedAt: Millis): Order => ({
  ...order,
  sentAt: Math.min(order.sentAt, startedAt),
  touchedAt: Math.min(order.touchedAt, startedAt),
});
