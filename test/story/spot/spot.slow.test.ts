// Purchases on a spot market with the API, the faults and the ages of accounts that the fast file beside does not play.
import { testOldAccount, testPurchases } from './spot-faults.ts';

testPurchases(['hosted'], ['others']);
testPurchases(['local'], ['last', 'others']);
testOldAccount([0, 10_000]);
