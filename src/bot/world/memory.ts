// The memory of a run, kept across restarts: JSON values by name. Changes are recorded with their turn.

/** JSON values by the name under which they are remembered. */
export type Memories = Readonly<Record<string, unknown>>;

export class RunMemory {
  /** JSON text, so that changing a returned value does not change the memory. */
  #texts = new Map<string, string>();
  #changed = new Set<string>();

  /** Returns a fresh copy; undefined if nothing is remembered under that name. */
  get(name: string): unknown {
    const text = this.#texts.get(name);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** `text` is JSON. */
  set(name: string, text: string): void {
    if (this.#texts.get(name) === text) return;
    this.#texts.set(name, text);
    this.#changed.add(name);
  }

  /** Calls `act`, and restores the memory if `act` throws. */
  unlessItThrows<Result>(act: () => Result): Result {
    const [texts, changed] = [new Map(this.#texts), new Set(this.#changed)];
    try {
      return act();
    } catch (error) {
      [this.#texts, this.#changed] = [texts, changed];
      throw error;
    }
  }

  /** Takes over what an earlier process of the run remembered. */
  adopt(earlier: Memories): void {
    for (const [name, value] of Object.entries(earlier)) this.#texts.set(name, JSON.stringify(value));
  }

  /** Returns the values changed since the last call; undefined if none. */
  takeChanges(): Memories | undefined {
    if (this.#changed.size === 0) return undefined;
    const changed = this.#changed;
    this.#changed = new Set();
    return Object.fromEntries([...changed].map((name) => [name, this.get(name)]));
  }
}
