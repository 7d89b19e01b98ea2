// Holds the position that a charting site wants, while the mood of the market is not bad.
import { defineStrategy, poll, webhook } from 'tickwright';

export default defineStrategy({
  name: 'follow',
  defaults: { market: 'BTCUSDC', notional: 1_000, moodUrl: 'http://127.0.0.1:8080/mood.json' },
  inputs: ({ moodUrl }) => ({
    side: webhook(), // POST /signals/side with { "position": "long" }, "short" or "flat"
    mood: poll({ url: moodUrl, everyMs: 30_000 }), // { "score": 0.2 }
  }),
  create({ market, notional }) {
    return (view) => {
      const { mid, target } = view.market(market);
      const { position } = (view.input('side')?.value ?? {}) as { position?: unknown }; // it may be anything
      const direction = position === 'long' ? 1 : position === 'short' ? -1 : position === 'flat' ? 0 : undefined;
      const mood = view.input('mood');
      const { score } = (mood?.value ?? {}) as { score?: unknown };
      if (mid === undefined || direction === undefined || mood?.fresh !== true || typeof score !== 'number') return []; // what is held stays held
      return [target({ position: score < -0.5 ? 0 : (direction * notional) / mid, maxSlippageBps: 5 })];
    };
  },
});
