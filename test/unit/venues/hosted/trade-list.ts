// The trade list of the hosted exchange.
import { type Bench, START } from './bench.ts';

export const later = (ms: number): string => new Date(START + ms).toISOString();
export const trade = (tradeId: number | string, ms: number, more: object = {}) => ({
  time: later(ms),
  actionId: 5,
  tradeId,
  takerId: 1,
  takerSide: 'bid',
  makerId: 2,
  marketId: 0,
  orderId: 3,
  price: 100,
  baseSize: 1,
  ...more,
});

/** Answers `/trades` according to its query: newest first, 50 per page. */
export class TradeList {
  readonly all: ReturnType<typeof trade>[] = [];
  readonly queries: URLSearchParams[] = [];

  constructor(bench: Bench) {
    bench.exchange.fault = ({ path }) => {
      if (!path.startsWith('/trades')) return undefined;
      const query = new URLSearchParams(path.split('?')[1]);
      this.queries.push(query);
      return { reply: { body: JSON.stringify(this.#page(query)) } };
    };
  }

  #page(query: URLSearchParams) {
    const is = (key: string, value: number): boolean => !query.has(key) || query.get(key) === String(value);
    const since = query.get('since') ?? '';
    const found = this.all
      .filter(
        ({ marketId, makerId, takerId, time }) =>
          is('marketId', marketId) && is('makerId', makerId) && is('takerId', takerId) && time >= since,
      )
      .reverse();
    const start = Number(query.get('startInclusive') ?? 0);
    return { items: found.slice(start, start + 50), nextStartInclusive: found.length > start + 50 ? start + 50 : null };
  }
}
