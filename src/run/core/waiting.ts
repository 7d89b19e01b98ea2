// Reports once a minute which candles of a strategy's history a run still waits for, and once that it has them.
import type { Millis } from '../../base/clock.ts';
import { type FindingLine, timeText } from '../../report/accounting/lines.ts';
import { missingText, type WarmUp } from '../../strategy/schedule.ts';
import type { World } from '../../world/world.ts';

const EVERY: Millis = 60_000;
/** The lines name at most so many. */
const MOST_NAMED = 3;

/** Returns a function to be called after each turn; it returns the line that is due, if any. */
export function waitingLines(warmUp: WarmUp, world: World): () => FindingLine | undefined {
  let last: Millis | undefined;
  return () => {
    if (warmUp.completeAt !== undefined || world.account === undefined || world.stopping !== undefined) return undefined;
    last ??= world.now - EVERY + FIRST; // the first answers of the exchange may bring all of it
    if (world.now - last < EVERY) return undefined;
    last = world.now;
    const missing = warmUp.missing(world).map(missingText);
    const rest = missing.length > MOST_NAMED ? `, and ${missing.length - MOST_NAMED} more` : '';
    const reason = `waiting for the strategy's history: ${missing.slice(0, MOST_NAMED).join(', ')}${rest}; it is collected meanwhile, and nothing is traded`;
    return { kind: 'finding', at: timeText(world.now), guard: 'history', verdict: 'hold', reason };
  };
}

const FIRST: Millis = 3_000;
