// The contract of every venue adapter with the engine, checked by its events only.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CancelOrder, PlaceOrder } from '../../src/bot/domain/action.ts';
import { bookFault } from '../../src/bot/domain/book.ts';
import { compareIds, type OrderId } from '../../src/bot/domain/ids.ts';
import { lots } from '../../src/bot/domain/numbers.ts';
import type { FillMode } from '../../src/bot/domain/order.ts';
import type { EventRecorder } from '../../src/research/testing/venue/recorder.ts';
import { VENUES } from './venues.ts';

const MARKET = 0;
const SIZE = lots(10);
/** Factors of the best ask: a bid far enough below it to rest, and one far enough above it to trade. */
const [PASSIVE, CROSSING] = [0.99, 1.002];

describe.each(Object.entries(VENUES))('%s', (_, open) => {
  let recorder: EventRecorder;
  let placed = 0;

  beforeAll(async () => {
    recorder = await open();
  });
  afterAll(() => recorder.close());

  const bid = async (fillMode: FillMode, factor: number): Promise<PlaceOrder> => {
    const { book } = await recorder.first('bookSeen', { from: recorder.events.length });
    const market = recorder.venue.feed.markets[0];
    const ask = book.asks[0];
    if (market === undefined || ask === undefined) throw new Error('nothing is offered');
    const clientOrderId = String(1_000 + ++placed);
    const price = market.restAt('bid', market.price(ask.price) * factor);
    return { kind: 'place', clientOrderId, market: MARKET, side: 'bid', price, size: SIZE, fillMode };
  };
  const submit = (...actions: (PlaceOrder | CancelOrder)[]): number => {
    const from = recorder.events.length;
    recorder.venue.gateway.submit(actions);
    return from;
  };
  const listing = ({ clientOrderId }: PlaceOrder, from: number) =>
    recorder.first('accountSeen', { from, where: ({ account }) => account.orders.some((order) => order.clientOrderId === clientOrderId) });
  const rested = async (): Promise<{ order: PlaceOrder; cancel: CancelOrder }> => {
    const order = await bid('POST_ONLY', PASSIVE);
    const { account } = await listing(order, submit(order));
    const orderId = account.orders.find(({ clientOrderId }) => clientOrderId === order.clientOrderId)?.orderId ?? '';
    return { order, cancel: cancelOf(order, orderId) };
  };
  const absent = ({ orderId }: CancelOrder, from: number) =>
    recorder.first('accountSeen', {
      from,
      where: ({ asked, account }) =>
        asked >= (recorder.of('cancelAnswered', from)[0]?.at ?? Number.POSITIVE_INFINITY) &&
        account.orders.every((order) => order.orderId !== orderId),
    });
  const answerTo = (order: PlaceOrder, from: number) =>
    recorder.first('cancelAnswered', { from, where: (it) => it.clientOrderId === order.clientOrderId });
  const rejectionOf = (order: PlaceOrder, from: number) =>
    recorder.first('orderRejected', { from, where: (it) => it.clientOrderId === order.clientOrderId });

  test('reports books, info, trades and time, with a request time before the report time', async () => {
    await recorder.several('bookSeen', { count: 4 });
    await recorder.first('tradesSeen', { where: ({ trades }) => trades.length > 0 });
    await recorder.first('infoSeen', { where: ({ infos }) => infos.some(({ market, mark }) => market === MARKET && mark !== undefined) });
    await recorder.first('timeSeen');
    for (const event of recorder.events) if ('asked' in event) expect(event.asked).toBeLessThanOrEqual(event.at);
  });

  test('reports valid books, best price first, never older than the previous one', async () => {
    const books = (await recorder.several('bookSeen', { count: 4 })).map(({ book }) => book);
    for (const book of books) {
      expect(bookFault(book)).toBeUndefined();
      expect(book.bids.map(({ price }) => price)).toEqual(book.bids.map(({ price }) => price).toSorted((a, b) => b - a));
      expect(book.asks.map(({ price }) => price)).toEqual(book.asks.map(({ price }) => price).toSorted((a, b) => a - b));
    }
    const ids = books.map(({ updateId }) => updateId);
    expect(ids).toEqual(ids.toSorted(compareIds));
  });

  test('reports its account with balances and margins', async () => {
    const { account } = await recorder.first('accountSeen');
    expect(account).toMatchObject({ id: recorder.venue.gateway.account, orders: [], margins: { bankruptcy: false } });
    expect(account.margins.mf).toBeGreaterThan(0);
    expect(account.balances.some(({ amount }) => amount > 0)).toBe(true);
  });

  test('reports a resting order once and cancels it', async () => {
    const from = recorder.events.length;
    const { order, cancel } = await rested();
    await recorder.first('orderOpened', { from }); // an account may list the order before its own receipt arrives
    expect(recorder.of('orderOpened', from)).toMatchObject([{ clientOrderId: order.clientOrderId }]);
    const cancelled = submit(cancel);
    expect(['cancelled', 'queued']).toContain((await answerTo(order, cancelled)).outcome);
    await absent(cancel, cancelled);
    expect(recorder.of('orderOpened', from)).toHaveLength(1);
  });

  test('reports notFound for the cancel of an order that is gone', async () => {
    const { order, cancel } = await rested();
    await absent(cancel, submit(cancel));
    expect((await answerTo(order, submit(cancel))).outcome).toBe('notFound');
  });

  test('sends the cancels of a batch before its placements', async () => {
    const { order, cancel } = await rested();
    const next = await bid('POST_ONLY', PASSIVE);
    const from = submit(next, cancel);
    await recorder.first('orderOpened', { from, where: ({ clientOrderId }) => clientOrderId === next.clientOrderId });
    const kinds = recorder.events
      .slice(from)
      .flatMap((it) => (it.kind === 'cancelAnswered' || it.kind === 'orderOpened' ? [it.clientOrderId] : []));
    expect(kinds).toEqual([order.clientOrderId, next.clientOrderId]);
  });

  test.each([
    ['a post-only order that crosses', 'POST_ONLY', CROSSING, /POST_ONLY|Post only order would have immediately matched/],
    ['an immediate order without a counterparty', 'IMMEDIATE_OR_CANCEL', PASSIVE, /NO_FILLS|could not immediately match/],
  ] as const)('rejects %s with a reason', async (_case, fillMode, factor, reason) => {
    const order = await bid(fillMode, factor);
    expect((await rejectionOf(order, submit(order))).error).toMatch(reason);
  });

  test('reports the fills of an immediate order once, and the resulting position', async () => {
    const { account } = await recorder.first('accountSeen', { from: recorder.events.length });
    const expected = positionIn(account.positions) + SIZE;
    const order = await bid('IMMEDIATE_OR_CANCEL', CROSSING);
    const from = submit(order);
    await recorder.first('accountSeen', { from, where: (it) => positionIn(it.account.positions) === expected });
    await recorder.first('fillsSeen', { from, where: ({ fills }) => fills.length > 0 });
    await recorder.several('fillsSeen', { count: 2, from: recorder.events.length });
    const fills = recorder.of('fillsSeen', from).flatMap((it) => it.fills);
    expect(fills.reduce((sum, { size }) => sum + size, 0)).toBe(SIZE);
    expect(new Set(fills.map(({ tradeId }) => tradeId)).size).toBe(fills.length);
    for (const fill of fills) expect(fill).toMatchObject({ market: MARKET, side: 'bid', role: 'taker' });
    expect(Math.max(...fills.map(({ price }) => price))).toBeLessThanOrEqual(order.price);
  });

  test('ends its event streams when closed', async () => {
    await recorder.venue.gateway.close();
    expect(recorder.ended).toBe(2);
  });
});

const cancelOf = ({ clientOrderId }: PlaceOrder, orderId: OrderId): CancelOrder => ({
  kind: 'cancel',
  clientOrderId,
  market: MARKET,
  orderId,
});

const positionIn = (positions: readonly { readonly market: number; readonly size: number }[]): number =>
  positions.find(({ market }) => market === MARKET)?.size ?? 0;
