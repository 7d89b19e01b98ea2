// Numbered pages end, whatever the server does with the number.
import { expect, test } from 'vitest';
import { allOf, clientOn, crashed } from './canned.ts';

const rate = (fundingIndex: number) => ({ date: '2026-01-02T03:00:00Z', fundingIndex });
const page = (...indices: number[]) => ({ result: indices.map(rate) });
const indicesOf = async (pages: readonly object[], options = {}) => {
  const { client, lines } = clientOn(pages as Parameters<typeof clientOn>[0], options);
  const items = await allOf(client.fundingRates());
  return { indices: items.map(({ fundingIndex }) => fundingIndex), lines: lines() };
};

test('an empty page is the end', async () => {
  const { indices, lines } = await indicesOf([page(1, 2), page(3), page()]);
  expect(indices).toEqual([1, 2, 3]);
  expect(lines).toEqual(['GET /funding_rates?page=0', 'GET /funding_rates?page=1', 'GET /funding_rates?page=2']);
});

test('a page that repeats the last one is the end, and is not returned again', async () => {
  expect((await indicesOf([page(1), page(2), page(2), page(3)])).indices).toEqual([1, 2]);
  expect(await indicesOf([page(1, 2)], { firstPage: 1 })).toMatchObject({ indices: [1, 2], lines: { length: 2 } });
});

test('page 1 that repeats page 0 comes from a server that counts from 1, or that ignores the number', async () => {
  expect((await indicesOf([page(1), page(1), page(2), page()])).indices).toEqual([1, 2]);
  expect(await indicesOf([page(1, 2)])).toMatchObject({ indices: [1, 2], lines: { length: 3 } });
});

test('a page that shares an item with the last one is not the end', async () => {
  expect((await indicesOf([page(1, 2), page(2, 3), page()])).indices).toEqual([1, 2, 2, 3]);
});

test('the first page may have another number than 0', async () => {
  expect((await indicesOf([page(1), page()], { firstPage: 1 })).lines).toEqual(['GET /funding_rates?page=1', 'GET /funding_rates?page=2']);
});

test('a server that refuses page 0 counts from 1, and page 0 is not requested again', async () => {
  const complaint = { status: 400, body: '{"success":false,"error":"page 0 is not a whole number from 1 on"}' };
  const { client, lines } = clientOn([complaint, page(1), page(), page(1), page()]);
  expect(await allOf(client.fundingRates())).toHaveLength(1);
  expect(await allOf(client.fundingRates())).toHaveLength(1);
  expect(lines()).toEqual([0, 1, 2, 1, 2].map((number) => `GET /funding_rates?page=${number}`));
});

test('the same is true for an endpoint that has moved', async () => {
  const complaint = crashed('page 0 is not a whole number from 1 on');
  const { client, lines } = clientOn([crashed('Invalid character'), complaint, crashed('Invalid character'), { result: [] }]);
  expect(await allOf(client.history({ market: 'X' }))).toEqual([]);
  expect(lines().map((line) => line.split('?')[0])).toEqual([
    'GET /orders/history',
    'GET /trades/history',
    'GET /orders/history',
    'GET /trades/history',
  ]);
});

test.each([crashed('timeout'), { status: 404, body: '<h1>Page not found</h1>' }, { status: 502, body: 'the page is unavailable' }])(
  'any other failure of page 0 is an error, because it has the newest items',
  async (failure) => {
    const { client, lines } = clientOn([failure, page(1), page()]);
    await expect(allOf(client.fundingRates())).rejects.toMatchObject({ name: 'ClientError' });
    expect(lines()).toHaveLength(1);
  },
);

test('a later page that the server refuses is a failure', async () => {
  const { client } = clientOn([page(1), crashed('page too far')]);
  await expect(allOf(client.fundingRates())).rejects.toMatchObject({ reason: 'page too far' });
});

test('an empty page is the end, even with hasMoreData', async () => {
  expect((await indicesOf([{ ...page(), hasMoreData: true }])).lines).toHaveLength(1);
});

test('hasMoreData: false saves a request; a value that is not boolean is ignored', async () => {
  expect((await indicesOf([{ ...page(1), hasMoreData: false }])).lines).toHaveLength(1);
  expect((await indicesOf([{ ...page(1), hasMoreData: null }, page()])).lines).toHaveLength(2);
  expect((await indicesOf([{ ...page(1), hasMoreData: 'no' }, page()])).lines).toHaveLength(2);
});

test('a page is requested only when it is consumed', async () => {
  const { client, asked } = clientOn([page(1), page(2), page()]);
  const pages = client.fundingRates()[Symbol.asyncIterator]();
  expect(asked).toHaveLength(0);
  await pages.next();
  expect(asked).toHaveLength(1);
});

test('a page that fails ends the pages with its error', async () => {
  const { client } = clientOn([page(1), { status: 500, body: '{"message":"page must be above 0"}' }]);
  const pages = client.fundingRates()[Symbol.asyncIterator]();
  await pages.next();
  await expect(pages.next()).rejects.toMatchObject({
    kind: 'http',
    message: 'GET /funding_rates?page=1 answered 500: page must be above 0',
  });
});
