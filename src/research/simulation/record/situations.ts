// The dangerous situations that a simulation counts. The figures of many runs list those that never occurred: without them, runs test little.

import type { FaultKind } from '../plan/faults.ts';
import { DEFAULT_EXCHANGE, type ExchangeName } from '../plan/faults-by-exchange.ts';

const SITUATIONS = [
  'receipt after the timeout',
  'unknown resolved as open',
  'unknown resolved as filled',
  'unknown resolved as never executed',
  'unknown cancelled later',
  'DUPLICATE received by the bot',
  'duplicate refused',
  'crash between journal and send',
  'crash between send and reply',
  'crash on a reply',
  'crash in recovery',
  'crash that tore the last journal line',
  'crash at power loss',
  'recovered with orders resting',
  'recovered with an unknown order',
  'recovered with a position',
  'cancel raced a fill',
  'cancel reply lost',
  'partial fill then cancel',
  'session ended with an action in flight',
  'session opened again',
  'restart with an unknown order',
  'engine time went back with an unknown order',
  'engine time stood still with an unknown order',
  'placement refused by the exchange',
  'placement not sent because the disk was full',
  'journal began another segment',
  'second process refused',
  'kill switch set with orders resting',
  'start failed and was tried again',
  'placement executed after its process had died',
  'market terms changed with orders resting',
  'rollback undid an order',
  'rollback undid a fill',
  'person placed',
  'person traded',
  'person cancelled',
  'ended order executed: engine time went back',
  'ended order executed: copy of a refused request',
  'ended order executed: the exchange had forgotten its id',
  'ghost alarm',
  'position alarm',
  'foreign order alarm',
  'start continued after a failed request',
  'incomplete account received with orders resting',
  'reply to another request received',
  'state lost with orders resting',
  'start refused beside orders that the state does not know',
  'machine slept with orders resting',
  'retry-after of an hour received',
  'strategy failed with an order in flight',
  'another client acted on the account',
  'order signed with outdated market terms',
  'spot traded',
] as const;
/** Only in runs with streams. */
export const STREAM_SITUATIONS = ['book of a websocket frame used'] as const;
/** Only at Hyperliquid. */
const SETTLED_SITUATIONS = ['order settled as never admitted', 'order settled as admitted'] as const;
export type Situation = (typeof SITUATIONS)[number] | (typeof STREAM_SITUATIONS)[number] | (typeof SETTLED_SITUATIONS)[number];

/** Situations that follow only from faults that Hyperliquid does not have; and spot trades, because its spot markets are not played. */
const HOSTED_ONLY: readonly Situation[] = [
  'session ended with an action in flight',
  'session opened again',
  'engine time went back with an unknown order',
  'market terms changed with orders resting',
  'rollback undid an order',
  'rollback undid a fill',
  'ended order executed: engine time went back',
  'ended order executed: copy of a refused request',
  'ended order executed: the exchange had forgotten its id',
  'incomplete account received with orders resting',
  'order signed with outdated market terms',
  'spot traded',
];

export const situationsOn = (exchange: ExchangeName): readonly Situation[] =>
  exchange === DEFAULT_EXCHANGE
    ? SITUATIONS
    : [...SITUATIONS.filter((situation) => !HOSTED_ONLY.includes(situation)), ...SETTLED_SITUATIONS];

/** The situation that a crash by a kind of fault counts as. */
export const CRASH_SITUATIONS: Partial<{ readonly [Kind in FaultKind]: Situation }> = {
  crashBeforePost: 'crash between journal and send',
  crashAfterPost: 'crash between send and reply',
  crashOnReply: 'crash on a reply',
};

/** How often each situation occurred. */
export class SituationCounts {
  readonly counts = new Map<string, number>();

  reached(situation: Situation): void {
    this.counts.set(situation, (this.counts.get(situation) ?? 0) + 1);
  }
}

/** How often each kind of fault struck while an order was in each state. */
export class FaultMatrix {
  readonly counts = new Map<string, number>();

  struck(kind: string, states: Iterable<string>): void {
    for (const state of states) this.counts.set(`${kind}/${state}`, (this.counts.get(`${kind}/${state}`) ?? 0) + 1);
  }
}

/** The state of an order as the bot knows it; `none` if it has no order at all. */
export const STATES = ['none', 'pending', 'open', 'cancelling', 'unknown'] as const;
