// Nothing is decided on data that is too old, failing or standing still.
import { z } from 'zod';
import type { Millis } from '../../base/clock.ts';
import type { StreamName } from '../../domain/event.ts';
import type { Market } from '../../domain/market.ts';
import type { Seen, World } from '../../world/world.ts';
import { amount } from '../amount.ts';
import { gateKind } from '../guard.ts';

const limits = z.strictObject({
  bookMs: amount({ preset: 3_000 }),
  infoMs: amount({ preset: 5_000 }),
  accountMs: amount({ preset: 5_000 }),
  engineTimeMs: amount({ preset: 30_000 }),
  /** After so long without sound data what rests is cancelled. */
  withdrawAfterMs: amount({ preset: 30_000 }),
});

/** The streams without which a market is not traded. */
const NEEDED: ReadonlySet<StreamName> = new Set(['book', 'info', 'account', 'time', 'session']);

export const dataAge = gateKind({
  name: 'data-age',
  limits,
  check: (most) => (market, world) => {
    const fault = oldest(market, world, most) ?? world.accountFault ?? sickStream(market, world);
    if (fault === undefined) return undefined;
    const blindFor = world.now - Math.min(world.book(market.id)?.asked ?? world.now, world.account?.asked ?? world.now);
    return { kind: blindFor > most.withdrawAfterMs ? 'withdraw' : 'hold', reason: fault };
  },
});

function oldest(market: Market, world: World, most: z.infer<typeof limits>): string | undefined {
  return (
    tooOld('order book', world.book(market.id), { now: world.now, most: most.bookMs }) ??
    tooOld('live info', world.info(market.id), { now: world.now, most: most.infoMs }) ??
    tooOld('account', world.account, { now: world.now, most: most.accountMs }) ??
    tooOld('engine time', world.engineTime, { now: world.now, most: most.engineTimeMs })
  );
}

/** Age counts from the start of the request: an answer that took long is old when it comes. */
function tooOld(what: string, seen: Seen<unknown> | undefined, { now, most }: { now: Millis; most: Millis }): string | undefined {
  if (seen === undefined) return `no ${what} seen yet`;
  const age = now - seen.asked;
  return age > most ? `the ${what} is ${(age / 1000).toFixed(1)} s old; at most ${most / 1000} s is allowed` : undefined;
}

function sickStream(market: Market, world: World): string | undefined {
  for (const { stream, market: of, reason } of world.unhealthy()) {
    if (NEEDED.has(stream) && (of === undefined || of === market.id)) return reason;
  }
  return undefined;
}
