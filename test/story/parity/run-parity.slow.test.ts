// A backtest repeats a run of a strategy that ends by itself. Of another one: `run-parity.test.ts`.
import { testEqualBacktest } from './compared.ts';

testEqualBacktest('twap');
