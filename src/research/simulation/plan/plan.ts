// Draws the plan of a run from its options: everything that will go wrong, and when.
import { HOUR, type Millis } from '../../../base/clock.ts';
import { type Rng, rngFrom } from '../../../base/rng.ts';
import { type DrawnKind, type InjectedFault, PATHS, type Plan } from './faults.ts';
import { DEFAULT_EXCHANGE, type ExchangeName } from './faults-by-exchange.ts';
import { liesOf } from './lies.ts';
import { type Options, oneOf } from './options.ts';

/** A fault that has a duration lasts at least this long. */
const SHORTEST: Millis = 2_000;
/** No faults before the bot has had time to start. */
const QUIET_START: Millis = 5_000;
const MAX_PER_KIND = 40;

/** Each fault is drawn from its own random stream: leaving one out does not change the others. */
export function planOf(options: Options): Plan {
  const { faultyMs, faults, seed } = options;
  const rng = rngFrom(seed).fork('plan');
  const mean = Math.max(0.7, (faults.anHour * faultyMs) / HOUR);
  const plan = faults.kinds.flatMap((kind) => {
    const count = Math.min(MAX_PER_KIND, poisson(rng.fork(`${kind}/count`), mean * (RARITY[kind] ?? 1)));
    return Array.from({ length: count }, (_, index) => faultOf(kind, `${kind}/${index}`, { rng: rng.fork(`${kind}/${index}`), options }));
  });
  const lies = options.profile === 'liar' ? liesOf(rngFrom(seed).fork('lies'), { faultyMs }) : [];
  return [...plan, ...lies].sort((a, b) => a.from - b.from);
}

/** Factors for kinds that end trading, or that find little when repeated. */
const RARITY: Partial<Record<DrawnKind, number>> = {
  latch: 0.15,
  backward: 0.4,
  leap: 0.5,
  second: 0.5,
  shock: 0.5,
  queue: 0.5,
  fees: 0.3,
  relist: 0.3,
  rollback: 0.3,
  decimals: 0.3,
  stateLost: 0.4,
  throws: 0.5,
  rejects: 0.5,
  sleep: 0.5,
};

function faultOf(kind: DrawnKind, id: string, { rng, options: { faultyMs, exchange } }: { rng: Rng; options: Options }): InjectedFault {
  const drawn = QUIET_START + rng.below(Math.max(1, faultyMs - QUIET_START));
  const { lasts, span, first = false, ...rest } = (OWN_TERMS[exchange ?? DEFAULT_EXCHANGE][kind] ?? TERMS[kind])(rng);
  const from = first ? 0 : drawn;
  const until = lasts === undefined ? from + (span ?? 0) : from + SHORTEST + Math.round(rng.exponential(lasts));
  return { id, kind, from, until: Math.min(faultyMs, until), ...rest };
}

/**
 * `lasts` is the mean of what is added to the shortest duration, `span` an exact duration; a fault with neither is a moment. `first`: it begins with
 * the run.
 */
type Terms = Pick<InjectedFault, 'path' | 'chance' | 'amount' | 'detail'> & {
  readonly lasts?: Millis;
  readonly span?: Millis;
  readonly first?: boolean;
};
type Draw = (rng: Rng) => Terms;

const NETWORK: Millis = 15_000;
const anywhere = (rng: Rng): InjectedFault['path'] => (rng.next() < 0.4 ? 'all' : rng.next() < 0.4 ? 'action' : oneOf(rng, PATHS));
const onTheWay: Draw = (rng) => ({ lasts: NETWORK, path: anywhere(rng), chance: oneOf(rng, [0.1, 0.3, 1]) });
const delayed: Draw = (rng) => ({ ...onTheWay(rng), amount: oneOf(rng, [500, 5_000, 40_000]) });
const copied: Draw = (rng) => ({ ...onTheWay(rng), path: 'action', amount: oneOf(rng, [20, 2_000, 30_000]) });
const onTheLine: Draw = (rng) => ({ lasts: NETWORK, chance: oneOf(rng, [0.05, 0.2, 0.6]) });
const onDisk: Draw = (rng) => ({ lasts: 8_000, chance: oneOf(rng, [0.1, 0.5, 1]) });
const death = (rng: Rng): Pick<Terms, 'detail'> => ({ detail: oneOf(rng, ['kill', 'power']) });
const deathAtCall: Draw = (rng) => ({ ...death(rng), amount: 1 + rng.below(40) });
const deathAtPost: Draw = (rng) => ({ ...death(rng), amount: 1 + rng.below(4) });

/** How a request of a start fails: a status code, or what happens to the reply. */
export const START_FAILURES = ['502', '503', '429', 'reset', 'html', 'silence', 'cut'] as const;

/** What becomes of a lost state directory; an older copy twice as often. */
const LOSSES = ['gone', 'truncated', 'old', 'old'] as const;
/** The parts that an account reply lacks. */
const SHORT_OF = ['orders', 'halfOfOrders', 'positions', 'balances', 'everything'] as const;
/** Parts whose absence the bot survives. It believes an account without positions until the next one. */
const SURVIVABLE_PARTS = SHORT_OF.filter((part) => part !== 'positions' && part !== 'everything');

const TERMS: { readonly [Kind in DrawnKind]: Draw } = {
  dropRequest: onTheWay,
  dropReply: onTheWay,
  delayRequest: delayed,
  delayReply: delayed,
  duplicate: copied,
  retryProxy: copied,
  refuse: onTheWay,
  partition: (rng) => ({ lasts: NETWORK, path: oneOf(rng, ['all', anywhere(rng)]) }),
  truncate: onTheWay,
  corrupt: onTheWay,
  status: (rng) => ({ ...onTheWay(rng), amount: oneOf(rng, [302, 307, 400, 404, 408, 413, 429, 500, 502, 503]) }),
  stale: (rng) => ({ lasts: NETWORK, path: oneOf(rng, ['all', 'account', 'book', 'live', 'time', 'info']) }),
  startFails: (rng) => ({ first: rng.next() < 0.5, lasts: 12_000, chance: oneOf(rng, [0.3, 0.6, 1]), detail: oneOf(rng, START_FAILURES) }),
  shifted: (rng) => ({ lasts: 8_000, path: oneOf(rng, ['action', 'all', 'all']), chance: oneOf(rng, [0.3, 1]) }),
  retryAfter: (rng) => ({
    lasts: 8_000,
    path: oneOf(rng, ['time', 'time', anywhere(rng)]),
    chance: oneOf(rng, [0.1, 0.5, 1]),
    amount: oneOf(rng, [429, 503]),
  }),
  limited: (rng) => ({ ...onTheWay(rng), lasts: 8_000 }),
  restart: (rng) => ({ lasts: 5_000, detail: oneOf(rng, ['keeps', 'forgets']) }),
  stall: (rng) => ({ lasts: 20_000, detail: oneOf(rng, ['behind', 'catchUp']) }),
  leap: (rng) => ({ amount: oneOf(rng, [2, 30, 59, 61, 200]) }),
  backward: (rng) => ({ amount: oneOf(rng, [1, 2, 10, 61]) }),
  evict: () => ({}),
  shorten: (rng) => ({ amount: oneOf(rng, [1, 10, 59, 61, 120]) }),
  freeze: () => ({ lasts: 20_000 }),
  reject: (rng) => ({
    lasts: 10_000,
    chance: oneOf(rng, [0.3, 1]),
    detail: oneOf(rng, ['MAINTENANCE', 'INSUFFICIENT_FUNDS', 'MARKET_FROZEN', 'Dropped']),
  }),
  lag: (rng) => ({ lasts: 30_000, path: oneOf(rng, ['account', 'trades']), amount: 250 + rng.below(1_450) }),
  queue: (rng) => ({ lasts: 15_000, amount: oneOf(rng, [200, 1_000, 1_900]) }),
  shock: (rng) => ({ amount: Math.round(rng.normal() * 150) }),
  fees: (rng) => ({ detail: oneOf(rng, ['lower', 'higher']) }),
  rollback: (rng) => ({ lasts: 3_000, amount: oneOf(rng, [1, 3, 8, 20]), detail: oneOf(rng, ['keeps', 'forgets']) }),
  relist: (rng) => ({ lasts: 40_000, detail: oneOf(rng, ['priceDecimals', 'sizeDecimals', 'imf', 'mmf']) }),
  shortAccount: (rng) => ({ lasts: 20_000, amount: oneOf(rng, [0, 0, 1_000, 1_900]), detail: oneOf(rng, SURVIVABLE_PARTS) }),
  decimals: (rng) => ({ lasts: 40_000, amount: oneOf(rng, [-1, 1]), detail: oneOf(rng, ['priceDecimals', 'sizeDecimals']) }),
  diskFull: onDisk,
  diskBroken: onDisk,
  syncFails: onDisk,
  stateLost: (rng) => ({ detail: oneOf(rng, LOSSES), amount: oneOf(rng, [2, 10, 60]) }),
  crash: death,
  crashOnCall: deathAtCall,
  crashBeforePost: deathAtPost,
  crashAfterPost: deathAtPost,
  crashOnReply: deathAtPost,
  crashInRecovery: deathAtCall,
  pause: () => ({ lasts: 10_000 }),
  clockStep: (rng) => ({ amount: Math.round(rng.normal() * oneOf(rng, [1_500, 90_000, 7_200_000])) }),
  sleep: (rng) => ({ span: 20_000 + rng.below(55_001) }),
  wallStep: (rng) => ({ amount: Math.round(rng.normal() * oneOf(rng, [1_500, 90_000, 7_200_000])) }),
  throws: () => ({ lasts: 20_000 }),
  rejects: () => ({ lasts: 20_000 }),
  second: () => ({}),
  hand: (rng) => ({ lasts: 20_000, detail: oneOf(rng, ['rests', 'takes', 'cancels']) }),
  rival: (rng) => ({
    lasts: 30_000,
    amount: oneOf(rng, [500, 2_000, 5_000]),
    detail: oneOf(rng, ['quotes', 'mimics', 'takes', 'cancels']),
  }),
  latch: (rng) => ({ detail: oneOf(rng, ['close-only', 'cancel-all', 'flatten']) }),
  frameLost: onTheLine,
  frameRepeated: onTheLine,
  frameSwapped: onTheLine,
  frameLate: (rng) => ({ ...onTheLine(rng), amount: oneOf(rng, [200, 2_000, 20_000]) }),
  frameCut: onTheLine,
  lineCut: () => ({}),
  lineSilent: () => ({ lasts: NETWORK }),
};

/** One of several servers answers, and some of them are behind by up to five seconds. */
const AT_HYPERLIQUID: { readonly [Kind in DrawnKind]?: Draw } = {
  lag: (rng) => ({
    lasts: 30_000,
    path: oneOf(rng, ['account', 'trades']),
    amount: oneOf(rng, [500, 2_000, 4_750]),
    chance: oneOf(rng, [0.5, 1]),
  }),
};

const OWN_TERMS: Readonly<Record<ExchangeName, typeof AT_HYPERLIQUID>> = { hosted: {}, hyperliquid: AT_HYPERLIQUID };

function poisson(rng: Rng, mean: number): number {
  let count = 0;
  for (let left = rng.exponential(1); left < mean; left += rng.exponential(1)) count++;
  return count;
}
