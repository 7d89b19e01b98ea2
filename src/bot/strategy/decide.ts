// Calls the strategy with its view of the world; its errors are reported with its name, file and line.

import type { Millis } from '../../base/clock.ts';
import { AssertionError, messageOf, type Place, placeText, UserError } from '../../base/errors.ts';
import type { Rng } from '../../base/rng.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Intent } from '../domain/intent.ts';
import type { Market } from '../domain/market.ts';
import type { LogRecord } from '../domain/turn.ts';
import type { World } from '../world/world.ts';
import type { Decide, Params, Strategy } from './contract.ts';
import { inputsOf } from './inputs.ts';
import { authorPlace, isThrownByAuthor } from './loading/place.ts';
import { LogBuffer } from './log.ts';
import { checkKinds } from './markets.ts';
import { TurnMemory } from './memory.ts';
import { CandleCalls, everyOf, historyOf, WarmUp } from './schedule.ts';
import { viewer } from './view/view.ts';

/** An error in the strategy: the run cancels everything and stops. */
export class StrategyError extends Error {
  override readonly name = 'StrategyError';
  readonly strategy: string;
  readonly place: Place | undefined;

  constructor({ strategy, cause }: { strategy: string; cause: unknown }) {
    const place = authorPlace(cause);
    super(`strategy ${strategy} failed${place === undefined ? '' : ` at ${placeText(place)}`}: ${messageOf(cause)}`, { cause });
    this.strategy = strategy;
    this.place = place;
  }
}

/**
 * Asks a strategy for its intents. Returns none before the account has been seen, so every view has an account. An error of the strategy becomes a
 * `StrategyError`; a `UserError` passes unchanged.
 */
export interface Decider {
  (world: World, open: ReadonlySet<MarketId>): readonly Intent[];
  /** Returns the strategy's log since the last call; undefined if empty. */
  readonly takeLogs?: (() => readonly LogRecord[] | undefined) | undefined;
  /** The wait for the strategy's history; absent if it wants none. */
  readonly warmUp?: WarmUp | undefined;
}

/** Creates a strategy and returns its decider. Throws as the decider does. */
export const deciderOf = <P extends Params>(
  strategy: Strategy<P>,
  params: P,
  { rng, markets, longestDelay }: { rng: Rng; markets: readonly Market[]; longestDelay?: Millis | undefined },
): Decider => createdDecider(strategy, params, rng, longestDelay)(markets);

/**
 * Creates a strategy at once, and its decider when the markets are known. `longestDelay`: how long a call with `every` waits for held markets; default a
 * minute.
 */
export function createdDecider<P extends Params>(
  strategy: Strategy<P>,
  params: P,
  rng: Rng,
  longestDelay?: Millis,
): (markets: readonly Market[]) => Decider {
  const memory = new TurnMemory();
  const log = new LogBuffer();
  const declared = <Value>(value: () => Value): Value => orStrategyError(strategy.name, value);
  const inputs = declared(() => inputsOf(strategy, params));
  const decide = declared(() => strategy.create(params, { rng, memory, log }));
  const [wanted, every] = declared(() => [historyOf(strategy, params), everyOf(strategy, params)]);
  return (markets) => {
    checkKinds(markets, strategy.kinds?.(params) ?? {}, strategy.name);
    const everyTurn = deciding(decide, { name: strategy.name, memory, log, viewOf: viewer(markets, inputs) });
    const called = every === undefined ? everyTurn : onCandles(everyTurn, new CandleCalls(every, longestDelay));
    return wanted.length === 0 ? called : afterWarmUp(called, new WarmUp(wanted));
  };
}

/** Calls the strategy only when a candle has finished; otherwise returns the last intents. */
function onCandles(decide: Decider, calls: CandleCalls): Decider {
  let standing = NOTHING;
  const called: Decider = (world, open) => {
    if (world.account !== undefined && calls.isDue(world, open)) standing = decide(world, open);
    return standing;
  };
  return Object.assign(called, { takeLogs: decide.takeLogs });
}

/** Calls the strategy only after its history is complete. */
const afterWarmUp = (decide: Decider, warmUp: WarmUp): Decider =>
  Object.assign((...asked: Parameters<Decider>) => (warmUp.isComplete(asked[0]) ? decide(...asked) : NOTHING), {
    takeLogs: decide.takeLogs,
    warmUp,
  });

interface Deciding {
  readonly name: string;
  readonly memory: TurnMemory;
  readonly log: LogBuffer;
  readonly viewOf: ReturnType<typeof viewer>;
}

function deciding(decide: Decide, { name, memory, log, viewOf }: Deciding): Decider {
  const intentsOf = (world: World, open: ReadonlySet<MarketId>): readonly Intent[] => {
    if (world.account === undefined) return NOTHING;
    try {
      memory.begin(world);
      return checkedIntents(decide(viewOf(world, open)), world);
    } catch (error) {
      throw strategyError(name, error);
    } finally {
      memory.end();
    }
  };
  return Object.assign(intentsOf, { takeLogs: () => log.take() });
}

const NOTHING: readonly Intent[] = [];

function orStrategyError<Value>(strategy: string, value: () => Value): Value {
  try {
    return value();
  } catch (error) {
    throw strategyError(strategy, error);
  }
}

/**
 * Converts an error that nothing caught, such as a rejection without a handler. It becomes an error of the strategy if its stack names a file of the
 * author's, or if it comes from the global `fetch`, which only a strategy can have called: the stack of that error names no file if the call was not awaited.
 */
export const asStrategyError = (thrown: unknown, strategy: string): unknown =>
  authorPlace(thrown) === undefined && !isOfGlobalFetch(thrown) ? thrown : strategyError(strategy, thrown);

/** On Node 26 the stack of its error has no line. */
const isOfGlobalFetch = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  ((thrown.stack ?? '').includes('node:internal/deps/undici/') || (thrown.message === 'fetch failed' && !thrown.stack?.includes('\n')));

function strategyError(strategy: string, cause: unknown): unknown {
  if (cause instanceof AssertionError) return cause;
  return cause instanceof UserError ? withPlace(cause) : new StrategyError({ strategy, cause });
}

/** Adds where the author called the function of ours that threw the error. */
function withPlace(error: UserError): UserError {
  const place = isThrownByAuthor(error) ? undefined : authorPlace(error);
  if (place === undefined) return error;
  const { code, message, hint, stack } = error;
  return Object.assign(new UserError({ code, message, hint, place }), { stack });
}

/** Checks what the strategy returned, because not every author has a type checker. */
function checkedIntents(wanted: readonly Intent[], { markets }: World): readonly Intent[] {
  if (!Array.isArray(wanted))
    throw new Error(`it returned ${nameOf(wanted)}; a list of results of quote(), target() and exits is expected`);
  for (let rank = 0; rank < wanted.length; rank++) {
    const intent = wanted[rank]!;
    const market = markets.get(intent?.market);
    if (market === undefined)
      throw new Error(`it returned a list that contains ${nameOf(intent)}; only results of quote(), target() and exits are allowed`);
    for (let earlier = 0; earlier < rank && intent.kind !== 'exit'; earlier++) {
      if (wanted[earlier]!.market !== market.id || wanted[earlier]!.kind === 'exit') continue;
      throw new Error(`it returned two intents for ${market.symbol}; return one quote or target for each market`);
    }
  }
  return wanted;
}

function nameOf(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  return value === undefined || value === null
    ? String(value)
    : typeof value === 'object'
      ? 'an object of another kind'
      : `a ${typeof value}`;
}
