// A pairs trade: when the ratio of two prices is far from its average, sells the dearer market and buys the cheaper one until the ratio is back.
import { bollinger, defineStrategy, type MarketView, type Resolution, UserError } from 'tickwright';

const defaults = {
  market: 'ETHUSDC',
  hedgeMarket: 'BTCUSDC',
  size: 0.5,
  hedgeSize: 0.025,
  resolution: '1m' as Resolution,
  length: 120,
  enterDeviations: 2.5,
  exitDeviations: 0.5,
  maxSlippageBps: 10,
};

export default defineStrategy({
  name: 'pairs',
  defaults,
  ranges: { exitDeviations: [0, 100], length: [2, 500] },
  history: ({ resolution, length }) => ({ candles: { [resolution]: length } }),
  every: ({ resolution }) => resolution,
  create({ market, hedgeMarket, size, hedgeSize, resolution, length, enterDeviations, exitDeviations, maxSlippageBps }) {
    if (exitDeviations >= enterDeviations) throw new UserError({ code: 'params', message: 'exitDeviations is not below enterDeviations' });
    return (view) => {
      const [one, other] = [view.market(market), view.market(hedgeMarket)];
      const away = deviations(logRatios(one, other, resolution).slice(-length), length);
      if (away === undefined) return []; // what is held stays held
      const held = Math.sign(one.position);
      const isAway = Math.abs(away) >= enterDeviations;
      const side = isAway ? -Math.sign(away) : -away * held > exitDeviations ? held : 0;
      return [one.target({ position: side * size, maxSlippageBps }), other.target({ position: -side * hedgeSize, maxSlippageBps })];
    };
  },
});

/** Of the candles that both markets have, oldest first. */
function logRatios(one: MarketView, other: MarketView, resolution: Resolution): readonly number[] {
  const hedge = new Map(other.candles(resolution).map(({ start, close }) => [start, close]));
  return one.candles(resolution).flatMap(({ start, close }) => (hedge.has(start) ? [Math.log(close / (hedge.get(start) ?? close))] : []));
}

/** How many standard deviations the last value is above the average of all; undefined if there are too few or all are equal. */
function deviations(values: readonly number[], length: number): number | undefined {
  const average = bollinger(length, 1);
  const bands = values.map((value) => average.update(value)).at(-1);
  return bands === undefined || bands.upper === bands.middle
    ? undefined
    : ((values.at(-1) ?? 0) - bands.middle) / (bands.upper - bands.middle);
}
