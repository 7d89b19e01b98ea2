// Check: in markets that gap, crash, freeze or show wrong prices, limits hold, nothing is thrown, and there is no order storm.
import { counted } from '../../../../base/text/phrases.ts';
import { resolutionText } from '../../../../bot/domain/candle.ts';
import type { Run } from '../../../../bot/run/core/run.ts';
import { OrderCounter } from '../order-counter.ts';
import { playTapes, type Subject } from '../subject.ts';
import { START as CANDLES_START, candlesFor, candleTape } from '../tapes/candle-tapes.ts';
import { CANDLE_SCENES, calm, SCENES } from '../tapes/scenarios.ts';
import { type Scripted, scripted } from '../tapes/scripted.ts';
import { fail, type PlayCounts, pass, type StrategyCheck, skip, thrownText } from '../verdict.ts';
import { isSimulated, outage } from './simulation.ts';

export const marketsPlayCounts = (subject: Subject): PlayCounts => ({
  shortBacktests:
    Object.keys(SCENES).length + (candlesFor(subject.strategy, subject.params) === undefined ? 0 : Object.keys(CANDLE_SCENES).length),
  simulatedRuns: isSimulated(subject) ? 1 : 0,
});

export const markets: StrategyCheck = async (subject) => {
  let [placed, busiest] = [0, 0];
  const idle: string[] = [];
  for (const { name, start, isStill = false, ...market } of marketsOf(subject)) {
    const counter = new OrderCounter(start);
    const limit = new LimitWatch(subject);
    try {
      await playTapes(subject, { ...market, onTurn: (turn, run) => void [counter.see(turn, run), limit.see(run)] });
    } catch (thrown) {
      const text = thrownText(thrown);
      if (text === undefined) throw thrown;
      return { ...fail(`${name}: ${text}`), placed };
    }
    const problem = limit.problem ?? counter.orderStorm({ marketIsStill: isStill });
    if (problem !== undefined) return { ...fail(`${name}: ${problem}`), placed };
    placed += counter.placed;
    if (counter.placed === 0) idle.push(name);
    busiest = Math.max(busiest, counter.mostInAMinute);
  }
  const broken = await outage(subject);
  if (broken !== undefined) return { ...fail(broken), placed };
  const names = [...new Set([...marketsOf(subject)].map(({ name }) => name)), 'maintenance'].join(', ');
  if (placed === 0) return { ...skip(`it placed no order in any of them: ${names}`), placed };
  const without = idle.length === 0 ? '' : `; no order in ${idle.join(', ')}`;
  return {
    ...pass(`${names}: limits held, ${counted(placed, 'order')}, at most ${counted(busiest, 'action')} a minute${without}`),
    placed,
  };
};

interface Played extends Scripted {
  readonly name: string;
  /** True if the market does not change after its beginning. */
  readonly isStill?: boolean;
}

/** Yields each scene in seconds. For a strategy that is called on candles, also yields as candles the scenes in which only prices change. */
function* marketsOf(subject: Subject): Iterable<Played> {
  for (const [name, scene] of Object.entries(SCENES)) {
    const market = scripted(subject, (script) => {
      calm(script);
      scene(script);
    });
    yield { name, isStill: name === 'still market', ...market };
  }
  const candles = candlesFor(subject.strategy, subject.params);
  if (candles === undefined) return;
  const { length, calm: before } = candles;
  const suffix = `in candles of ${resolutionText(length)}`;
  for (const [name, factorAfter] of Object.entries(CANDLE_SCENES)) {
    const tapes = subject.tapes.map(({ header }, index) => {
      const share = index === 0 ? 1 : FOLLOWED;
      const factorAt = (candle: number): number => 1 + (factorAfter(candle - before - CALM_CANDLES) - 1) * share;
      return candleTape(header, { length, count: before + CALM_CANDLES + SCENE_CANDLES }, { seed: subject.seed, factorAt });
    });
    yield { name: `${name} ${suffix}`, start: CANDLES_START, tapes };
  }
}

const CALM_CANDLES = 20;
const SCENE_CANDLES = 60;
/** The move of the other markets, as a fraction of the first market's move. */
const FOLLOWED = 0.5;

/** Tolerance for rounding, and for prices that moved between approval and fill. */
const ALLOWANCE = 1.05;

/** Checks that no position exceeds the limit of the position guard. */
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
