// A spot-perpetual carry: holds the spot and is short as much of the perpetual while funding pays for it. The short follows the spot that is held.
import { defineStrategy, UserError } from 'tickwright';

export default defineStrategy({
  name: 'carry',
  defaults: {
    spotMarket: 'SOLUSDC-SPOT',
    perpMarket: 'SOLUSDC',
    size: 10,
    keep: 0, // base tokens in the account that are not the strategy's
    enterRate: 0.00002, // of the position, an hour
    exitRate: -0.00001,
    maxSlippageBps: 10,
  },
  ranges: { enterRate: [-1, 1], exitRate: [-1, 1] },
  kinds: ({ spotMarket, perpMarket }) => ({ [spotMarket]: 'spot', [perpMarket]: 'perp' }),
  create({ spotMarket, perpMarket, size, keep, enterRate, exitRate, maxSlippageBps }) {
    if (exitRate >= enterRate) throw new UserError({ code: 'params', message: `exitRate ${exitRate} is not below enterRate ${enterRate}` });
    return (view) => {
      const [spot, perp] = [view.market(spotMarket), view.market(perpMarket)];
      const owned = Math.max(0, spot.position - keep);
      const isHeld = owned > size / 2;
      const rate = perp.funding?.rate;
      const pays = rate === undefined ? isHeld : rate >= enterRate || (isHeld && rate > exitRate);
      return [
        spot.target({ position: keep + (pays ? size : 0), bandBps: 0, maxSlippageBps }),
        perp.target({ position: -Math.min(size, owned), bandBps: 0, maxSlippageBps }),
      ];
    };
  },
});
