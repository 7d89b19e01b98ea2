// A list of trades with impossible values or with every trade twice, for the cases that the fast file beside does not play.
import { PERP, SPOT } from '../story/spot/spot-stage.ts';
import { testImpossibleFills } from './impossible-fills.ts';

testImpossibleFills([
  { symbol: PERP, role: 'maker' },
  { symbol: SPOT, role: 'taker' },
  { symbol: SPOT, role: 'maker' },
]);
