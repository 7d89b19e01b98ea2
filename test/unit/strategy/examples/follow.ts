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
      const side = view.input('side')?.value as { position: string } | undefined;
      const mood = view.input('mood');
      if (mid === undefined || side === undefined || mood?.fresh !== true) return []; // what is held stays held
      const direction = side.position === 'long' ? 1 : side.position === 'short' ? -1 : 0;
      const isBad = (mood.value as { score: number }).score < -0.5;
      return [target({ position: isBad ? 0 : (direction * notional) / mid, maxSlippageBps: 5 })];
    };
  },
});
