// The lowest and highest fee rate that the exchange has listed since the run began. The run remembers them: after a change of the rates, and after a
// restart, a trade from before the change still has the fee of its time.
import type { Account } from '../../domain/account.ts';
import type { RunMemory } from '../memory.ts';

const NAME = 'fee-range';

type Range = NonNullable<Account['feeRange']>;

export class FeeRange {
  readonly #memory: RunMemory;
  #newest: Range | undefined;
  #widest: Range | undefined;

  constructor(memory: RunMemory) {
    this.#memory = memory;
  }

  /** As fractions of the notional; undefined if the exchange lists no tiers. */
  get widest(): Range | undefined {
    return this.#widest;
  }

  /** Takes the rates that are listed now. Returns true if the range became wider. */
  listed(range: Range | undefined): boolean {
    if (range === undefined || range === this.#newest) return false;
    this.#newest = range;
    const before = this.#widest ?? (this.#memory.get(NAME) as Range | undefined);
    const lowest = Math.min(range.lowest, before?.lowest ?? range.lowest);
    const highest = Math.max(range.highest, before?.highest ?? range.highest);
    const isWider = this.#widest === undefined || lowest < this.#widest.lowest || highest > this.#widest.highest;
    if (!isWider) return false;
    this.#widest = { lowest, highest };
    this.#memory.set(NAME, JSON.stringify(this.#widest));
    return true;
  }
}
