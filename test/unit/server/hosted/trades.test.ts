// The public trades: their fields, filters and pages.
import { describe, expect, test } from 'vitest';
import { anyNumber, openActiveApi, RFC_3339 } from './open-api.ts';

const lively = openActiveApi();
const { read } = lively;

describe('trades', () => {
  interface PageOfTrades {
    readonly items: readonly {
      readonly tradeId: number;
      readonly time: string;
      readonly takerId: number;
      readonly takerSide: string;
      readonly marketId: number;
    }[];
    readonly nextStartInclusive: number | null;
  }
  const page = (query: string): PageOfTrades => read(`/trades${query}`) as PageOfTrades;

  function pages(query: string): PageOfTrades['items'] {
    const items: PageOfTrades['items'][number][] = [];
    for (let cursor: number | null | undefined; cursor !== null; ) {
      const next = page(`?${query}${cursor === undefined ? '' : `&startInclusive=${cursor}`}`);
      items.push(...next.items);
      cursor = next.nextStartInclusive;
    }
    return items;
  }

  test('an item has the fields of the document', () => {
    const { items, nextStartInclusive } = page(`?takerId=${lively.account}`);
    const ids = { actionId: anyNumber, tradeId: anyNumber, makerId: anyNumber, orderId: anyNumber };
    const fees = { makerFee: anyNumber, takerFee: anyNumber };
    expect(items[0]).toEqual({
      time: RFC_3339,
      takerId: lively.account,
      takerSide: 'bid',
      marketId: 0,
      price: anyNumber,
      baseSize: anyNumber,
      ...ids,
      ...fees,
    });
    expect(nextStartInclusive).toBeNull();
  });

  test('fifty a page, from the present to the past, each once, until null', () => {
    expect(page('').items).toHaveLength(50);
    expect(page('?pageSize=7').items).toHaveLength(7);
    expect(page('?pageSize=51').items).toHaveLength(50);
    const ids = pages('pageSize=37').map(({ tradeId }) => tradeId);
    expect(ids.length).toBeGreaterThan(60);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(ids.length);
    expect(pages('').map(({ tradeId }) => tradeId)).toEqual(ids);
  });

  test('filters narrow; since is inclusive, until is not', () => {
    const all = pages('');
    expect(pages('takerSide=ask&marketId=1')).toEqual(all.filter(({ takerSide, marketId }) => takerSide === 'ask' && marketId === 1));
    const { time = '' } = all[20] ?? {};
    expect(pages(`since=${time}`)).toEqual(all.filter((trade) => trade.time >= time));
    expect(pages(`until=${time}`)).toEqual(all.filter((trade) => trade.time < time));
    const zoned = new Date(Date.parse(time) + 3_600_000).toISOString().replace('Z', '+01:00');
    expect(pages(`since=${zoned}&until=${zoned}`)).toEqual([]);
    expect(pages(`since=${zoned}`)).toEqual(pages(`since=${time}`));
  });

  test('a filter without matches is an empty page', () => {
    for (const query of ['?marketId=77', '?makerId=4294967295', '?startInclusive=0', '?until=1970-01-01T00:00:00Z']) {
      expect(page(query)).toEqual({ items: [], nextStartInclusive: null });
    }
  });
});
