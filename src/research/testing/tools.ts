// The tools to pass to a strategy's `create` in a test.
import { rngFrom } from '../../base/rng.ts';
import type { LogRecord } from '../../bot/domain/turn.ts';
import type { Tools } from '../../bot/strategy/contract.ts';
import { LogBuffer } from '../../bot/strategy/log.ts';
import { type Memory, memoryText } from '../../bot/strategy/memory.ts';

/**
 * Tools for `strategy.create` in a test that calls the decider itself. The same seed gives the same random numbers; the memory is empty. `logged`
 * returns the strategy's log since the last call.
 */
export function testTools(seed = 'test'): Tools & { logged(): readonly LogRecord[] } {
  const log = new LogBuffer();
  return { rng: rngFrom(seed), memory: new TestMemory(), log, logged: () => log.take() ?? [] };
}

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
