// Decides when the bot makes its own mode stricter.
import type { Millis } from '../base/clock.ts';
import type { Command } from '../domain/event.ts';
import { isStricter } from '../domain/mode.ts';
import type { World } from '../world/world.ts';
import type { ModeWanted, Stop } from './stop.ts';

/** How long a position may be unexplained: trades are listed late, and a transfer between two of our accounts takes time. */
export const UNEXPLAINED_FOR: Millis = 60_000;

/**
 * Returns the command that resets the stops after a person has resumed the run: a stop whose limit is still passed would act again on the same loss.
 * Undefined without a resume, and until the loss is known.
 */
export function countAnew(world: World, stops: readonly Stop[], at: Millis): Command | undefined {
  const { isResumed, isSteady } = world.accounting.losses;
  if (!isResumed || !isSteady) return undefined;
  const passed = stops.filter((stop) => stop.check(world) !== undefined).map(({ name }) => name);
  return { kind: 'command', at, command: 'count-anew', stops: passed, reason: 'a person has resumed the run after a stop by loss' };
}

/** Returns the strictest requested mode and its reason if it is stricter than the current mode, else undefined. */
export function modeWanted(world: World, stops: readonly Stop[] = []): ModeWanted | undefined {
  let wanted = closeOnly(world);
  if (world.accounting.losses.isResumed) return wanted;
  for (const stop of stops) {
    const found = stop.check(world);
    if (found === undefined || !isStricter(found.mode, wanted?.mode ?? world.mode)) continue;
    wanted = { mode: found.mode, reason: found.reason, by: stop.name };
  }
  return wanted;
}

function closeOnly(world: World): ModeWanted | undefined {
  if (!isStricter('close-only', world.mode)) return undefined;
  const reason = causeIn(world);
  return reason === undefined ? undefined : { mode: 'close-only', reason };
}

function causeIn(world: World): string | undefined {
  if (world.ghosts > 0)
    return 'an order of this run appeared at the exchange after it was reported as gone, or is not known to the state of the run';
  const margins = world.account?.value.margins;
  if (margins?.bankruptcy === true) return 'the exchange reports the account as bankrupt';
  if (margins !== undefined && margins.mf < margins.mmf) return 'the account is worth less than its maintenance margin (mf below mmf)';
  for (const { id, symbol } of world.perps) {
    const fault = world.unexplained(id);
    if (fault !== undefined && world.now - fault.since > UNEXPLAINED_FOR) return `${symbol}: ${fault.reason}`;
  }
  return undefined;
}
