// The hosted API about users, accounts, their orders, fees and liquidations.
import { describe, expect, test } from 'vitest';
import { micros, ticks } from '../../../../src/bot/domain/numbers.ts';
import { ASK, anyNumber, BEYOND_DOUBLES, BID, openActiveApi, openHostedApi, postedId, RFC_3339, START, userOf } from './open-api.ts';

const lively = openActiveApi();
const { read } = lively;

describe('accounts', () => {
  test('/account/{id} has balances, positions, orders and margins', () => {
    expect(read(`/account/${lively.account}`)).toEqual({
      updateId: anyNumber,
      balances: [{ tokenId: 0, token: 'USDC', amount: anyNumber }],
      positions: [
        {
          marketId: 0,
          openOrders: 1,
          perp: {
            baseSize: 0.003,
            price: anyNumber,
            isLong: true,
            tradingPnl: anyNumber,
            sizePricePnl: anyNumber,
            fundingPaymentPnl: anyNumber,
            updatedFundingRateIndex: anyNumber,
          },
          actionId: anyNumber,
        },
      ],
      orders: [
        {
          orderId: lively.resting,
          marketId: 0,
          side: 'bid',
          price: anyNumber,
          size: 0.01,
          originalOrderSize: 0.01,
          clientOrderId: anyNumber,
        },
      ],
      margins: {
        omf: anyNumber,
        mf: anyNumber,
        imf: anyNumber,
        cmf: anyNumber,
        mmf: anyNumber,
        pon: anyNumber,
        pn: anyNumber,
        bankruptcy: false,
      },
    });
  });

  test('an id above 2^53 is written with all its digits', () => {
    const { body } = lively.send({ method: 'GET', path: `/account/${lively.account}` });
    expect(new TextDecoder().decode(body)).toContain(`"clientOrderId":${BEYOND_DOUBLES}}`);
  });

  test('a market with only orders has no position; an order without a client id has null', () => {
    const { trader, get: ask } = openHostedApi();
    const { place, account: id } = trader(1);
    place(BID);
    expect(ask(`/account/${id}`).body).toMatchObject({
      positions: [{ marketId: 0, openOrders: 1, perp: null }],
      orders: [{ clientOrderId: null }],
    });
  });

  test('an account that was read before shows what has changed since, each account its own', () => {
    const { read: ask, trader } = openHostedApi();
    const [first, second] = [trader(1), trader(2)];
    const shown = () => [first, second].map(({ account }) => ask(`/account/${account}`));
    const none = { orders: [] };
    expect(shown()).toMatchObject([none, none]);
    const orderId = postedId(first.place(BID));
    const resting = [{ orders: [{ price: 59_900, size: 0.01 }], positions: [{ perp: null }] }, none];
    expect(shown()).toMatchObject(resting);
    expect(shown()).toMatchObject(resting);
    second.place({ ...BID, side: 'ask', size: 40n });
    expect(shown()).toMatchObject([
      { orders: [{ size: 0.006, originalOrderSize: 0.01 }], positions: [{ perp: { baseSize: 0.004, isLong: true } }] },
      { orders: [], positions: [{ perp: { isLong: false } }] },
    ]);
    second.place({ ...BID, price: 598_000n });
    expect(shown()).toMatchObject([{ orders: [{ size: 0.006 }] }, { orders: [{ price: 59_800 }] }]);
    first.cancel(orderId);
    expect(shown()).toMatchObject([none, { orders: [{ price: 59_800 }] }]);
  });

  test('a short position is not long, and its size is positive', () => {
    const { trader, get: ask } = openHostedApi();
    trader(1).place(BID);
    const { place, account: id } = trader(2);
    place({ ...ASK, price: BID.price });
    expect(ask(`/account/${id}`).body).toMatchObject({
      positions: [{ openOrders: 0, perp: { baseSize: 0.01, price: 59_900, isLong: false } }],
    });
  });

  test('/account/{id}/orders is the history, newest first, finished orders included', () => {
    const { items, nextStartInclusive } = read(`/account/${lively.account}/orders`) as { items: unknown[]; nextStartInclusive: null };
    expect(nextStartInclusive).toBeNull();
    const both = {
      traderId: lively.account,
      marketId: 0,
      marketSymbol: 'BTCUSDC',
      tokenSymbol: 'BTC',
      side: 'bid',
      isReduceOnly: false,
      placedPrice: anyNumber,
      originalPriceLimit: anyNumber,
      placementOrigin: 'User',
      addedAt: RFC_3339,
      updatedAt: RFC_3339,
      updateActionId: anyNumber,
    };
    const open = { orderId: lively.resting, fillMode: 'Limit', placedSize: 0.01, originalSizeLimit: 0.01, filledSize: 0 };
    const done = { orderId: anyNumber, fillMode: 'ImmediateOrCancel', placedSize: 0.003, originalSizeLimit: 0.003, filledSize: 0.003 };
    expect(items).toEqual([
      { ...both, ...open, finalizationReason: null, tradeId: null },
      { ...both, ...done, finalizationReason: 'Filled', tradeId: anyNumber },
    ]);
  });

  test('the history comes in pages', () => {
    const path = `/account/${lively.account}/orders?pageSize=1`;
    const first = read(path) as { items: { orderId: number }[]; nextStartInclusive: number };
    expect(first.items).toHaveLength(1);
    const second = read(`${path}&startInclusive=${first.nextStartInclusive}`);
    expect(second).toMatchObject({ items: [{ orderId: first.nextStartInclusive }], nextStartInclusive: null });
  });

  test('/user/{pubkey} lists all accounts of a key', () => {
    const { trader, exchange, get: ask } = openHostedApi();
    const { user, account: first } = trader(1);
    const second = exchange.openAccount(userOf(user));
    expect(ask(`/user/${userOf(user)}`)).toMatchObject({ status: 200, body: { accountIds: [first, second], sessions: { 1: {} } } });
    exchange.advanceTo(START + 3_600_000);
    expect(ask(`/user/${userOf(user)}`).body).toEqual({ accountIds: [first, second], sessions: {} });
  });

  test('/accounts/liquidations/takes lists an account that was taken over, in raw integers', () => {
    const { trader, exchange, get: ask } = openHostedApi({ faucet: micros(2_500e6) });
    expect(ask('/accounts/liquidations/takes')).toEqual({ status: 200, body: [] });
    const [long, short] = [trader(1), trader(2)];
    short.place({ ...ASK, price: 600_000n, size: 5_000n });
    long.place({ ...BID, price: 600_000n, size: 5_000n });
    exchange.setIndex(0, ticks(540_000));
    exchange.advanceTo(START + 5_000);
    const { body } = ask('/accounts/liquidations/takes');
    expect(body).toEqual([
      {
        time: RFC_3339,
        actionId: anyNumber,
        takerAccountId: anyNumber,
        takerSide: 'bid',
        marketId: 0,
        settlementPrice: anyNumber,
        baseSize: 5_000,
        makerAccountId: long.account,
        bankruptcyPrice: anyNumber,
      },
    ]);
  });
});
