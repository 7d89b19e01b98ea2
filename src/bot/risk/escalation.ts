// Decides when the bot makes its own mode stricter.

import type { Command } from '../domain/event.ts';
import { isStricter } from '../domain/mode.ts';
import { ACCEPTED_AFTER } from '../world/orders/proof.ts';
import type { World } from '../world/world.ts';
import type { ModeWanted, Stop } from './stop.ts';

/**
 * Returns the command that resets the stops after a person has resumed the run: a stop whose limit is still passed would act again on the same loss.
 * Undefined without a resume, and until the loss is known.
 */
export function countAnew(world: World, stops: readonly Stop[], at: Command['at']): Command | undefined {
  const { isResumed, isSteady } = world.accounting.losses;
  if (!isResumed || !isSteady) return undefined;
  const passed = stops.filter((stop) => stop.check(world) !== undefined).map(({ name }) => name);
  return { kind: 'command', at, command: 'count-anew', stops: passed, reason: 'a person has resumed the run after a stop by loss' };
}

/**
 * Returns the strictest requested mode and its reason if it is stricter than the current mode, else undefined. Only a person can undo a mode, so a stop
 * by loss acts only while our fills and two accounts agree; until then a gate or a guard holds.
 */
export function modeWanted(world: World, stops: readonly Stop[] = []): ModeWanted | undefined {
  let wanted = closeOnly(world);
  if (world.accounting.losses.isResumed || !world.binding.isConfirmed) return wanted;
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
  if (world.binding.failing === 'confirmed') {
    if (world.account?.value.margins.bankruptcy === true) return 'the exchange reports the account as bankrupt';
    return 'the account is worth less than its maintenance margin (mf below mmf)';
  }
  for (const { stream, reason } of world.unhealthy()) if (stream === 'key') return reason;
  for (const { id, symbol } of world.perps) {
    const fault = world.unexplained(id);
    if (fault !== undefined && world.now - fault.since > ACCEPTED_AFTER) return `${symbol}: ${fault.reason}`;
  }
  return undefined;
}
