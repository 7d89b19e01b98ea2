// Paging follows the cursor to its end, within one time window.
import { expect, test } from 'vitest';
import type { Page } from '../../../../src/venues/client/hosted.ts';
import { clientOn } from './canned.ts';

const tradeOf = (tradeId: number): unknown => ({
  time: '2025-11-20T10:00:00Z',
  actionId: tradeId,
  tradeId,
  takerId: 1,
  takerSide: 'bid',
  makerId: 2,
  marketId: 0,
  orderId: 7,
  price: 1,
  baseSize: 1,
});
const pageOf = (tradeIds: readonly number[], rest: object, sides: object = {}): string =>
  JSON.stringify({ items: tradeIds.map((tradeId) => Object.assign({}, tradeOf(tradeId), sides)), ...rest });
const until = Date.parse('2025-11-20T10:00:00Z');

async function allOf<T>(pages: AsyncIterable<Page<T>>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}

const parametersOf = (path: string): Record<string, string> => Object.fromEntries(new URL(path, 'http://x').searchParams);

test.each([
  ['null', { nextStartInclusive: null }],
  ['absent', {}],
])('a cursor that is %s is the end', async (_, end) => {
  const { client, asked } = clientOn(pageOf([3, 2], { nextStartInclusive: 1 }), pageOf([1], end));
  expect((await allOf(client.trades({ until }))).map(({ tradeId }) => tradeId)).toEqual(['3', '2', '1']);
  expect(asked.map(({ path }) => parametersOf(path)['startInclusive'])).toEqual([undefined, '1']);
});

test('neither an empty nor a short page is the end, and 0 is a valid cursor', async () => {
  const { client, asked } = clientOn(pageOf([], { nextStartInclusive: 5 }), pageOf([5], { nextStartInclusive: 0 }), pageOf([0], {}));
  expect(await allOf(client.trades({ until }))).toHaveLength(2);
  expect(asked).toHaveLength(3);
});

test('the filters and the window stay the same on every page', async () => {
  const { client, asked } = clientOn(pageOf([3], { nextStartInclusive: '9007199254740993' }), pageOf([1], {}));
  await allOf(client.trades({ marketId: 0, takerId: 12, takerSide: 'ask', since: until - 60_000, until, pageSize: 20 }));
  const window = {
    marketId: '0',
    takerId: '12',
    takerSide: 'ask',
    since: '2025-11-20T09:59:00.000Z',
    until: '2025-11-20T10:00:00.000Z',
    pageSize: '20',
  };
  expect(asked.map(({ path }) => parametersOf(path))).toEqual([window, { ...window, startInclusive: '9007199254740993' }]);
});

test.each([
  ['takerId', 'made'],
  ['makerId', 'took'],
] as const)(
  'a request by %s that is answered with the trades that the account %s is taken as the answer to another request',
  async (asked, what) => {
    const others = asked === 'takerId' ? { makerId: 12, takerId: 5 } : { makerId: 5, takerId: 12 };
    const withItself = Object.assign({}, tradeOf(4), { makerId: 12, takerId: 12 });
    const mixed = JSON.stringify({ items: [withItself, Object.assign({}, tradeOf(3), others)] });
    for (const answer of [pageOf([3, 2], {}, others), mixed])
      await expect(allOf(clientOn(answer).client.trades({ [asked]: 12, until }))).rejects.toThrow(`trades that the account ${what}`);
  },
);

test('trades of the account with itself are on both sides', async () => {
  const page = pageOf([3, 2], {}, { makerId: 12, takerId: 12 });
  expect(await allOf(clientOn(page).client.trades({ takerId: 12, until }))).toHaveLength(2);
});

test('trades of a server that ignores the filter are not accepted', async () => {
  const { client } = clientOn(pageOf([3], {}, { makerId: 6, takerId: 5 }));
  expect(await allOf(client.trades({ takerId: 12, until }))).toHaveLength(1);
});

test('a cursor that comes twice ends with an error, after its items', async () => {
  const { client, asked } = clientOn(
    pageOf([3], { nextStartInclusive: 2 }),
    pageOf([2], { nextStartInclusive: 1 }),
    pageOf([1], { nextStartInclusive: 2 }),
  );
  const seen: string[] = [];
  const read = async (): Promise<void> => {
    for await (const { items } of client.trades({ until })) seen.push(...items.map(({ tradeId }) => tradeId));
  };
  await expect(read()).rejects.toMatchObject({ kind: 'shape', message: 'GET /trades: the page cursor 2 came twice' });
  expect(seen).toEqual(['3', '2', '1']);
  expect(asked).toHaveLength(3);
});

test('a reader that stops requests no further page', async () => {
  const { client, asked } = clientOn(pageOf([3], { nextStartInclusive: 2 }));
  for await (const _ of client.trades({ until })) break;
  expect(asked).toHaveLength(1);
});

test('a page that fails ends the reading', async () => {
  const { client } = clientOn(pageOf([3], { nextStartInclusive: 2 }), { status: 503 });
  await expect(allOf(client.trades({ until }))).rejects.toMatchObject({ kind: 'http', status: 503 });
});

test('orders of an account are paged in the same way', async () => {
  const order = { orderId: '9', marketId: 0, side: 'bid', placedSize: 1 };
  const { client, asked } = clientOn(JSON.stringify({ items: [order], nextStartInclusive: 1 }), JSON.stringify({ items: [] }));
  expect(await allOf(client.accountOrders(12, { pageSize: 1 }))).toEqual([{ ...order, placedPrice: undefined }]);
  expect(asked.map(({ path }) => path)).toEqual(['/account/12/orders?pageSize=1', '/account/12/orders?pageSize=1&startInclusive=1']);
});

test('a page of more than fifty is a programmer error', async () => {
  const { client, asked } = clientOn(pageOf([], {}));
  await expect(allOf(client.trades({ until, pageSize: 51 }))).rejects.toThrow('1 to 50');
  expect(asked).toEqual([]);
});
