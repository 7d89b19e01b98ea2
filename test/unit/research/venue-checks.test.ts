// The checks of an adapter, on the third exchange: all that need no whole run.
import { describe, expect, test } from 'vitest';
import type { FillPages } from '../../../src/bot/exchange/kit/venue-client.ts';
import { checkVenue, VENUE_CHECKS } from '../../../src/research/testing/venue/check-venue.ts';
import { defineFake } from '../../../src/research/testing/venue/fake.ts';
import spot from '../../third-venue/adapter/spot.fake.ts';
import fake from '../../third-venue/adapter/venue.fake.ts';
import venue from '../../third-venue/adapter/venue.ts';
import { MISTAKES } from '../../third-venue/mistakes.ts';

const withoutRuns = VENUE_CHECKS.filter(({ number }) => number < 50).map(({ number }) => number);

test('numbers and names are those of one check each, and every planted mistake names one', () => {
  expect(VENUE_CHECKS.map(({ number }) => number)).toEqual(VENUE_CHECKS.map((_, index) => index + 1));
  const names = VENUE_CHECKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(MISTAKES.map(({ foundBy }) => foundBy)));
});

test('the third exchange passes, and what it lacks is named', async () => {
  const results = await checkVenue(venue, fake, { only: withoutRuns });
  expect(results.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'skip').map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
    'candles: needs candles',
    'spot balances: needs spot',
  ]);
});

test('it passes on the spot market of its exchange, whose fee of a purchase is in the tokens', async () => {
  const results = await checkVenue(venue, spot, { only: withoutRuns });
  expect(results.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(results.find(({ name }) => name === 'spot balances')).toMatchObject({ verdict: 'pass' });
  expect(results.filter(({ verdict }) => verdict === 'skip').map(({ name }) => name)).toEqual(['candles', 'margins', 'reduce-only']);
});

/** The list without the fees that were taken from tokens: they then count as quote money. */
const withoutBaseFees = (list: FillPages): FillPages => ({
  ...list,
  async *pages(since) {
    for await (const page of list.pages(since)) yield page.map((fill) => ({ ...fill, baseFee: undefined }));
  },
});

const mistaken: typeof venue.client = (options) => {
  const honest = venue.client(options);
  return { ...honest, fills: (markets) => honest.fills(markets).map(withoutBaseFees) };
};

test('a fee in tokens that is read as quote money is found there', async () => {
  const [result] = await checkVenue({ ...venue, client: mistaken }, spot, { only: ['spot balances'] });
  expect(result).toMatchObject({ verdict: 'fail', reason: expect.stringContaining('a fee that is taken from the tokens') });
});

test('what is not declared is not checked', async () => {
  const [result] = await checkVenue(venue, { ...fake, can: [] }, { only: ['post-only'] });
  expect(result).toMatchObject({ number: 21, verdict: 'skip', reason: 'needs post-only' });
});

describe('refused with words', () => {
  test.each([['a check that does not exist', { only: ['posn'] }, 'there is no check "posn" of an adapter']])(
    '%s',
    async (_, options, message) => {
      await expect(checkVenue(venue, fake, options)).rejects.toMatchObject({ name: 'UserError', message });
    },
  );

  test.each([
    ['a capability that is not known', { can: ['magic'] }, 'it can "magic", which is not known'],
    ['no price', { price: 0 }, 'price or size is no number above 0'],
    ['no market', { market: undefined }, 'open or market is missing'],
  ])('a fake with %s', (_, wrong, message) => {
    expect(() => defineFake({ ...fake, ...wrong } as never)).toThrow(message);
  });

  test('a fake without a key, and one whose market is not listed', async () => {
    await expect(checkVenue(venue, { ...fake, key: undefined })).rejects.toThrow('the adapter needs a key, and the fake has none');
    await expect(checkVenue(venue, { ...fake, market: 'X' })).rejects.toThrow('the adapter lists no market "X"');
  });
});
