// Actions of the hosted API, sent by an independent client: sessions, orders, fills, and refusals by name.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyNamed } from '../foreign/keys.ts';
import { integer, number, SHAPES } from './hosted-shapes.ts';
import { HOSTED_TARGETS, type Target } from './hosted-targets.ts';
import { HostedTrader, type OrderChanges, postedIn, session, sessionIn, user } from './hosted-trader.ts';

/** Names of the error in the document and in the live schema. */
const NO_FUNDS = expect.stringMatching(/^(INSUFFICIENT_FUNDS|BALANCE_INSUFFICIENT|RISK_)/);

interface ActionFilter {
  readonly price: number;
  readonly baseSize: number;
  readonly takerFee: number;
  readonly takerSide: string;
}

describe.each(HOSTED_TARGETS)('actions on $name', ({ start }) => {
  let target: Target;
  let me: HostedTrader;

  beforeAll(async () => {
    target = await start();
    me = await HostedTrader.open(target.client);
  });
  afterAll(() => target?.stop());

  test('a session is listed by its id, with its key and the requested expiry', async () => {
    const key = keyNamed('another session');
    const now = await me.stamp();
    const opened = sessionIn(await me.client.createSession({ user, session: key, expiry: now.timestamp + 900, ...now }));
    expect(opened).toBeGreaterThan(0n);
    const { sessions } = await me.read<{ sessions: Record<string, { pubkey: string; expiry: string }> }>(
      `/user/${user.base58}`,
      SHAPES.user,
    );
    const { pubkey, expiry = '' } = sessions[String(opened)] ?? {};
    expect([pubkey, Date.parse(expiry)]).toEqual([key.base58, (now.timestamp + 900) * 1_000]);
  });

  test('a resting order appears in the account and its margins, and is cancelled once', async () => {
    const expected = await me.order({ clientOrderId: 424_242n });
    const receipt = await me.client.placeOrder(expected, session);
    expect(receipt).toMatchObject({ clientOrderId: 424_242n, fills: [] });
    const { orderId, ...posted } = postedIn(receipt);
    const { marketId } = me.market;
    expect(posted).toEqual({ side: 'bid', marketId, price: expected.price, size: expected.size, accountId: me.accountId });
    const price = Number(expected.price) / 10 ** me.market.priceDecimals;
    const size = Number(expected.size) / 10 ** me.market.sizeDecimals;
    const before = await me.account();
    const shown = { orderId: Number(orderId), side: 'bid', price, size, originalOrderSize: size, clientOrderId: 424_242 };
    expect(before.orders).toMatchObject([shown]);
    expect(before.positions).toMatchObject([{ marketId, openOrders: 1, perp: null }]);
    expect(before.margins.imf).toBeGreaterThan(0);
    expect(before.margins.omf).toBeGreaterThan(before.margins.imf);
    expect(await me.cancel(orderId)).toMatchObject({ kind: 'cancelled', orderId, accountId: me.accountId });
    const after = await me.account();
    expect(after.orders).toEqual([]);
    expect(after.margins.pon).toBe(0);
    expect(after.updateId).toBeGreaterThanOrEqual(before.updateId);
    expect(await me.cancel(orderId)).toMatchObject({ kind: 'err', error: 'ORDER_NOT_FOUND' });
    const history = await me.read<{ items: { orderId: number }[] }>(`/account/${me.accountId}/orders?pageSize=50`, SHAPES.orderHistory);
    expect(history.items.map((item) => item.orderId)).toContain(Number(orderId));
  });

  test('a crossing order is filled at once: no resting id, a position, trades and taker fees', async () => {
    const bought = await me.place({ fillMode: 'immediateOrCancel', away: -1 });
    expect(bought).toMatchObject({ kind: 'placed', posted: undefined });
    const lots = bought.kind === 'placed' ? bought.fills.reduce((sum, fill) => sum + fill.size, 0n) : 0n;
    const size = Number(lots) / 10 ** me.market.sizeDecimals;
    expect(size).toBeGreaterThan(0);
    const { positions } = await me.account();
    expect(positions).toMatchObject([{ openOrders: 0, perp: { isLong: true, baseSize: size } }]);

    const { items } = await me.read<{ items: ActionFilter[] }>(
      `/trades?takerId=${me.accountId}&marketId=${me.market.marketId}`,
      SHAPES.trades,
    );
    expect(items.reduce((sum, trade) => sum + trade.baseSize, 0)).toBeCloseTo(size, 9);
    for (const { takerSide, takerFee, price, baseSize } of items) {
      expect(takerSide).toBe('bid');
      expect(takerFee).toBeCloseTo(price * baseSize * 0.00035, 4);
    }

    const sold = await me.place({ side: 'ask', fillMode: 'fillOrKill', away: -1, size: lots });
    expect(sold).toMatchObject({ kind: 'placed', posted: undefined });
    expect((await me.account()).margins).toMatchObject({ pn: 0, imf: 0, bankruptcy: false });
  });

  test('a new account has the fees of the first tier, as fractions', async () => {
    const fees = `/market/${me.market.marketId}/fees`;
    expect(await me.read(`${fees}/taker/${me.accountId}`, number)).toBe(0.00035);
    expect(await me.read(`${fees}/maker/${me.accountId}`, number)).toBe(0.0001);
    expect(await me.read(`/account/${me.accountId}/fee/tier`, integer)).toBe(0);
  });

  test.each<[string, OrderChanges]>([
    ['POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS', { fillMode: 'postOnly', away: -1 }],
    ['IMMEDIATE_ORDER_GOT_NO_FILLS', { fillMode: 'immediateOrCancel', away: 1 }],
    ['ORDER_EXECUTION_FILL_OR_KILL', { fillMode: 'fillOrKill', away: 1 }],
    ['ORDER_SIZE_ZERO', { size: 0n }],
    ['ORDER_EXECUTION_MISSING_PRICE', { price: 0n }],
    ['MARKET_NOT_FOUND', { marketId: 4_000 }],
    ['SESSION_NOT_FOUND', { sessionId: 4_000_000_000n }],
  ])('an order refused with %s leaves the account unchanged', async (error, changes) => {
    const before = await me.account();
    expect(await me.place(changes)).toMatchObject({ kind: 'err', error });
    const { orders, balances } = await me.account();
    expect({ orders, balances }).toEqual({ orders: before.orders, balances: before.balances });
  });

  test('an order that exceeds the margin is refused', async () => {
    expect(await me.place({ size: 400n * 10n ** BigInt(me.market.sizeDecimals) })).toMatchObject({ kind: 'err', error: NO_FUNDS });
  });
});
