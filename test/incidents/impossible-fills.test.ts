// A list of trades with impossible values or with every trade twice, for a taker of a perpetual and a maker on a spot market.
import { PERP, SPOT } from '../story/spot/spot-stage.ts';
import { testImpossibleFills } from './impossible-fills.ts';

testImpossibleFills([
  { symbol: PERP, role: 'taker' },
  { symbol: SPOT, role: 'maker' },
]);
