// Facts that must have happened somewhere in many runs; otherwise the suite has tested nothing dangerous.
import type { FaultKind } from '../../plan/faults.ts';

export const FACTS = [
  'receipt after the soft timeout',
  'unknown resolved as open',
  'unknown resolved as filled',
  'unknown resolved as absent',
  'unknown cancelled later',
  'DUPLICATE received by the bot',
  'duplicate copy refused',
  'crash between keep and send',
  'crash between send and reply',
  'crash on a reply',
  'crash in recovery',
  'crash with a torn tail',
  'crash at power loss',
  'recovered with orders resting',
  'recovered with an unknown order',
  'recovered with a position',
  'cancel raced a fill',
  'cancel reply lost',
  'partial fill then cancel',
  'session ended mid-flight',
  'session made anew',
  'restart with an unknown order',
  'engine time went back with an unknown order',
  'engine time stood still with an unknown order',
  'placement refused by the exchange',
  'placement held by a full disk',
  'journal began another segment',
  'second process turned away',
  'latch raised with orders resting',
  'start failed and was tried again',
  'place executed after its process had died',
  'listing changed with orders resting',
  'rollback undid an order',
  'rollback undid a fill',
  'person placed',
  'person moved',
  'person cancelled',
  'dead order executed: time went back',
  'dead order executed: copy of a refused one',
  'dead order executed: forgotten duplicate',
  'ghost alarm',
  'position alarm',
  'company alarm',
  'start went on after a failed question',
  'short account heard with orders resting',
  'reply to another request heard',
  'state lost with orders resting',
  'start refused beside orders that the state does not know',
  'machine slept with orders resting',
  'retry after an hour was asked for',
  'strategy failed with an order on its way',
  'rival traded',
  'order signed by other terms than those of the exchange',
  'spot traded',
] as const;
/** Only in runs with streams. */
export const STREAM_FACTS = ['book of a frame believed'] as const;
export type Fact = (typeof FACTS)[number] | (typeof STREAM_FACTS)[number];

/** The fact that a death by this kind of fault counts as. */
export const OF_DEATHS: Partial<{ readonly [Kind in FaultKind]: Fact }> = {
  crashBeforePost: 'crash between keep and send',
  crashAfterPost: 'crash between send and reply',
  crashOnReply: 'crash on a reply',
};

/** How often each fact happened. */
export class Sometimes {
  readonly counts = new Map<string, number>();

  reached(fact: Fact): void {
    this.counts.set(fact, (this.counts.get(fact) ?? 0) + 1);
  }
}

/** How often each kind of fault struck while an order was in each state. */
export class Matrix {
  readonly counts = new Map<string, number>();

  struck(kind: string, states: Iterable<string>): void {
    for (const state of states) this.counts.set(`${kind}/${state}`, (this.counts.get(`${kind}/${state}`) ?? 0) + 1);
  }
}

/** The state of an order as the bot knows it; `none` if it has no order at all. */
export const STATES = ['none', 'pending', 'open', 'cancelling', 'unknown'] as const;
