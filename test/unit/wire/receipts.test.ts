// Receipts against bytes written by hand: only the kind distinguishes success from failure.
import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/base/wire/framing.ts';
import { ActionCodec, type Receipt } from '../../../src/venues/wire/codec.ts';
import { loadSchema } from '../../../src/venues/wire/schema/schema.ts';
import { bundled, documentText, hex, live, liveText, toHex } from './samples.ts';

const placed: Receipt = {
  actionId: '7',
  kind: 'placeOrder',
  posted: { side: 'bid', marketId: 2, price: 300n, size: 5n, orderId: '7', accountId: 3 },
  fills: [{ orderId: '9', price: 10n, size: 11n, accountId: 12 }],
  clientOrderId: '44',
};

describe.each([
  ['DUPLICATE, which is number 0', { actionId: '7', kind: 'err', error: 'DUPLICATE', code: 0 }, '05 0807 800200'],
  ['an error of two bytes', { actionId: '7', kind: 'err', error: 'ATOMICS_TRADES_CANNOT_FOLLOW_PLACES', code: 256 }, '06 0807 80028002'],
  ['an error without a name', { actionId: '7', kind: 'err', error: 'UNKNOWN_300', code: 300 }, '06 0807 8002ac02'],
  ['a session', { actionId: '7', kind: 'createSession', sessionId: '42' }, '07 0807 8a0202 082a'],
  ['a placement', placed, '20 0807 92021b 0a0d 0801 1002 18ac02 2005 2807 3003 1208 1009 200a 280b 300c 182c'],
  ['a placement without effect', { actionId: '7', kind: 'placeOrder', fills: [] }, '05 0807 920200'],
  ['a cancel', { actionId: '7', kind: 'cancelOrder', orderId: '9', accountId: 3 }, '09 0807 9a0204 0809 1003'],
  ['nothing', { actionId: '7', kind: 'nothing', name: undefined }, '02 0807'],
] as const satisfies readonly (readonly [string, Receipt, string])[])('%s', (_, receipt, bytes) => {
  it.each([
    ['bundled', bundled],
    ['live', live],
  ])('%s is written and read according to the tables', (_, codec) => {
    expect(toHex(codec.encodeReceipt(receipt))).toBe(toHex(hex(bytes)));
    expect(codec.decodeReceipt(hex(bytes))).toEqual(receipt);
  });
});

describe('reading', () => {
  it("uses the document's name for 164 if the schema has it", () => {
    const bytes = hex('06 0807 8002a401');
    expect(bundled.decodeReceipt(bytes)).toMatchObject({ error: 'INSUFFICIENT_FUNDS', code: 164 });
    expect(live.decodeReceipt(bytes)).toMatchObject({ error: 'BALANCE_INSUFFICIENT', code: 164 });
  });

  it.each([
    ['known by name', 'ba0200', 'withdraw_result'],
    ['of an unknown number', 'ba0600', 'field 103'],
  ])('ignores a kind %s', (_, kind, name) => {
    expect(live.decodeReceipt(hex(`05 0807 ${kind}`))).toEqual({ actionId: '7', kind: 'nothing', name });
  });

  it('passes over fields that results have beyond ours', () => {
    expect(live.decodeReceipt(hex('0b 0807 920206 2063 2a02 1801'))).toEqual({ actionId: '7', kind: 'placeOrder', fills: [] });
  });

  it('passes over a field beside the kind, but not over a second kind', () => {
    expect(live.decodeReceipt(hex('08 0807 9a0200 b80601'))).toMatchObject({ kind: 'cancelOrder' });
    expect(() => live.decodeReceipt(hex('08 0807 9a0200 ba0200'))).toThrow('more than one kind');
    expect(() => live.decodeReceipt(hex('08 0807 9a0200 800200'))).toThrow('more than one kind');
  });

  it('tolerates bytes after the receipt', () => {
    expect(bundled.decodeReceipt(hex('02 0807 ffff'))).toEqual({ actionId: '7', kind: 'nothing', name: undefined });
  });

  it('refuses an announced length over 100 KiB, and one that is not there', () => {
    expect(() => bundled.decodeReceipt(hex('81a006'))).toThrow('102401 bytes was announced; at most 102400');
    expect(() => bundled.decodeReceipt(hex('80a006'))).toThrow('102400 bytes was announced, but 0 are left');
    expect(() => bundled.decodeReceipt(hex(''))).toThrow(WireError);
  });

  it('reads a receipt full of fills in time that grows with its length', () => {
    const fills = Array.from({ length: 5000 }, (_, index) => ({ orderId: `${index}`, price: 1n, size: 1n, accountId: 1 }));
    const bytes = bundled.encodeReceipt({ ...placed, fills });
    expect(bundled.decodeReceipt(bytes)).toEqual({ ...placed, fills });
  });
});

describe('a schema written from the document alone', () => {
  const codec = new ActionCodec(loadSchema(documentText));

  it('gives a placement and a cancel without particulars', () => {
    expect(codec.decodeReceipt(codec.encodeReceipt(placed))).toEqual({ actionId: '7', kind: 'placeOrder', fills: [] });
    const cancelled: Receipt = { actionId: '7', kind: 'cancelOrder', orderId: '9', accountId: 3 };
    expect(codec.decodeReceipt(codec.encodeReceipt(cancelled))).toEqual({ ...cancelled, orderId: undefined, accountId: undefined });
  });

  it('sends errors by its own numbers, and never one that it reads as another', () => {
    const sent = (error: string) => codec.decodeReceipt(codec.encodeReceipt({ actionId: '7', kind: 'err', error, code: -1 }));
    expect(sent('INSUFFICIENT_FUNDS')).toMatchObject({ error: 'INSUFFICIENT_FUNDS', code: 1 });
    expect(sent('BALANCE_INSUFFICIENT')).toMatchObject({ error: 'INSUFFICIENT_FUNDS', code: 1 });
    expect(sent('SIGNATURE_VERIFICATION')).toMatchObject({ error: 'INVALID_SIGNATURE', code: 2 });
    expect(sent('USER_NOT_FOUND')).toMatchObject({ error: 'UNKNOWN_6', code: 6 });
    expect(codec.errorCode('IMMEDIATE_ORDER_GOT_NO_FILLS')).toBe(1133); // 133 is SESSION_NOT_FOUND there
    expect(codec.errorCode('NO_SUCH_ERROR')).toBeUndefined();
  });
});

it('finds results under their older names', () => {
  const codec = new ActionCodec(
    loadSchema(liveText.replace('place_order_result =', 'trade_or_place =').replace('session_pubkey', 'blst_pubkey')),
  );
  expect(codec.decodeReceipt(hex('05 0807 920200'))).toMatchObject({ kind: 'placeOrder' });
});
