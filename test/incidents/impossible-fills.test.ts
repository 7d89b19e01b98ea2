// A list of trades with impossible values or with every trade twice, for a taker of a perpetual.
import { PERP } from '../story/spot/spot-stage.ts';
import { testImpossibleFills } from './impossible-fills.ts';

testImpossibleFills([{ symbol: PERP, role: 'taker' }]);
