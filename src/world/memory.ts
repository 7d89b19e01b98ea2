// What a run remembers from turn to turn and across restarts: JSON by name. Changes are part of the record of their turn.

/** JSON values by the name of the part that remembers them. */
export type Memories = Readonly<Record<string, unknown>>;

export class RunMemory {
  /** As JSON text, so that a change by a holder of the value changes nothing here. */
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

  /** Calls `act`. If it throws, nothing that it has set is kept. */
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

  /** What has changed since the last call; undefined if nothing has. */
  takeChanges(): Memories | undefined {
    if (this.#changed.size === 0) return undefined;
    const changed = this.#changed;
    this.#changed = new Set();
    return Object.fromEntries([...changed].map((name) => [name, this.get(name)]));
  }
}
