// Accounts that omit resting orders in the ways that the fast file beside does not play.
import { ALL, ASKS, HALF, testLies } from './omitted-orders-stage.ts';

testLies([
  ['all orders for 6 s', { omits: ALL, seconds: 6 }],
  ['all orders for 20 s', { omits: ALL, seconds: 20 }],
  ['half of the orders for 20 s', { omits: HALF, seconds: 20 }],
  ['all orders for 20 s, and counts none', { omits: ALL, seconds: 20, countsToo: true }],
  ['half of the orders for 20 s, and counts the others', { omits: HALF, seconds: 20, countsToo: true }],
  ['the asks for 12 s, and counts the bids', { omits: ASKS, seconds: 12, countsToo: true }],
]);
