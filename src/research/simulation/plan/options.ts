// What a seed decides besides its faults: the undocumented rules of the exchange, the speed of everything, and which faults may happen.
import type { Millis } from '../../../base/clock.ts';
import { type Rng, rngFrom } from '../../../base/rng.ts';
import type { Polling } from '../../../bot/exchange/kit/streams/polling.ts';
import { pollPlan } from '../../../bot/exchange/kit/streams/polling.ts';
import type { Venue } from '../../../bot/exchange/port.ts';
import type { RecordedInputs } from '../../../bot/run/inputs/recorded.ts';
import { RULES as HYPERLIQUID } from '../../../venues/hyperliquid/rules.ts';
import type { DrawnKind } from './faults.ts';
import { DEFAULT_EXCHANGE, type ExchangeName, kindsOf, streamKindsOf, survivableOn } from './faults-by-exchange.ts';

/** The other traders of a simulated market. */
export interface ThinMarketOptions {
  /** Steps of 100 ms between two decisions of each trader. */
  readonly every: number;
  /** Standard deviation of the index between two decisions, in basis points. */
  readonly volatility: number;
  /** Chance of a taker's order at each decision. */
  readonly takes: number;
}

/**
 * `calm`: no faults. `smoke`: a few mild faults. `swarm`: a random choice of kinds, from rare to frequent. `rollback`: the same, and the exchange
 * loses what it has confirmed. `crash`: only deaths, at each call in turn. `liar`: answers that are wrong for 5 to 120 s, in a third of the seeds with
 * a few other faults.
 */
export const PROFILES = ['calm', 'smoke', 'swarm', 'rollback', 'crash', 'liar'] as const;
export type Profile = (typeof PROFILES)[number];

/** Rules of the exchange that its documentation leaves open. The bot must work with each. */
export interface ExchangeRules {
  /** What makes two actions duplicates. */
  readonly duplicatesBy: 'bytes' | 'stamp';
  /** From when a remembered action is dropped after its 60 s. */
  readonly duplicatesAgedBy: 'timestamp' | 'arrival';
  readonly duplicateFirst: boolean;
  readonly forgetsFailed: boolean;
  readonly restartForgets: boolean;
  readonly sessionsEndAtRestart: boolean;
  /** The delay of a queue before the engine, and when the engine checks the timestamp. */
  readonly queueMs: Millis;
  readonly timeCheckedAt: 'arrival' | 'execution';
  readonly timestampUnit: 's' | 'ms';
  readonly receipts: 'full' | 'withoutOrderId' | 'bare';
  readonly sessionSeconds: number;
}

/** How the exchange sends frames. */
export interface StreamRules {
  /** The time between two looks at what has changed. */
  readonly everyMs: Millis;
  /** True if it also looks after each answer, so that no poll shows a state between two frames. */
  readonly atOnce: boolean;
}

/** What a strategy gets besides the exchange. */
export interface StrategyData {
  /** Candles from before the start. If absent, a strategy gets what the exchange has. */
  readonly history?: Venue['history'];
  /** Values of the strategy's inputs, and their failures. */
  readonly inputs?: RecordedInputs;
}

/** When every simulation begins. */
export const SIMULATION_START = Date.parse('2026-01-05T12:00:00Z');
/** Within this time after the last fault, all that was unknown must be known. */
export const LIVENESS: Millis = 120_000;
/** The time in which everything still in flight arrives. */
export const LAST_ARRIVALS: Millis = 125_000;

export interface Options {
  readonly seed: string;
  /** The hosted exchange if absent. */
  readonly exchange?: Exclude<ExchangeName, 'hosted'>;
  readonly profile: Profile;
  /** A built-in strategy, or a path. */
  readonly strategy: string;
  /** When all faults end, since the start of the run. */
  readonly faultyMs: Millis;
  readonly polling: Polling;
  /** Each way: the least, and the mean of what is added to it. */
  readonly latency: { readonly leastMs: Millis; readonly meanMs: Millis };
  /** How far the first process's clock is ahead of the exchange's. */
  readonly clockOffsetMs: Millis;
  readonly rules: ExchangeRules;
  readonly signatures: 'ed25519' | 'keyedHash';
  readonly crowd: ThinMarketOptions;
  /** Quote money, for each market: the limit of the position guard. */
  readonly maxPosition: number;
  /** The position of the account in the first perpetual market when the run begins, as a signed share of `maxPosition`; flat if absent. */
  readonly opening?: number;
  /** The time between two payments of funding; an hour if absent. */
  readonly fundingMs?: Millis;
  /** Which kinds may happen, and how many of each in an hour. */
  readonly faults: { readonly kinds: readonly DrawnKind[]; readonly anHour: number };
  /** If absent, the bot polls alone. */
  readonly streams?: StreamRules;
}

export interface SeedOptions {
  readonly seed: string;
  readonly profile: Profile;
  readonly strategy: string;
  readonly exchange?: ExchangeName | undefined;
  /** The bot also listens to the websocket of the exchange. Changes nothing else. */
  readonly streams?: true | undefined;
}

export function optionsOf({ streams, exchange = 'hosted', ...given }: SeedOptions): Options {
  const options = exchange === DEFAULT_EXCHANGE ? polledOptionsOf(given) : onHyperliquid(drawnOptionsOf({ ...given, exchange }));
  return streams === undefined ? options : withStreams(options);
}

function withStreams(options: Options): Options {
  const { seed, profile, faults, exchange = DEFAULT_EXCHANGE } = options;
  const rng = rngFrom(seed).fork('streams');
  const rules = { everyMs: oneOf(rng, [100, 100, 300, 1_000]), atOnce: rng.next() < 0.5 };
  if (profile === 'calm' || profile === 'crash') return { ...options, streams: rules };
  const kinds = streamKindsOf(exchange).filter((kind) => rng.fork(kind).next() < STREAM_SHARE);
  return { ...options, streams: rules, faults: { ...faults, kinds: [...faults.kinds, ...kinds] } };
}

/** The share of the kinds of stream faults that a run has. */
const STREAM_SHARE = 0.6;

/** Receipts of Hyperliquid are always full, and polls keep to the intervals that it allows. */
const onHyperliquid = (options: Options): Options => ({
  ...options,
  exchange: 'hyperliquid',
  polling: pollPlan(options.polling, 1, HYPERLIQUID.polling).intervals,
  rules: { ...options.rules, receipts: 'full' },
});

function polledOptionsOf(given: Omit<SeedOptions, 'streams' | 'exchange'>): Options {
  const options = drawnOptionsOf(given);
  return given.profile === 'liar' ? withLies(options) : options;
}

/** Kinds of which a few may strike beside lies: they lose answers and processes, and give the bot no cause to stop trading. */
const BESIDE_LIES: readonly DrawnKind[] = [
  'dropRequest',
  'dropReply',
  'delayReply',
  'refuse',
  'partition',
  'status',
  'crash',
  'crashAfterPost',
  'crashOnReply',
  'crashInRecovery',
  'pause',
];
const WITH_OTHER_FAULTS = 1 / 3;

/** Fast polls, traders that trade often, and limits that are reached: a lie of 5 s must meet orders and fills. */
function withLies(options: Options): Options {
  const rng = rngFrom(options.seed).fork('lies');
  const isLossy = rng.next() < WITH_OTHER_FAULTS;
  return {
    ...options,
    polling: pollingOf(rng.fork('polling'), [700, 1_000, 2_000]),
    crowd: { every: 10, volatility: 1 + 2 * rng.next(), takes: 0.2 + 0.15 * rng.next() },
    maxPosition: oneOf(rng, [1_500, 4_000]),
    signatures: 'ed25519', // as `kill` signs
    rules: { ...options.rules, receipts: 'full' }, // receipts are the witness that stays right
    faults: { kinds: isLossy ? BESIDE_LIES.filter((kind) => rng.fork(kind).next() < 0.4) : [], anHour: 20 },
  };
}

function drawnOptionsOf({ seed, profile, strategy, exchange = 'hosted' }: Omit<SeedOptions, 'streams'>): Options {
  const rng = rngFrom(seed).fork('options');
  const calm = profile === 'calm' || profile === 'crash';
  return {
    seed,
    profile,
    strategy,
    faultyMs: oneOf(rng.fork('span'), FAULTY_MS[profile]),
    polling: pollingOf(rng.fork('polling')),
    latency: { leastMs: 2 + rng.below(60), meanMs: 1 + rng.below(80) },
    clockOffsetMs: rng.next() < 0.5 ? 0 : Math.round(rng.normal() * oneOf(rng, [2_000, 120_000, 86_400_000])),
    rules: rulesOf(rng.fork('rules'), calm),
    signatures: profile === 'calm' || profile === 'smoke' || rng.fork('signatures').next() < REALLY_SIGNED ? 'ed25519' : 'keyedHash',
    crowd: { every: oneOf(rng, [10, 20, 30]), volatility: 0.5 + 3 * rng.next(), takes: 0.05 + 0.3 * rng.next() },
    maxPosition: oneOf(rng, [1_500, 4_000, 50_000]),
    ...openingOf(rngFrom(seed).fork('opening'), profile),
    ...(rngFrom(seed).fork('funding').next() < OFTEN_PAID && { fundingMs: FUNDING_MS }),
    faults: calm ? { kinds: [], anHour: 0 } : faultsOf(rng.fork('faults'), { profile, kinds: survivableOn(exchange) }),
  };
}

/** The share of the runs in which funding is paid often: they are much shorter than an hour. */
const OFTEN_PAID = 0.5;
const FUNDING_MS: Millis = 20_000;

/** The share of the runs with many faults whose account holds something before. */
const HOLDS_BEFORE = 0.3;

const openingOf = (rng: Rng, profile: Profile): Pick<Options, 'opening'> =>
  profile === 'swarm' && rng.next() < HOLDS_BEFORE ? { opening: oneOf(rng, [-0.5, -0.2, 0.1, 0.4]) } : {};

/** The share of the `swarm`, `rollback` and `crash` runs that use real signatures. */
const REALLY_SIGNED = 1 / 8;

const FAULTY_MS: Readonly<Record<Profile, readonly Millis[]>> = {
  calm: [300_000],
  smoke: [300_000],
  swarm: [150_000, 300_000, 600_000, 900_000],
  rollback: [150_000, 300_000, 600_000, 900_000],
  crash: [20_000],
  liar: [240_000, 360_000],
};

/** Slow polls are cheap; fast ones find other races. */
const INTERVALS: readonly Millis[] = [300, 1_000, 2_000, 3_000, 4_000, 5_000];

function pollingOf(rng: Rng, intervals = INTERVALS): Polling {
  const base = oneOf(rng, intervals);
  const about = (factor: number): Millis => Math.round(base * factor * (0.75 + rng.next() / 2));
  return {
    orderBookMs: about(1),
    accountMs: about(1),
    fillsMs: about(1),
    tradesMs: about(2),
    liveMs: about(1.3),
    timeMs: about(1),
    requestsPerSecond: 50,
  };
}

function rulesOf(rng: Rng, calm: boolean): ExchangeRules {
  return {
    duplicatesBy: oneOf(rng, ['bytes', 'stamp'] as const),
    duplicatesAgedBy: oneOf(rng, ['timestamp', 'arrival'] as const),
    duplicateFirst: rng.next() < 0.5,
    forgetsFailed: rng.next() < 0.5,
    restartForgets: rng.next() < 0.5,
    sessionsEndAtRestart: rng.next() < 0.5,
    queueMs: calm || rng.next() < 0.6 ? 0 : 20 + rng.below(800),
    timeCheckedAt: oneOf(rng, ['arrival', 'execution'] as const),
    timestampUnit: oneOf(rng, ['s', 'ms'] as const),
    receipts: oneOf(rng, ['full', 'full', 'withoutOrderId', 'bare'] as const),
    sessionSeconds: oneOf(rng, [86_400, 86_400, 600, 120]),
  };
}

function faultsOf(rng: Rng, { profile, kinds: all }: { profile: Profile; kinds: readonly DrawnKind[] }): Options['faults'] {
  if (profile === 'smoke') return { kinds: chosen(rng, { share: 0.25, all }), anHour: 20 };
  const kinds = chosen(rng, { share: oneOf(rng, [0.1, 0.3, 0.6]), all });
  return { kinds: profile === 'rollback' ? [...kinds, 'rollback'] : kinds, anHour: 4 * 20 ** rng.next() };
}

/** Draws each kind with this chance; at least one. */
const chosen = (rng: Rng, { share, all }: { share: number; all: readonly DrawnKind[] }): readonly DrawnKind[] => {
  const some = all.filter((kind) => rng.fork(kind).next() < share);
  return some.length > 0 ? some : [oneOf(rng, all)];
};

export function oneOf<T>(rng: Rng, values: readonly T[]): T {
  return values[rng.below(values.length)] as T;
}

/** Everything that the seed decided, for a person. */
export function optionsText({ seed, polling, latency, rules, crowd, faults, streams, ...rest }: Options): string {
  const flat = {
    ...rest,
    ...(streams && { framesEvery: streams.everyMs, framesAtOnce: streams.atOnce }),
    book: polling.orderBookMs,
    account: polling.accountMs,
    ...latency,
    ...rules,
    ...crowd,
  };
  const words = Object.entries(flat).map(([name, value]) => `${name}=${typeof value === 'number' ? Number(value.toFixed(2)) : value}`);
  const kinds = faults.kinds.length === kindsOf(rest.exchange ?? 'hosted').length ? 'all' : faults.kinds.join(',');
  return `seed=${seed} ${words.join(' ')} faults=${kinds || 'none'} anHour=${faults.anHour.toFixed(1)}`;
}
