// The warning that the polls of many markets do not fit the limit on requests.
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLLING } from '../../../src/bot/exchange/kit/streams/polling.ts';
import { requestWarning } from '../../../src/bot/run/core/request-budget.ts';

const run = { polling: DEFAULT_POLLING, limits: {} };

describe('the warning of a start', () => {
  test('is absent while all polls fit', () => {
    expect(requestWarning({ ...run, markets: 7 })).toBeUndefined();
  });

  test('says what the markets need, what is allowed, and how often a book comes', () => {
    expect(requestWarning({ ...run, markets: 20 })).toBe(
      '20 markets need 126 requests a second (20 × (1 book / 250 ms + 1 list of trades / 500 ms) + 1 live info / 1 s = 121, and 5 for the account, ' +
        'its trades and the time), and polling.requestsPerSecond allows 50. A book comes every 672 ms instead of 250 ms. Trade fewer markets, poll ' +
        'less often (polling.orderBookMs, polling.tradesMs), or raise polling.requestsPerSecond if the exchange allows it.',
    );
  });

  test('says that nothing will be traded if books come less often than they may be old', () => {
    expect(requestWarning({ ...run, markets: 89 })).not.toContain('nothing will be traded');
    expect(requestWarning({ ...run, markets: 90 })).toContain('more than limits.data-age.bookMs allows (3 s): nothing will be traded');
    expect(requestWarning({ ...run, markets: 20, limits: { 'data-age': { bookMs: 600 } } })).toContain('(600 ms): nothing will be traded');
  });
});
