// Check: markets that gap, crash, freeze and lie. Limits hold, nothing is thrown, and there is no order storm.
import type { Run } from '../../run/core/run.ts';
import type { Tape } from '../../tape/reader.ts';
import { OrderCounter } from './order-counter.ts';
import { calm, SCENES, Script } from './scenarios.ts';
import { outage } from './simulation.ts';
import { playTapes, type Subject } from './subject.ts';
import { type Check, counted, fail, pass, skip, thrownText } from './verdict.ts';

export const markets: Check = async (subject) => {
  let [placed, busiest] = [0, 0];
  for (const [name, scene] of Object.entries(SCENES)) {
    const tapes = subject.tapes.map((tape) => {
      const script = scriptOf(tape);
      calm(script);
      scene(script);
      return script.tape();
    });
    const counter = new OrderCounter();
    const limit = new LimitWatch(subject);
    try {
      await playTapes(subject, { tapes, onTurn: (turn, run) => void [counter.see(turn, run), limit.see(run)] });
    } catch (thrown) {
      const text = thrownText(thrown);
      if (text === undefined) throw thrown;
      return { ...fail(`${name}: ${text}`), placed };
    }
    const problem = limit.problem ?? counter.stormWhile({ still: name === 'still market' });
    if (problem !== undefined) return { ...fail(`${name}: ${problem}`), placed };
    placed += counter.placed;
    busiest = Math.max(busiest, counter.mostOfAMinute);
  }
  const broken = await outage(subject);
  if (broken !== undefined) return { ...fail(broken), placed };
  if (placed === 0) return { ...skip('it placed no order in any of them, each of which lasts a minute'), placed };
  const names = `${Object.keys(SCENES).join(', ')}, maintenance`;
  return { ...pass(`${names}: limits held, at most ${counted(busiest, 'action')} a minute`), placed };
};

const scriptOf = ({ header: { market, basePrice } }: Tape): Script => new Script({ spec: market, basePrice });

/** Rounding, and prices that moved between the approval and the fill. */
const ALLOWANCE = 1.05;

/** Watches that no position grows beyond the limit of the position guard. */
class LimitWatch {
  readonly #most: number;
  readonly #held = new Map<number, number>();
  problem: string | undefined;

  constructor({ limits }: Subject) {
    const { maxNotional } = (limits['position'] ?? {}) as { readonly maxNotional?: unknown };
    this.#most = typeof maxNotional === 'number' ? maxNotional : Number.POSITIVE_INFINITY;
  }

  see({ world }: Run): void {
    for (const market of world.markets.values()) {
      const held = Math.abs(market.size(world.held(market.id)));
      const mark = world.info(market.id)?.value.mark;
      const grown = held > (this.#held.get(market.id) ?? 0);
      this.#held.set(market.id, held);
      if (!grown || mark === undefined) continue;
      const notional = held * market.price(mark);
      if (notional > this.#most * ALLOWANCE)
        this.problem ??= `it holds ${notional.toFixed(0)} of ${market.symbol}; the limit is ${this.#most}`;
    }
  }
}
