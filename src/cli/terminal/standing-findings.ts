// The current findings of guards and gates, with the time each began; a finding is shown until it ends.
import type { FindingLine } from '../../report/accounting/lines.ts';
import type { Trading } from '../../run/core/trading.ts';
import { lineWords } from '../output/words.ts';
import type { Happening } from './picture.ts';

export class StandingFindings {
  readonly #since = new Map<string, string>();

  seen(line: FindingLine): void {
    this.#since.set(keyOf(line), line.at);
  }

  /** Current findings with their present reasons; forgets those that have ended. `now` is RFC 3339. */
  of(trading: Pick<Trading, 'run' | 'holding'>, now: string): readonly Happening[] {
    const { world } = trading.run;
    const lines = trading.holding().map(({ market, ...finding }): FindingLine => {
      const symbol = market === undefined ? undefined : world.market(market).symbol;
      return { kind: 'finding', at: now, ...finding, market: symbol };
    });
    const standing = new Set(lines.map(keyOf));
    for (const key of this.#since.keys()) if (!standing.has(key)) this.#since.delete(key);
    return lines.map((line) => ({ at: this.#since.get(keyOf(line)) ?? now, text: lineWords(line) }));
  }
}

const keyOf = ({ guard, market, side, verdict }: FindingLine): string => [guard, market, side, verdict].join('/');
