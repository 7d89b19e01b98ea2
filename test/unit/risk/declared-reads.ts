// Proxies of the world, the circumstances and the candidate, which throw if a guard reads an input that it does not declare.
import type { Order } from '../../../src/bot/domain/order.ts';
import type { Candidate, Circumstances, Guard, RiskRules } from '../../../src/bot/risk/guard.ts';
import type { GuardInput } from '../../../src/bot/world/revisions.ts';
import type { World } from '../../../src/bot/world/world.ts';

/** The inputs that a member depends on. `constant`: it never changes. `closed`: guards may not read it. */
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
  countedInMargins: ['account'],
  hasOtherMarkets: ['account'],
  accountFault: ['time'],
  judgedFills: 'closed',
  holdback: 'closed',
  heldSince: 'closed',
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
  commands: ['allowance'],
  unhealthy: ['health'],
  termsFault: ['orders'],
  session: ['session'],
  engineTime: ['time'],
  placementsSince: ['time'],
  sentTerms: ['time'],
  settled: ['time'],
  awaitsEnds: ['time'],
  accounting: ['fills', 'info', 'account'],
  binding: ['fills', 'info', 'account'],
  revisions: 'closed',
  touched: 'closed',
  memory: 'closed',
  inputs: 'closed',
  takeAlarms: 'closed',
  takeChanges: 'closed',
  takeFills: 'closed',
  adopt: 'closed',
  markSent: 'closed',
  apply: 'closed',
  health: 'closed',
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

/** Members of the resting order. A change of `remaining` changes the exposure, and then every guard runs; the others never change. */
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

/** Members of a value with its time: the time gives its age, which changes with the clock. */
const DATED: Readonly<Record<string, Source>> = { value: 'constant', asked: ['time'], at: ['time'] };
const DATED_MEMBERS: ReadonlySet<string> = new Set(['book', 'info', 'account']);

class Watch {
  readonly #guard: Guard;

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  /** A proxy of `target`. `sources` names what each member depends on; other members depend on `other`. */
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
    const dated = (thing: unknown) =>
      name === 'world' && DATED_MEMBERS.has(key) && typeof thing === 'object' && thing !== null
        ? this.over(thing, key, { sources: DATED, other: 'closed' })
        : thing;
    return typeof value === 'function' ? (...args: unknown[]) => dated(Reflect.apply(value, target, args)) : dated(value);
  }

  #check(member: string, source: Source): void {
    const { name, reads } = this.#guard;
    if (source === 'closed') throw new Error(`guard ${name} uses ${member}, which is not for guards`);
    if (source === 'constant') return;
    const missing = source.filter((input) => !reads.includes(input));
    if (missing.length > 0) throw new Error(`guard ${name} uses ${member}, but does not declare that it reads ${missing.join(', ')}`);
  }
}

/** The guard, which throws if it reads what it does not declare. */
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

/** A plain object with the methods, which may be on the prototype. */
const circumstancesOf = (circumstances: Circumstances): Circumstances => ({
  world: circumstances.world,
  own: (market) => circumstances.own(market),
  passed: () => circumstances.passed(),
  exposure: (market) => circumstances.exposure(market),
});

export const strictRules = ({ gates, guards }: RiskRules): RiskRules => ({ gates, guards: guards.map(strict) });
