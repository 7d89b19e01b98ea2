// A decider that can be replaced by newer code of the same strategy between two turns.
import type { World } from '../../world/world.ts';
import type { Decider } from '../decide.ts';
import { LogBuffer, type LogFields } from '../log.ts';

/** Newer code of a strategy, with callbacks for its acceptance or refusal. */
export interface Replacement {
  readonly decide: Decider;
  /** Called in the first turn of the new code. */
  readonly replaced: (log: LogBuffer) => void;
  /** Called if the new code threw at its first decision; the old code stays in use. */
  readonly refused: (log: LogBuffer, error: unknown) => void;
}

export interface Replaceable {
  readonly decide: Decider;
  /** Switches to the new code in the next turn in which the account is known and its history is complete, unless it throws there. */
  readonly replace: (replacement: Replacement) => void;
  /** Writes into the log of the next turn. */
  readonly warn: (text: string, fields?: LogFields) => void;
}

export function replaceable(first: Decider): Replaceable {
  const log = new LogBuffer();
  let current = first;
  let next: Replacement | undefined;
  const decide = (world: World, open: Parameters<Decider>[1]): ReturnType<Decider> => {
    if (next === undefined || world.account === undefined || next.decide.warmUp?.isComplete(world) === false) return current(world, open);
    const candidate = next;
    next = undefined;
    try {
      const intents = world.memory.unlessItThrows(() => candidate.decide(world, open));
      current = candidate.decide;
      candidate.replaced(log);
      return intents;
    } catch (error) {
      candidate.refused(log, error);
      return current(world, open);
    }
  };
  const takeLogs = (): ReturnType<NonNullable<Decider['takeLogs']>> => {
    const [ours, ofStrategy] = [log.take(), current.takeLogs?.()];
    return ours === undefined || ofStrategy === undefined ? (ours ?? ofStrategy) : [...ours, ...ofStrategy];
  };
  return {
    // `warmUp` stays that of the first code: it says whether the start of the run still waits for history; newer code replaces it only when its own is complete
    decide: Object.assign(decide, { takeLogs, warmUp: first.warmUp }),
    replace: (replacement) => void (next = replacement),
    warn: (text, fields) => log.warn(text, fields),
  };
}
