// Actions against bytes written by hand from the tables, in the document's numbering and in the exchange's own.
import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/base/wire/framing.ts';
import { ActionCodec, type WireAction } from '../../../src/venues/wire/codec.ts';
import { loadSchema } from '../../../src/venues/wire/schema/schema.ts';
import { bundled, documentText, framed, hex, key, live, toHex } from './samples.ts';

const place = {
  kind: 'placeOrder',
  timestamp: 5,
  nonce: 1,
  sessionId: '8',
  marketId: 0,
  side: 'bid',
  fillMode: 'LIMIT',
  price: 300n,
  size: 1n,
  clientOrderId: '9',
  senderAccountId: 0,
} as const satisfies WireAction;
const cancel: WireAction = { kind: 'cancelOrder', timestamp: 5, nonce: 1, sessionId: '8', orderId: '9007199254740993', senderAccountId: 1 };
const session: WireAction = { kind: 'createSession', timestamp: 5, nonce: 1, userPubkey: key(0x11), sessionPubkey: key(0x22), expiry: 100 };

// length, timestamp, nonce, kind and its length; zero market and fill mode are not written, a zero sender is
const PLACE = '15 0805 1001 3a0f  0808 1801 28ac02 3001 880209 900200';
const PLACE_LIVE = '15 0805 1001 3a0f  0808 1801 30ac02 3801 880209 900200';
const CANCEL = '14 0805 1001 420e  0808 108180808080808010 880201';
const SESSION = `4c 0805 1001 2246  0a20${'11'.repeat(32)} 1220${'22'.repeat(32)} 1864`;

describe.each([
  ['placement, bundled', bundled, place, PLACE],
  ['placement, live', live, place, PLACE_LIVE],
  ['cancel, bundled', bundled, cancel, CANCEL],
  ['cancel, live', live, cancel, CANCEL],
  ['session, bundled', bundled, session, SESSION],
  ['session, live', live, session, SESSION],
] as const)('%s', (_, codec, action, bytes) => {
  it('is written as in the tables', () => expect(toHex(codec.encode(action))).toBe(toHex(hex(bytes))));
  it('is read back whole', () => expect(codec.decode(hex(bytes))).toStrictEqual(action));
});

describe('writing', () => {
  it('keeps u64 exact to the last bit', () => {
    const max = '18446744073709551615';
    const bytes = bundled.encode({ ...place, sessionId: max, price: 2n ** 64n - 1n });
    expect(toHex(bytes)).toContain('08ffffffffffffffffff01');
    expect(toHex(bytes)).toContain('28ffffffffffffffffff01');
    expect(bundled.decode(bytes)).toMatchObject({ sessionId: max, price: 2n ** 64n - 1n });
  });

  it.each([
    ['a price of 2^64', { price: 2n ** 64n }],
    ['a negative size', { size: -1n }],
    ['a market beyond 32 bits', { marketId: 2 ** 32 }],
    ['a fraction of a market', { marketId: 1.5 }],
    ['a negative market', { marketId: -1 }],
    ['not a number', { marketId: Number.NaN }],
    ['an id that is not a number', { sessionId: '0x10' }],
    ['an empty id', { sessionId: '' }],
    ['an id of 2^64', { clientOrderId: '18446744073709551616' }],
    ['an unknown side', { side: 'buy' }],
    ['no side', { side: undefined }],
    ['no price', { price: undefined }],
  ])('refuses %s', (_, wrong) => {
    expect(() => bundled.encode({ ...place, ...wrong } as WireAction)).toThrow(/cannot be|has no value/);
  });

  it('refuses a key of another length', () => {
    expect(() => bundled.encode({ ...session, userPubkey: new Uint8Array(31) })).toThrow('not a key of 32 bytes');
  });

  it('has no encoder for any other kind', () => {
    expect(() => live.encode({ kind: 'other', name: 'withdraw', timestamp: 5, nonce: 1 })).toThrow('only sessions, placements and cancels');
  });

  it('refuses a field that the schema lacks, rather than drop it', () => {
    const codec = new ActionCodec(loadSchema(documentText));
    expect(codec.extras).toEqual({ clientOrderId: false, placeSender: false, cancelSender: false, reduceOnly: false });
    expect(() => codec.encode(place)).toThrow('no field for clientOrderId');
    const { clientOrderId: _, senderAccountId: __, ...plain } = place;
    expect(toHex(codec.encode(plain))).toBe(toHex(hex('0f 5805 6001 7209  0808 1801 28ac02 3001')));
  });

  it('knows the extras of a schema', () => {
    const both = { clientOrderId: true, placeSender: true, cancelSender: true };
    expect([bundled.extras, live.extras]).toEqual([
      { ...both, reduceOnly: true },
      { ...both, reduceOnly: true },
    ]);
  });
});

describe('reduce-only', () => {
  it('is written if the schema has it, and read back', () => {
    const order = { ...place, reduceOnly: true };
    expect(live.decode(live.encode(order))).toEqual(order);
    expect(live.decode(live.encode(place))).toEqual(place);
  });

  it('is never left out of an action that has it', () => {
    const { clientOrderId: _, senderAccountId: __, ...plain } = place;
    const codec = new ActionCodec(loadSchema(documentText));
    expect(() => codec.encode({ ...plain, reduceOnly: true })).toThrow('the schema has no field for reduceOnly in placeOrder');
  });
});

describe('reading', () => {
  it('shows that document numbers mean another order to the live schema', () => {
    expect(() => live.decode(hex(PLACE))).toThrow('is_reduce_only is out of range: ');
  });

  it('takes a zero of an unused field for absent, if zero is absent', () => {
    expect(live.decode(framed('0805 1001 3a04 2800 3801'))).toMatchObject({ kind: 'placeOrder', price: 0n, size: 1n });
  });

  it.each([
    ['a quote size, even an empty one', '0805 3a04 4200 3801', 'quote_size'],
    ['a delegator, even account 0', '0805 3a05 800200 3801', 'delegator_account_id'],
    ['an unknown field', '0805 3a04 7801 3801', 'field 15'],
    ['a second kind that is not supported', '0805 3a00 920200', 'take_position'],
  ])('refuses %s', (_, bytes, name) => {
    expect(() => live.decode(framed(bytes))).toThrow(`an unknown field is set in placeOrder: ${name}`);
  });

  it.each([
    ['withdraw', '0805 5200', 'withdraw'],
    ['atomic', '0805 9a0200', 'atomic'],
    ['a kind of a later schema', '0805 9a0600', 'field 99'],
    ['no kind', '0805', undefined],
  ])('calls %s other', (_, bytes, name) => {
    expect(live.decode(framed(bytes))).toEqual({ timestamp: 5, nonce: 0, kind: 'other', name });
  });

  it.each([
    ['nothing', hex(''), 'ends inside a number'],
    ['a length of 2 GB', hex('8080808008 0805'), '2147483648 bytes was announced; at most 960'],
    ['a wrong length', hex('09 0805'), '9 bytes was announced, but 2 are left'],
    ['bytes after the action', hex('02 0805 00'), '1 bytes follow'],
    ['an endless number', hex('ffffffffffffffffffff01'), 'longer than 10 bytes'],
    ['a number over 64 bits', framed('08ffffffffffffffffff7f'), 'exceeds 64 bits'],
    ['two kinds', framed('0805 3a00 4200'), 'more than one kind'],
    ['one kind twice', framed('0805 3a00 3a00'), 'place_order occurs twice'],
    ['a price as text', framed('3a03 2a0131'), 'price has wire type 2'],
    ['a market beyond 32 bits', framed('3a06 108080808010'), 'market_id is out of range'],
    ['an unknown side', framed('3a02 1807'), 'side has the unknown value 7'],
    ['a short key', framed('2203 0a0111'), 'user_pubkey is not a key of 32 bytes'],
    ['no keys', framed('2202 1864'), 'user_pubkey is missing'],
    ['field number 0', framed('0005'), 'impossible number 0'],
    ['a group', framed('530a'), 'wire type 3'],
    ['a timestamp beyond exact doubles', framed('08ffffffffffffffff7f'), 'current_timestamp is out of range'],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => bundled.decode(bytes)).toThrow(WireError);
    expect(() => bundled.decode(bytes)).toThrow(message);
  });

  it('keeps a negative time negative', () => {
    expect(bundled.decode(framed('08ffffffffffffffffff01'))).toMatchObject({ timestamp: -1 });
  });

  it('returns bytes of its own', () => {
    const bytes = hex(SESSION);
    const action = bundled.decode(bytes);
    bytes.fill(0);
    expect(action).toStrictEqual(session);
  });
});
