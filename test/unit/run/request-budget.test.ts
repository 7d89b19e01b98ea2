// The warning that the polls of many markets do not fit the limit on requests.
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLLING, pollPlan } from '../../../src/bot/exchange/kit/streams/polling.ts';
import { requestWarning } from '../../../src/bot/run/core/request-budget.ts';
import { RULES } from '../../../src/venues/hyperliquid/rules.ts';

const warningOf = (markets: number, limits = {}): string | undefined => requestWarning(pollPlan(DEFAULT_POLLING, markets), limits);

const prescribedFor = (markets: number): string | undefined => requestWarning(pollPlan(DEFAULT_POLLING, markets, RULES.polling), {});

describe('the warning of a start', () => {
  test('is absent while all polls fit', () => {
    expect(warningOf(7)).toBeUndefined();
  });

  test('says what the markets need, what is allowed, and how often a book comes', () => {
    expect(warningOf(20)).toBe(
      '20 markets need 126 requests a second (20 × (1 book / 250 ms + 1 list of trades / 500 ms) + 1 live info / 1 s = 121, and 5 for the account, ' +
        'its trades and the time), and polling.requestsPerSecond allows 50. A book comes every 673 ms instead of 250 ms. Trade fewer markets, poll ' +
        'less often (polling.orderBookMs, polling.tradesMs), or raise polling.requestsPerSecond if the exchange allows it.',
    );
  });

  test('says that nothing will be traded if books come less often than they may be old', () => {
    expect(warningOf(89)).not.toContain('nothing will be traded');
    expect(warningOf(90)).toContain('more than limits.data-age.bookMs allows (3 s): nothing will be traded');
    expect(warningOf(20, { 'data-age': { bookMs: 600 } })).toContain('(600 ms): nothing will be traded');
  });

  test('counts the weights, the intervals and the limit that an exchange prescribes', () => {
    expect(prescribedFor(1)).toBeUndefined(); // 2 / 2 s + 20 / 20 s + 20 / 4 s + 24 / 4 s + 20 / 8 s + 2 / 5 s
    expect(prescribedFor(4)).toBe(
      '4 markets need 22.9 requests a second (4 × (2 for 1 book / 2 s + 20 for 1 list of trades / 20 s) + 22 for 1 live info / 4 s = 13.5, and 9.4 for ' +
        'the account, its trades and the time), and the exchange allows 17. A book comes every 3.6 s instead of 2 s, which is more than ' +
        'limits.data-age.bookMs allows (3 s): nothing will be traded. Trade fewer markets or poll less often (polling.orderBookMs, ' +
        'polling.tradesMs).',
    );
  });
});
