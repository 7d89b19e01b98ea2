// The memory of a strategy: JSON that is saved with each turn, and restored at a restart and in a replay.
import { UserError } from '../../base/errors.ts';
import { jsonFault } from '../domain/json.ts';
import type { World } from '../world/world.ts';

/** Maximum size of the memory, in bytes of its JSON text in UTF-8. */
const MAX_BYTES = 64 * 1024;
const NAME = 'strategy';

/** A strategy's own memory. Empty when a run begins; survives a restart with the same state directory. */
export interface Memory {
  /** Returns a copy of the last value set; undefined if none was set. Throws a `UserError` outside a turn, such as in `create`. */
  get(): unknown;
  /**
   * Replaces the whole memory. Throws a `UserError` for a value that is not JSON (numbers, texts, booleans, null, lists and plain objects of them), for
   * one of more than 64 KB, and outside a turn.
   */
  set(value: unknown): void;
}

/** The memory of the world of the turn that is being decided. */
export class TurnMemory implements Memory {
  #world: World | undefined;

  get(): unknown {
    return this.#inTurn().memory.get(NAME);
  }

  set(value: unknown): void {
    this.#inTurn().memory.set(NAME, memoryText(value));
  }

  /** From now until `end`, it is the memory of that world. */
  begin(world: World): void {
    this.#world = world;
  }

  end(): void {
    this.#world = undefined;
  }

  #inTurn(): World {
    if (this.#world !== undefined) return this.#world;
    throw wrong('it was used outside a turn', 'call memory.get() and memory.set() in the function that create returns');
  }
}

/** Returns the JSON text of a value. Throws a `UserError` if the value is not JSON, or too large for a memory. */
export function memoryText(value: unknown): string {
  const fault = jsonFault(value, 'the value');
  if (fault !== undefined)
    throw wrong(`${fault}, which is not JSON`, 'keep numbers, texts, booleans, null, lists and plain objects of them');
  const text = JSON.stringify(value);
  const size = Buffer.byteLength(text);
  if (size > MAX_BYTES)
    throw wrong(`the value has ${size} bytes of JSON; at most ${MAX_BYTES} are kept`, 'keep sums rather than histories');
  return text;
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'strategy', message: `memory: ${message}`, hint });
