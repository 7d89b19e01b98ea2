// What `create` of a strategy is called with in a test.
import { rngFrom } from '../base/rng.ts';
import type { Tools } from '../strategy/contract.ts';
import { type Memory, memoryText } from '../strategy/memory.ts';

/** Tools for `strategy.create` in a test that calls its decider itself. The same seed gives the same random numbers; the memory is empty. */
export const testTools = (seed = 'test'): Tools => ({ rng: rngFrom(seed), memory: new TestMemory() });

/** A memory that can be used at any time. */
class TestMemory implements Memory {
  #text: string | undefined;

  get(): unknown {
    return this.#text === undefined ? undefined : JSON.parse(this.#text);
  }

  set(value: unknown): void {
    this.#text = memoryText(value);
  }
}
