// Counts turns by what came of them: one cause for each turn.
import type { Turn } from '../domain/turn.ts';

/** Number of turns by cause; they add up to all turns. A turn has the first cause that applies, in this order. */
export interface TurnsBy {
  /** Orders were placed or cancelled. */
  readonly acted: number;
  /** A guard refused or shrank an order. */
  readonly refused: number;
  /** A gate, a mode or a pause after a refusal held a market, or the strategy was not called yet. */
  readonly held: number;
  /** A size that the strategy returned is below one lot. */
  readonly belowLot: number;
  /** An input of the strategy is stale. */
  readonly staleInput: number;
  /** The strategy returned no order and no position. */
  readonly nothingReturned: number;
  /** All is as the strategy wants it. */
  readonly unchanged: number;
}

/** The fields of a summary about its turns. */
export interface TurnCounts {
  readonly turns: number;
  readonly turnsBy: TurnsBy;
  /** The turns of three causes by gate, guard and input; several of them in one turn count each. */
  readonly heldBy: Readonly<Record<string, number>>;
  readonly refusedBy: Readonly<Record<string, number>>;
  readonly staleBy: Readonly<Record<string, number>>;
}

export class TurnCauses {
  readonly #by = { acted: 0, refused: 0, held: 0, belowLot: 0, staleInput: 0, nothingReturned: 0, unchanged: 0 };
  readonly #names = { refused: new Map<string, number>(), held: new Map<string, number>(), staleInput: new Map<string, number>() };
  #turns = 0;

  add({ actions, idle }: Pick<Turn, 'actions' | 'idle'>): void {
    this.#turns += 1;
    this.#by[actions.length > 0 ? 'acted' : (idle?.kind ?? 'unchanged')] += 1;
    if (idle === undefined || !('by' in idle)) return;
    const names = this.#names[idle.kind];
    for (const name of idle.by) names.set(name, (names.get(name) ?? 0) + 1);
  }

  counts(): TurnCounts {
    const { held, refused, staleInput } = this.#names;
    return {
      turns: this.#turns,
      turnsBy: { ...this.#by },
      heldBy: Object.fromEntries(held),
      refusedBy: Object.fromEntries(refused),
      staleBy: Object.fromEntries(staleInput),
    };
  }
}

/** `nothing returned 680, refused 12 (margin 12), acted 3`: the most frequent first, without those that never occurred. */
export function turnsWords({ turnsBy, heldBy, refusedBy, staleBy }: Omit<TurnCounts, 'turns'>): string {
  const by: Partial<Record<keyof TurnsBy, TurnCounts['heldBy']>> = { held: heldBy, refused: refusedBy, staleInput: staleBy };
  return byCount(turnsBy)
    .map(([cause, count]) => `${CAUSE_WORDS[cause]} ${count}${namesWords(by[cause])}`)
    .join(', ');
}

const namesWords = (names: TurnCounts['heldBy'] = {}): string => {
  const texts = byCount(names).map(([name, count]) => `${name} ${count}`);
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
};

const byCount = <Name extends string>(counts: Readonly<Record<Name, number>>): readonly (readonly [Name, number])[] =>
  (Object.entries(counts) as [Name, number][]).filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one);

const CAUSE_WORDS: Readonly<Record<keyof TurnsBy, string>> = {
  acted: 'acted',
  refused: 'refused',
  held: 'held',
  belowLot: 'below a lot',
  staleInput: 'stale input',
  nothingReturned: 'nothing returned',
  unchanged: 'unchanged',
};
