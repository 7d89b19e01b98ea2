// A schema in use against the one that the exchange publishes: what is written, left out and refused.
import { describe, expect, it } from 'vitest';
import { ActionCodec, type WireAction } from '../../../src/venues/wire/codec.ts';
import { bundledSchema, compareWithPublished, type WrittenKind } from '../../../src/venues/wire/schema/schema.ts';

const { text } = bundledSchema();
const MARK = 'bool is_reduce_only = 36;';
const CANCELS: readonly WrittenKind[] = ['createSession', 'cancelOrder'];

const compared = (published: string, kinds?: readonly WrittenKind[]) => {
  expect(published).not.toBe(text);
  return compareWithPublished(bundledSchema(), published, kinds);
};

describe('every field that may be written', () => {
  const order: WireAction = {
    kind: 'placeOrder',
    timestamp: 1,
    nonce: 2,
    sessionId: '3',
    marketId: 0,
    side: 'bid',
    fillMode: 'LIMIT',
    price: 5n,
    size: 6n,
    clientOrderId: '7',
  };

  it('is written as before but for reduce-only, which is left out if the exchange lacks it', () => {
    const { conflicts, omitted, agreed } = compared(text.replace(MARK, ''));
    expect([conflicts, omitted]).toEqual([[], ['- action.placeOrder.reduceOnly: 36']]);
    const [whole, common] = [new ActionCodec(bundledSchema()), new ActionCodec(agreed)];
    expect(common.extras).toEqual({ ...whole.extras, reduceOnly: false });
    expect(common.encode(order)).toEqual(whole.encode(order));
    expect(() => common.encode({ ...order, reduceOnly: true })).toThrow('no field for reduceOnly');
  });

  it.each([
    [
      'another field has the number of a droppable field',
      text.replace(MARK, 'uint32 slippage_bps = 36;'),
      'reduceOnly: 36 became uint32 slippage_bps = 36',
    ],
    [
      'a droppable field has another type',
      text.replace(MARK, 'uint32 is_reduce_only = 36;'),
      'reduceOnly: 36 became uint32 is_reduce_only = 36',
    ],
    ['it has moved as well', text.replace(MARK, 'uint32 is_reduce_only = 37;'), 'reduceOnly: 36 became uint32 is_reduce_only = 37'],
    [
      'our id of an order is missing',
      text.replace('optional uint64 client_order_id = 33; // [exchange] chosen', '//'),
      'clientOrderId: 33',
    ],
    ['the account of an order is missing', text.replace('optional uint32 sender_account_id = 34;', '//'), 'placeOrder.senderAccountId: 34'],
    [
      'the account of a cancel is missing',
      text.replace('optional uint32 sender_account_id = 33;', '//'),
      'cancelOrder.senderAccountId: 33',
    ],
    [
      'the account of an order has become another field',
      text.replace('optional uint32 sender_account_id = 34;', 'uint32 fee_account = 34;'),
      'senderAccountId: 34 became uint32 fee_account = 34',
    ],
    [
      'a field that is only read has become another',
      text.replace('optional uint64 client_order_id = 3;', 'uint64 lot = 3;'),
      'receipt.placeOrder.clientOrderId: 3 became uint64 lot = 3',
    ],
    ['a required field has moved', text.replace('uint64 price = 5;', 'uint64 price = 50;'), 'placeOrder.price: 5 became 50'],
    ['a word has another number', text.replace('BID = 1;', 'BID = 2;'), 'side.bid: 1 became 2'],
  ])('is refused where %s', (_, published, expected) => {
    expect(compared(published).conflicts.join()).toContain(expected);
  });

  it('may be missing where it is only read', () => {
    const { conflicts, others } = compared(text.replace('optional uint64 client_order_id = 3;', '//'));
    expect([conflicts, others]).toEqual([[], ['- receipt.placeOrder.clientOrderId: 3']]);
  });
});

describe('cancels alone', () => {
  it('do not depend on the fields of orders', () => {
    const published = text.replace('uint64 price = 5;', 'uint64 price = 50;').replace(MARK, 'uint32 slippage_bps = 36;');
    expect(compared(published, CANCELS)).toMatchObject({ conflicts: [], omitted: [], others: [] });
  });

  it('depend on their own', () => {
    const published = text.replace('uint64 order_id = 2; // [document]', 'uint64 order_id = 3;');
    expect(compared(published, CANCELS).conflicts).toEqual(['~ action.cancelOrder.orderId: 2 became 3']);
  });
});
