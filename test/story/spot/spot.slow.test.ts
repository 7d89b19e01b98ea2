// Purchases on a spot market with the API and the ages of accounts that the fast file beside does not play.
import { testOldAccount, testPurchases } from './spot-faults.ts';

testPurchases(['local']);
testOldAccount([0, 10_000]);
