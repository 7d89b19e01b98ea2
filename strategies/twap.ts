// Reaches a position in even slices over a time, each at a random moment within its share of the time; then holds it.
import { defineStrategy, UserError } from 'tickwright';

/** From `from` to `goal` in base units, with one slice at each of the moments. */
interface Schedule {
  readonly from: number;
  readonly goal: number;
  readonly moments: readonly number[];
}

export default defineStrategy({
  name: 'twap',
  defaults: {
    market: 'BTCUSDC',
    targetNotional: 5_000,
    durationSeconds: 300,
    slices: 20,
    jitter: 0.5,
    maxSlippageBps: 5,
  },
  ranges: { targetNotional: [-1e9, 1e9], slices: [1, 10_000], jitter: [0, 1] },
  create({ market, targetNotional, durationSeconds, slices, jitter, maxSlippageBps }, { rng }) {
    if (!Number.isInteger(slices)) throw new UserError({ code: 'params', message: `slices ${slices} is not a whole number` });
    const share = (durationSeconds * 1000) / slices;
    let schedule: Schedule | undefined;
    return (view) => {
      const { mid, position, target } = view.market(market);
      if (mid === undefined) return [];
      schedule ??= {
        from: position,
        goal: targetNotional / mid,
        moments: Array.from({ length: slices }, (_, slice) => view.now + (slice + jitter * rng.next()) * share),
      };
      const { from, goal, moments } = schedule;
      const due = moments.filter((moment) => moment <= view.now).length;
      return [target({ position: from + ((goal - from) * due) / slices, bandBps: 0, maxSlippageBps })];
    };
  },
});
