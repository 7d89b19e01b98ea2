// Names of errors that mean the same.
import { describe, expect, it } from 'vitest';
import { meaningOf, saysFrozen, spellingsOf } from '../../../src/bot/exchange/error-meanings.ts';
import { bundled } from './samples.ts';

it.each([
  ['MARKET_FROZEN', true],
  ['MARKET_NOT_READY', true],
  ['MAINTENANCE', true],
  ['MARKET_FROZEN: the market is frozen; only cancels pass', true],
  ['Market is paused', true],
  ['MARKET_NOT_FOUND', false],
  ['TOKEN_NOT_READY', false],
  ['the account is frozen', false],
])('%s says that the market takes no orders: %s', (error, frozen) => {
  expect(saysFrozen(error)).toBe(frozen);
});

describe('meanings', () => {
  it.each([
    [
      'funds',
      ['INSUFFICIENT_FUNDS', 'BALANCE_INSUFFICIENT', 'RISK', 'RISK_OMF_LESS_THAN_OR_EQUAL_IMF', 'RISK_TRADE_OMF_LESS_THAN_OR_EQUAL_CMF'],
    ],
    ['signature', ['INVALID_SIGNATURE', 'SIGNATURE_VERIFICATION', 'SIGNATURE_VERIFICATION_INVALID_LENGTH']],
    ['session', ['SESSION_NOT_FOUND']],
    ['orderNotFound', ['ORDER_NOT_FOUND']],
    ['time', ['TIMESTAMP', 'TIMESTAMP_OUT_OF_THRESHOLD', 'TIMESTAMP_STALE']],
    ['duplicate', ['DUPLICATE']],
    ['wouldCross', ['POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS']],
    ['noFill', ['IMMEDIATE_ORDER_GOT_NO_FILLS', 'FAILED_TO_FILL_LIMIT', 'ORDER_EXECUTION_FILL_OR_KILL']],
    ['market', ['MARKET_NOT_FOUND', 'MARKET_FROZEN', 'MARKET_NOT_READY', 'MARKET_EMPTY', 'MAINTENANCE']],
    [
      'other',
      [
        'BALANCE',
        'EXPIRY_TIMESTAMP_IN_PAST',
        'UPDATE_TIMESTAMP_IN_PAST',
        'ORDER_EXECUTION_LIMIT_PRICE',
        'UNKNOWN_177',
        'MARKET_DECIMALS_EXCEED_LIMITS',
        '',
      ],
    ],
  ] as const)('%s', (meaning, names) => expect(names.map(meaningOf)).toEqual(names.map(() => meaning)));

  it('belong to 28 of the names that the exchange has', () => {
    const meaningful = [...bundled.schema.errors.numbers.keys()].filter((name) => meaningOf(name) !== 'other');
    expect(meaningful).toHaveLength(28);
  });
});

it('other spellings come after the own one', () => {
  expect(spellingsOf('BALANCE_INSUFFICIENT')).toEqual(['BALANCE_INSUFFICIENT', 'INSUFFICIENT_FUNDS']);
  expect(spellingsOf('MARKET_FROZEN')).toEqual(['MARKET_FROZEN']);
});
