// Creates new instances of a strategy during a play, with the same views as the trading instance: they show what a restart at that moment would want.
import type { Millis } from '../../../base/clock.ts';
import { rngFrom } from '../../../base/rng.ts';
import type { Intent } from '../../../bot/domain/intent.ts';
import type { Decide, Params, Strategy } from '../../../bot/strategy/contract.ts';
import type { View } from '../../../bot/strategy/view/view.ts';
import { testTools } from '../tools.ts';
import { playTapes, type Subject } from './subject.ts';

/** A new instance, and its differences from the trading instance. */
export interface Shadow {
  readonly bornAt: Millis;
  /** True if no order was in flight when it was created. */
  readonly isCalm: boolean;
  /** The difference at its first turn. */
  first: string | undefined;
  /** The last difference, and its turn. */
  last: { readonly at: Millis; readonly what: string } | undefined;
  /** The last turn that was compared. */
  comparedAt: Millis;
}

/** The intents of the trading instance must be unchanged for this long before a new instance is created, so that no order is in flight. */
const CALM: Millis = 2_000;
/** Without such a calm moment, the instance is created after this time. */
const PATIENCE: Millis = 10_000;

interface Living {
  readonly shadow: Shadow;
  readonly decide: Decide;
}

interface Shadows {
  readonly shadows: readonly Shadow[];
  /** Number of orders placed by the trading instance. */
  readonly placed: number;
}

/** Plays the subject's tapes, and creates `count` evenly spread instances. Returns those of calm moments, or all if there are few. */
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

/** True if none of our orders is in flight. */
const isAtRest = ({ markets }: View): boolean =>
  markets.every(({ orders }) => orders.every(({ status, missing }) => status === 'open' && !missing));

function compare({ shadow, decide }: Living, view: View, intents: readonly Intent[]): void {
  const what = differenceOf(intents, decide(view));
  if (what !== undefined && shadow.bornAt === view.now) shadow.first = what;
  if (what !== undefined) shadow.last = { at: view.now, what };
  shadow.comparedAt = view.now;
}

/** As a fraction of the larger price. Prices may follow averages, which start again in a new instance. */
const PRICE_TOLERANCE = 0.001;
/** The usual dead band of a target. */
const SIZE_TOLERANCE = 0.01;
const SIZES: ReadonlySet<string> = new Set(['size', 'position']);

/** Returns the first difference of two lists of intents as text, with a tolerance for prices and sizes; undefined if there is none. */
function differenceOf(some: readonly Intent[], others: readonly Intent[]): string | undefined {
  return differing(normal(some), normal(others), 'intents');
}

/** Removes intents without orders, which are equal to no intent. */
const normal = (intents: readonly Intent[]): readonly Intent[] =>
  intents.filter((intent) => intent.kind !== 'quote' || intent.bids.length + intent.asks.length > 0).sort((a, b) => a.market - b.market);

function differing(one: unknown, other: unknown, name: string): string | undefined {
  if (typeof one === 'number' && typeof other === 'number') return isNear(one, other, name) ? undefined : `${name} ${one} and ${other}`;
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return `${name}: ${one.length} and ${other.length}`;
  if (!isObject(one) || !isObject(other)) return one === other ? undefined : `${name} ${String(one)} and ${String(other)}`;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = differing(one[key], other[key], Array.isArray(one) ? name : key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True within the tolerance, or within one tick or lot. */
const isNear = (one: number, other: number, name: string): boolean =>
  Math.abs(one - other) <= Math.max(1, (SIZES.has(name) ? SIZE_TOLERANCE : PRICE_TOLERANCE) * Math.max(Math.abs(one), Math.abs(other)));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
