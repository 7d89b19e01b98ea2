// A backtest on the tape of a paper run repeats the run: with the latencies and the API that the fast file beside does not play.
import { testParity, testRepeated } from './repeated.ts';

testRepeated([
  ['with the measured latency', 'hosted', {}],
  ['over the local API', 'local', {}],
]);
testParity([
  ['with the measured latency', {}],
  ['with another latency', { latency: { kind: 'lognormal', median: 120, p99: 600 } }],
]);
