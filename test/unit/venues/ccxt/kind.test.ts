// The names of exchanges that ccxt knows, without ccxt: where they may be written, and what is refused.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { exchangeNameOf } from '../../../../src/program/values.ts';
import { isSimulated, VENUES } from '../../../../src/program/venues.ts';
import { CCXT_NAMES } from '../../../../src/venues/ccxt/kind.ts';

const context = { passphrase: () => Promise.reject(new Error('nothing is signed')) };

test.each([{}, { live: true as const }])('a run without --paper is refused, because no order goes through ccxt: %j', async (flags) => {
  await expect(VENUES.plan({ exchange: 'ccxt:binance', schema: 'bundled', ...flags }, context)).rejects.toMatchObject({
    message: expect.stringContaining('no order is sent through ccxt') as string,
    hint: expect.stringContaining('use --paper') as string,
  });
});

test('a run may name one, kill may not, and ccxt alone names none', () => {
  expect(exchangeNameOf(VENUES.names)('ccxt:binance', '--exchange')).toBe('ccxt:binance');
  expect(() => exchangeNameOf(VENUES.realNames)('ccxt:binance', '--exchange')).toThrow('ccxt:binance has no account');
  expect(() => exchangeNameOf(VENUES.names)('ccxt', '--exchange')).toThrow('"ccxt" names no exchange');
  expect(() => exchangeNameOf(VENUES.names)('ccx:binance', '--exchange')).toThrow(CCXT_NAMES);
});

test('the facts of a paper run on one are read, and its account is simulated', () => {
  const facts = { kind: 'paper', of: 'ccxt:kraken', url: 'https://api.kraken.com' };
  const paper = VENUES.of(facts);
  expect(paper.facts(z).parse(facts)).toEqual(facts);
  expect(() => paper.facts(z).parse({ ...facts, of: 'kraken' })).toThrow();
  expect([isSimulated(paper), isSimulated(VENUES.exchangeAt(facts))]).toEqual([true, true]);
});
