// Gate: stops a market while its data is too old, failing or stuck.
import { z } from 'zod';
import type { Millis } from '../../../base/clock.ts';
import { amount } from '../../../base/files/amount.ts';
import type { StreamName } from '../../domain/event.ts';
import type { Market } from '../../domain/market.ts';
import type { Fault, Seen } from '../../world/seen.ts';
import type { World } from '../../world/world.ts';
import { gateKind } from '../guard.ts';

const limits = z.strictObject({
  bookMs: amount({ preset: 3_000 }),
  infoMs: amount({ preset: 5_000 }),
  accountMs: amount({ preset: 5_000 }),
  engineTimeMs: amount({ preset: 30_000 }),
  /** After this long without good data, resting orders are cancelled. */
  withdrawAfterMs: amount({ preset: 30_000 }),
});

/** Returns the age of a book beyond which a market is not traded, from a configuration's limits. */
export const bookAgeLimit = (blocks: Readonly<Record<string, unknown>>): Millis => limits.parse(blocks['data-age'] ?? {}).bookMs;

/** The streams that a market needs to be traded. */
const NEEDED: ReadonlySet<StreamName> = new Set(['book', 'info', 'account', 'time', 'session', 'listing']);

export const dataAge = gateKind({
  name: 'data-age',
  limits,
  passesUntil: (most) => (market, world) => {
    const ofMarket = Math.min(oldAfter(world.book(market.id), most.bookMs), oldAfter(world.info(market.id), most.infoMs));
    return Math.min(ofMarket, oldAfter(world.account, most.accountMs), oldAfter(world.engineTime, most.engineTimeMs));
  },
  check: (most) => (market, world) => {
    const changed = termsFault(market, world);
    if (changed !== undefined) return { kind: 'withdraw', reason: changed };
    const faults = faultsOf(market, world, most);
    const [first] = faults;
    if (first === undefined) return undefined;
    const since = Math.min(...faults.map((fault) => fault.since));
    return { kind: world.now - since > most.withdrawAfterMs ? 'withdraw' : 'hold', reason: first.reason };
  },
});

/**
 * Returns why the market's decimals have changed since the start of the run; undefined if not. Resting orders are then cancelled at once, by their
 * ids.
 */
function termsFault({ id }: Market, world: World): string | undefined {
  for (const { stream, market, reason } of world.unhealthy()) if (stream === 'listing' && market === id) return reason;
  return world.termsFault(id)?.reason;
}

const NONE: readonly Fault[] = [];

/** Returns all faults. The first is reported; stream faults come first, because they include the reason. */
function faultsOf(market: Market, world: World, most: z.infer<typeof limits>): readonly Fault[] {
  const book = tooOld('order book', world.book(market.id), world, most.bookMs);
  const info = tooOld('live info', world.info(market.id), world, most.infoMs);
  const account = tooOld('account', world.account, world, most.accountMs);
  const time = tooOld('engine time', world.engineTime, world, most.engineTimeMs);
  let faults = NONE;
  for (const { stream, market: failing, reason, at } of world.unhealthy()) {
    if (NEEDED.has(stream) && (failing === undefined || failing === market.id)) faults = [...faults, { reason, since: at }];
  }
  const own = world.accountFault;
  if (own ?? book ?? info ?? account ?? time) {
    faults = [...faults, ...[own, book, info, account, time].filter((fault) => fault !== undefined)];
  }
  return faults;
}

const oldAfter = (seen: Seen<unknown> | undefined, most: Millis): Millis => (seen?.asked ?? -Infinity) + most;

/** Returns the fault if the value is missing or too old. Age counts from the start of the request, so a slow answer is old when it arrives. */
function tooOld(what: string, seen: Seen<unknown> | undefined, world: World, most: Millis): Fault | undefined {
  if (seen === undefined) return { reason: `no ${what} seen yet`, since: world.began };
  const { jumped } = world;
  if (jumped !== undefined && seen.asked < jumped.at)
    return { reason: `the ${what} was requested before the clock jumped by ${(jumped.by / 1000).toFixed(1)} s`, since: jumped.at };
  const age = world.now - seen.asked;
  if (age <= most) return undefined;
  return { reason: `the ${what} is more than ${most / 1000} s old`, since: seen.asked };
}
