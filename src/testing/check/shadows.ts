// New instances of a strategy beside the one that trades, in front of the same views: what a restart at that moment would want.
import type { Millis } from '../../base/clock.ts';
import { rngFrom } from '../../base/rng.ts';
import type { Intent } from '../../domain/intent.ts';
import type { Decide, Params, Strategy } from '../../strategy/contract.ts';
import type { View } from '../../strategy/view/view.ts';
import { testTools } from '../tools.ts';
import { differenceOf } from './same.ts';
import { playTapes, type Subject } from './subject.ts';

/** A new instance, and how it compared with the one that trades. */
export interface Shadow {
  readonly bornAt: Millis;
  /** True if nothing was on its way at that moment. */
  readonly isCalm: boolean;
  /** What differed at its first turn. */
  first: string | undefined;
  /** The last turn that differed, and what. */
  last: { readonly at: Millis; readonly what: string } | undefined;
  /** The last turn that was compared. */
  comparedAt: Millis;
}

/** The one that trades must have wanted the same for this long before an instance is created beside it: nothing is on its way then. */
const CALM: Millis = 2_000;
/** If it never does for so long, the instance is created in any case. */
const PATIENCE: Millis = 10_000;

interface Living {
  readonly shadow: Shadow;
  readonly decide: Decide;
}

interface Shadows {
  readonly shadows: readonly Shadow[];
  /** How many orders the strategy placed that traded. */
  readonly placed: number;
}

/** Plays the subject's tapes, and creates `count` instances on the way, evenly spread. Those of calm moments are returned, or all if there are few. */
export async function shadowsOf(subject: Subject, count: number): Promise<Shadows> {
  const [first, last] = [
    Math.max(...subject.tapes.map(({ facts }) => facts.first)),
    Math.min(...subject.tapes.map(({ facts }) => facts.last)),
  ];
  const due = Array.from({ length: count }, (_, index) => (first + ((last - first) * (index + 1)) / (count + 1)) / 1_000);
  const living: Living[] = [];
  const { placed } = await playTapes(subject, { strategy: withShadows(subject, due, living) });
  const shadows = living.map(({ shadow }) => shadow);
  const calm = shadows.filter(({ isCalm }) => isCalm);
  return { shadows: calm.length >= shadows.length / 4 ? calm : shadows, placed };
}

function withShadows({ strategy, params, seed }: Subject, due: Millis[], living: Living[]): Strategy<Params> {
  const waiting = [...due];
  return {
    ...strategy,
    create(given, tools) {
      const decide = strategy.create(given, tools);
      let steady: { readonly intents: readonly Intent[]; readonly since: Millis } | undefined;
      return (view) => {
        const isDue = waiting[0] !== undefined && view.now >= waiting[0];
        const remembered = isDue ? tools.memory.get() : undefined;
        const intents = decide(view);
        if (steady === undefined || differenceOf(steady.intents, intents) !== undefined) steady = { intents, since: view.now };
        const isCalm = view.now - steady.since >= CALM && isAtRest(view);
        const next = waiting[0];
        if (next !== undefined && isDue && (isCalm || view.now - next >= PATIENCE)) {
          waiting.shift();
          const own = testTools();
          if (remembered !== undefined) own.memory.set(remembered);
          const fresh = strategy.create(params, { ...own, rng: rngFrom(seed).fork('strategy') });
          living.push({ shadow: { bornAt: view.now, isCalm, first: undefined, last: undefined, comparedAt: view.now }, decide: fresh });
        }
        for (const one of living) compare(one, view, intents);
        return intents;
      };
    },
  };
}

/** True if no order of ours is on its way to or from the book. */
const isAtRest = ({ markets }: View): boolean =>
  markets.every(({ orders }) => orders.every(({ status, missing }) => status === 'open' && !missing));

function compare({ shadow, decide }: Living, view: View, intents: readonly Intent[]): void {
  const what = differenceOf(intents, decide(view));
  if (what !== undefined && shadow.bornAt === view.now) shadow.first = what;
  if (what !== undefined) shadow.last = { at: view.now, what };
  shadow.comparedAt = view.now;
}
