// The carry strategy with the ages of accounts that the fast file beside does not play.
import { testReached } from './carry-reached.ts';

testReached([
  ['at once', {}],
  ['with an account that is 10 s old', { lagMs: 10_000 }],
]);
