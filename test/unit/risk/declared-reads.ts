// The world, the circumstances and the candidate as a guard may see them: reading what the guard did not declare throws.
import type { Order } from '../../../src/domain/order.ts';
import type { Candidate, Circumstances, Guard, RiskRules } from '../../../src/risk/guard.ts';
import type { GuardInput } from '../../../src/world/revisions.ts';
import type { World } from '../../../src/world/world.ts';

/** The inputs that a member depends on. `constant` never changes; `closed` is not for guards. */
type Source = readonly GuardInput[] | 'constant' | 'closed';

const WORLD = {
  markets: 'constant',
  marketIds: 'constant',
  perps: 'constant',
  market: 'constant',
  began: 'constant',
  now: ['time'],
  jumped: ['time'],
  candles: ['candles'],
  book: ['book'],
  info: ['info'],
  trades: ['trades'],
  account: ['account'],
  position: ['account'],
  held: ['account', 'exposure'],
  balances: ['account', 'exposure'],
  isBalanceKnown: ['agreement'],
  counted: ['account'],
  hasOtherMarkets: ['account'],
  accountFault: ['time'],
  fills: ['fills'],
  orders: ['orders'],
  foreignOrders: ['orders'],
  ghosts: ['orders'],
  isTakingOver: ['orders'],
  exposure: ['exposure'],
  unexplained: ['agreement'],
  baselines: ['time'],
  mode: ['mode'],
  modeReason: ['mode'],
  stopping: ['mode'],
  unhealthy: ['health'],
  termsFault: ['orders'],
  session: ['session'],
  engineTime: ['time'],
  heldBack: ['time'],
  placementsSince: ['time'],
  sentTerms: ['time'],
  settled: ['time'],
  awaitsFills: 'closed',
  accounting: ['fills', 'info', 'account'],
  revisions: 'closed',
  memory: 'closed',
  inputs: 'closed',
  takeAlarms: 'closed',
  takeChanges: 'closed',
  adopt: 'closed',
  markSent: 'closed',
  apply: 'closed',
} satisfies Record<keyof World, Source>;

const CIRCUMSTANCES = {
  world: 'constant',
  own: ['orders'],
  passed: 'constant',
  exposure: ['exposure'],
} satisfies Record<keyof Circumstances, Source>;

const CANDIDATE = {
  market: 'constant',
  side: 'constant',
  price: 'constant',
  size: 'constant',
  fillMode: 'constant',
  goal: 'constant',
  standing: 'constant',
  reducing: ['exposure'],
} satisfies Record<keyof Candidate, Source>;

/** Of the resting order: `remaining` moves the exposure, whereupon every guard is asked; the rest of these never changes. */
const STANDING: Partial<Record<keyof Order, Source>> = {
  clientOrderId: 'constant',
  market: 'constant',
  side: 'constant',
  price: 'constant',
  size: 'constant',
  remaining: 'constant',
  fillMode: 'constant',
  sentAt: 'constant',
};

/** When a thing was seen is an age, which time alone changes. */
const SEEN: Readonly<Record<string, Source>> = { value: 'constant', asked: ['time'], at: ['time'] };
const ARE_SEEN: ReadonlySet<string> = new Set(['book', 'info', 'account']);

class Watch {
  readonly #guard: Guard;

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  /** `sources` says of each member what it depends on; one that it does not name is as `other`. */
  over<T extends object>(target: T, name: string, { sources, other }: { sources: Readonly<Record<string, Source>>; other: Source }): T {
    const proxy: T = new Proxy(target, {
      get: (_, key) => {
        if (typeof key === 'symbol') return Reflect.get(target, key) as unknown;
        this.#check(`${name}.${key}`, sources[key] ?? other);
        return this.#member(target, key, name);
      },
    });
    return proxy;
  }

  #member(target: object, key: string, name: string): unknown {
    const value: unknown = Reflect.get(target, key, target);
    const seen = (thing: unknown) =>
      name === 'world' && ARE_SEEN.has(key) && typeof thing === 'object' && thing !== null
        ? this.over(thing, key, { sources: SEEN, other: 'closed' })
        : thing;
    return typeof value === 'function' ? (...args: unknown[]) => seen(Reflect.apply(value, target, args)) : seen(value);
  }

  #check(member: string, source: Source): void {
    const { name, reads } = this.#guard;
    if (source === 'closed') throw new Error(`guard ${name} uses ${member}, which is not for guards`);
    if (source === 'constant') return;
    const missing = source.filter((input) => !reads.includes(input));
    if (missing.length > 0) throw new Error(`guard ${name} uses ${member}, but does not declare that it reads ${missing.join(', ')}`);
  }
}

/** The guard, which throws when it reads what it does not declare. */
export function strict(guard: Guard): Guard {
  const watch = new Watch(guard);
  const declaresOrders = guard.reads.includes('orders');
  return {
    ...guard,
    review: (candidate, circumstances) => {
      const world = watch.over(circumstances.world, 'world', { sources: WORLD, other: 'closed' });
      const { standing } = candidate;
      const watched =
        standing === undefined || declaresOrders ? standing : watch.over(standing, 'standing', { sources: STANDING, other: ['orders'] });
      return guard.review(
        watch.over({ ...candidate, standing: watched }, 'candidate', { sources: CANDIDATE, other: 'closed' }),
        watch.over({ ...circumstancesOf(circumstances), world }, 'circumstances', { sources: CIRCUMSTANCES, other: 'closed' }),
      );
    },
  };
}

/** Its methods live on its class, or close over it. */
const circumstancesOf = (circumstances: Circumstances): Circumstances => ({
  world: circumstances.world,
  own: (market) => circumstances.own(market),
  passed: () => circumstances.passed(),
  exposure: (market) => circumstances.exposure(market),
});

export const strictRules = ({ gates, guards }: RiskRules): RiskRules => ({ gates, guards: guards.map(strict) });
