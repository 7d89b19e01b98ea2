// Replies of the local process about the account: every known difference between the real process and the API document.
import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/base/wire/framing.ts';
import { parseJson } from '../../../src/base/wire/json.ts';
import * as local from '../../../src/venues/wire/json/local.ts';
import { readAs } from '../../../src/venues/wire/json/local.ts';

const time = '2026-01-02T03:04:05Z';
const idOf = (json: string) => readAs(local.localOrders, parseJson(`[${json}]`, { maxBytes: 1_000, maxDepth: 9 }), 'orders')[0]?.id;

describe('the account', () => {
  const position = { future: 'BTC-PERP', netSize: -0.5, size: 0.5, side: 'sell' };
  const account = {
    backstopProvider: false,
    collateral: 1_000,
    freeCollateral: 900,
    liquidating: false,
    totalAccountValue: 998,
    totalPositionSize: 50,
    username: 'someone',
    positions: [position],
  };

  it('may lack leverage, fees, and the fractions that have nothing to divide by', () => {
    const fractions = {
      marginFraction: null,
      openMarginFraction: null,
      initialMarginRequirement: null,
      maintenanceMarginRequirement: null,
    };
    expect(readAs(local.localAccount, { ...account, ...fractions, makerFee: 0, takerFee: 0.001 }, 'account')).toEqual({
      ...account,
      makerFee: 0,
      takerFee: 0.001,
    });
  });

  it('has positions whose requirements may be text', () => {
    const written = { ...position, initialMarginRequirement: '0.1', maintenanceMarginRequirement: '5e-2' };
    const read = readAs(local.localAccount, { ...account, positions: [written] }, 'account');
    expect(read.positions).toEqual([{ ...position, initialMarginRequirement: 0.1, maintenanceMarginRequirement: 0.05 }]);
  });

  it.each([
    { freeCollateral: null },
    { totalAccountValue: undefined },
    { positions: undefined },
    { positions: [{ ...position, netSize: null }] },
  ])('is refused with %j', (wrong) => {
    expect(() => readAs(local.localAccount, { ...account, ...wrong }, 'account')).toThrow(`account at ${Object.keys(wrong)[0]}`);
  });
});

describe('balances', () => {
  const balance = { coin: 'SOL', free: '1.5', spotBorrow: 0, total: -2, usdValue: -40, availableWithoutBorrow: '0' };

  it('accept a number or text', () => {
    expect(readAs(local.localBalances, [balance], 'balances')).toEqual([{ ...balance, free: 1.5, availableWithoutBorrow: 0 }]);
  });

  it.each([
    [-2, 2],
    [2, 2],
    [0, 0],
  ])('borrowed %d is owed %d', (written, owed) => {
    expect(readAs(local.localBalances, [{ ...balance, spotBorrow: written }], 'balances')[0]?.spotBorrow).toBe(owed);
  });
});

describe('orders', () => {
  const order = { id: '7', market: 'BTC-PERP', type: 'limit', side: 'buy', price: 99, size: 1, status: 'open' };
  const typeOf = (type: unknown) => readAs(local.localOrder, { ...order, type }, 'order').type;

  it.each([
    ['7', '7'],
    ['"7"', '7'],
    ['9007199254740993', '9007199254740993'],
    ['340282366920938463463374607431768211455', '340282366920938463463374607431768211455'],
    ['"a_b-c"', 'a_b-c'],
  ])('with the id %s have the id %s', (written, id) => {
    expect(idOf(JSON.stringify(order).replace('"7"', written))).toBe(id);
  });

  it.each(['null', '-1', '1.5', '""', '".."', '"7/modify"', '"7?x"', '" 7"', 'true'])('are refused with the id %s', (written) => {
    expect(() => idOf(JSON.stringify(order).replace('"7"', written))).toThrow('orders at 0.id');
  });

  it('have a type as text, or as the only key of an object', () => {
    expect(typeOf('market')).toBe('market');
    expect(typeOf({ limit: {} })).toBe('limit');
    expect(typeOf({ postOnly: null })).toBe('postOnly');
    expect(typeOf(undefined)).toBeUndefined();
    for (const wrong of [{}, { limit: {}, market: {} }, 7, []]) expect(() => typeOf(wrong)).toThrow('order at type');
  });

  it('have prices and sizes as numbers or text, no price at the market, and any client id', () => {
    const read = readAs(local.localOrder, { ...order, price: '99.5', size: '0.25', clientId: 5 }, 'order');
    expect(read).toMatchObject({ price: 99.5, size: 0.25, clientId: '5' });
    expect(readAs(local.localOrder, { ...order, price: null, clientId: null }, 'order')).toMatchObject({
      price: undefined,
      clientId: undefined,
    });
    expect(readAs(local.localOrder, { ...order, clientId: 'mine, and odd' }, 'order').clientId).toBe('mine, and odd');
  });
});

describe('what became of an order', () => {
  const flags = { reduceOnly: false, ioc: false, postOnly: true };

  it('is a transaction id, in either spelling', () => {
    expect(readAs(local.orderEcho, { txId: '4yUQ' }, 'order')).toEqual({ txId: '4yUQ' });
    expect(readAs(local.orderEcho, { txid: '4yUQ' }, 'order')).toEqual({ txId: '4yUQ' });
    expect(readAs(local.closing, { txid: '4yUQ' }, 'closing')).toEqual({ txId: '4yUQ' });
  });

  it('is what the real process makes of it: no id at all, and NaN as null', () => {
    const echo = { createdAt: time, future: 'X', market: 'X', price: 1, remainingSize: null, side: 'buy', size: 1, status: 'open' };
    expect(readAs(local.orderEcho, { ...echo, ...flags, clientId: 12 }, 'order')).toEqual({
      ...echo,
      remainingSize: undefined,
      ...flags,
      clientId: '12',
    });
  });

  it('does not fail because of a field that cannot be read', () => {
    const odd = { txId: {}, id: [], filledSize: { negative: 0 }, createdAt: 'now', side: 'long', reduceOnly: 'yes', ioc: 1, size: 2 };
    expect(readAs(local.orderEcho, odd, 'order')).toEqual({ size: 2 });
  });

  it.each([null, 'queued', [], 7])('does not follow from %j', (result) => {
    expect(() => readAs(local.orderEcho, result, 'order')).toThrow(WireError);
  });
});

describe('what became of a transfer', () => {
  it('is read in either spelling, and with the size if the server sends it', () => {
    const done = { coin: 'USDC', status: 'processed', time };
    expect(readAs(local.walletOperation, { ...done, txid: 'a' }, 'deposit')).toEqual({ ...done, txId: 'a' });
    expect(readAs(local.walletOperation, { ...done, txId: 'b', txid: 'a', size: '1.5' }, 'deposit')).toEqual({
      ...done,
      txId: 'b',
      size: 1.5,
    });
  });

  it('is listed as a deposit or a withdrawal, of whatever status', () => {
    const row = { coin: 'USDC', size: 1, type: 'withdrawal', status: 'processed', time };
    expect(readAs(local.transfers, [row, { ...row, status: null }], 'transfers')).toEqual([row, { ...row, status: undefined }]);
    expect(() => readAs(local.transfers, [{ ...row, type: 'gift' }], 'transfers')).toThrow('transfers at 0.type');
  });
});

it('fills and funding payments lack nothing that is summed up', () => {
  const fill = { market: 'X', liquidity: 'taker', price: 1, size: 2, side: 'sell', time };
  expect(readAs(local.orderFills, [fill], 'history')).toEqual([fill]);
  for (const key of ['liquidity', 'price', 'size', 'side', 'time']) {
    expect(() => readAs(local.orderFills, [{ ...fill, [key]: null }], 'history')).toThrow(`history at 0.${key}`);
  }
  const payment = { future: 'X', rate: 0.0001, payment: -0.5, date: time };
  expect(readAs(local.fundingPayments, [payment], 'payments')).toEqual([payment]);
  expect(() => readAs(local.fundingPayments, [{ ...payment, payment: null }], 'payments')).toThrow('payments at 0.payment');
});
