// The intervals of a configuration within what an exchange allows.
import { expect, test } from 'vitest';
import { DEFAULT_POLLING, pollingWithin } from '../../../../src/bot/exchange/kit/streams/polling.ts';

test('an exchange lengthens intervals and lowers the rate, and never the other way', () => {
  const allowed = { orderBookMs: 2_000, accountMs: 100, requestsPerSecond: 20, weights: { account: 6 } };
  expect(pollingWithin(DEFAULT_POLLING, allowed)).toEqual({ ...DEFAULT_POLLING, orderBookMs: 2_000, requestsPerSecond: 20 });
  expect(pollingWithin(DEFAULT_POLLING, { requestsPerSecond: 1_000 })).toEqual(DEFAULT_POLLING);
  expect(pollingWithin(DEFAULT_POLLING)).toEqual(DEFAULT_POLLING);
});
