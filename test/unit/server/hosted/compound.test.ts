// Actions of the exchange's own schema beyond plain orders: orders limited by quote money, atomic actions, transfers, revoked sessions. Their bytes are
// written out from the published field numbers.
import { describe, expect, test } from 'vitest';
import type { Signer } from '../../../../src/base/wire/ed25519.ts';
import { loadSchema } from '../../../../src/venues/wire/schema/schema.ts';
import { bytesOf, type Fields, frame, integer, message, readFields, unframe, type Value } from '../../../foreign/protobuf.ts';
import { liveText } from '../../wire/samples.ts';
import { ASK, BID, errorOf, openHostedApi, userOf } from './open-api.ts';

const schema = loadSchema(liveText);
const errorNames = schema.errors.names;
type Part = readonly (readonly [number, Value | undefined])[];

const [PLACE, REVOKE, TRANSFER, ADD_TRIGGER, WITHDRAW, ATOMIC] = [7, 15, 18, 32, 10, 35];
const [SELL, BUY] = [0n, 1n];
const [LIMIT, POST_ONLY, IOC, FOK] = [0n, 1n, 2n, 3n];

/** An exchange without other traders on the live numbering, and a maker with asks of 100 at 60 100, 60 200 and 60 300. */
function opened() {
  const api = openHostedApi({ schema });
  const [maker, me] = [api.trader(1), api.trader(2)];
  for (const price of [601_000n, 602_000n, 603_000n]) maker.place({ ...ASK, price, size: 100n });
  let nonce = 1_000n;
  const body = (kind: number, ...fields: Part): Uint8Array =>
    frame(message([1, BigInt(Math.floor(api.exchange.now() / 1000))], [2, ++nonce], [kind, message(...fields)]));
  const post = (framed: Uint8Array, signature: Uint8Array): Fields =>
    readFields(unframe(api.post(Buffer.concat([framed, signature])).body).payload);
  const act = (kind: number, ...fields: Part): Fields => {
    const framed = body(kind, ...fields);
    return post(framed, me.session.sign(framed));
  };
  const actByUser = (user: Signer, kind: number, ...fields: Part): Fields => {
    const framed = body(kind, ...fields);
    return post(framed, user.sign(Buffer.from(Buffer.from(framed).toString('hex'))));
  };
  const session = BigInt(me.sessionId);
  const order = (...fields: Part): Fields => act(PLACE, [1, session], [3, BUY], ...fields);
  return { ...api, maker, me, session, act, actByUser, order };
}

const failed = (receipt: Fields): string | undefined => {
  const code = integer(receipt, 32);
  return code === undefined ? undefined : (errorNames.get(Number(code)) ?? `UNKNOWN_${code}`);
};
const inner = (fields: Fields, ...path: number[]): Fields =>
  path.reduce((at, number) => readFields(bytesOf(at, number) ?? new Uint8Array()), fields);
/** Sizes of the fills of a placement. */
const filled = (receipt: Fields): bigint[] =>
  (inner(receipt, 34).get(2) ?? []).map((fill) => integer(readFields(fill as Uint8Array), 5) ?? 0n);
const posted = (receipt: Fields): bigint | undefined => integer(inner(receipt, 34, 1), 4);
const quote = (size: bigint, price: bigint): Uint8Array => message([1, size], [2, price]);

describe('limits of an order', () => {
  test('none at all is refused, and a resting order needs its price and a size', () => {
    const { order } = opened();
    expect(failed(order([4, IOC]))).toBe('ORDER_EXECUTION_MISSING_LIMITS');
    expect(failed(order([4, LIMIT], [7, 5n]))).toBe('ORDER_EXECUTION_MISSING_PRICE');
    expect(failed(order([4, POST_ONLY], [8, quote(5n, 600_000n)]))).toBe('ORDER_EXECUTION_MISSING_PRICE');
    expect(failed(order([4, LIMIT], [6, 600_000n]))).toBe('ORDER_SIZE_ZERO');
  });

  test('size alone takes at any price, and fails as a whole if the book has less', () => {
    const { order } = opened();
    expect(failed(order([4, IOC], [7, 301n]))).toBe('FAILED_TO_FILL_LIMIT');
    expect(failed(order([4, FOK], [7, 301n]))).toBe('ORDER_EXECUTION_FILL_OR_KILL');
    expect(filled(order([4, IOC], [7, 150n]))).toEqual([100n, 50n]);
    expect(filled(order([4, FOK], [7, 150n]))).toEqual([50n, 100n]);
    expect(failed(order([4, IOC], [7, 1n]))).toBe('IMMEDIATE_ORDER_GOT_NO_FILLS');
  });

  test('price alone takes everything up to it', () => {
    const { order } = opened();
    expect(failed(order([4, IOC], [6, 600_999n]))).toBe('IMMEDIATE_ORDER_GOT_NO_FILLS');
    expect(filled(order([4, IOC], [6, 602_500n]))).toEqual([100n, 100n]);
    expect(filled(order([4, FOK], [6, 603_000n]))).toEqual([100n]);
  });

  test('quote money limits what is taken, to the nearest lot', () => {
    const { order } = opened();
    // 100 at 601 000 cost 60 100 000; what is left pays for 49.83 at 602 000
    expect(filled(order([4, IOC], [8, quote(1n, 90_100_000n)]))).toEqual([100n, 50n]);
    expect(failed(order([4, IOC], [8, quote(1n, 300_000n)]))).toBe('ORDER_SIZE_ZERO');
    expect(failed(order([4, IOC], [8, quote(1_000n, 600_000n)]))).toBe('FAILED_TO_FILL_LIMIT');
    expect(filled(order([4, IOC], [6, 602_000n], [8, quote(1_000n, 600_000n)]))).toEqual([50n]);
    expect(failed(order([4, IOC], [8, quote(0n, 600_000n)]))).toBe('DECODE_FAILURE_DOMAIN');
  });

  test('quote money limits what rests, at the price of the order; the smaller of size and quote counts', () => {
    const { order } = opened();
    expect(posted(order([4, POST_ONLY], [6, 500_000n], [8, quote(7n, 499_000n)]))).toBe(7n);
    expect(posted(order([4, POST_ONLY], [6, 500_000n], [7, 3n], [8, quote(7n, 500_000n)]))).toBe(3n);
    const both = order([4, LIMIT], [6, 601_000n], [8, quote(120n, 601_000n)]);
    expect([filled(both), posted(both)]).toEqual([[100n], 20n]);
  });

  test('a tracking id comes back in the receipt; what is not served is not called malformed', () => {
    const { order } = opened();
    expect(integer(inner(order([4, IOC], [7, 5n], [35, 77n]), 34), 4)).toBe(77n);
    expect(failed(order([4, IOC], [7, 5n], [32, 3n]))).toBe('NOT_IMPLEMENTED'); // delegator_account_id
    expect(failed(order([4, IOC], [7, 5n], [99, 3n]))).toBe('DECODE_FAILURE_RAW'); // no field of the schema
  });

  test('the bytes of one are those of the published schema', () => {
    const { post, me, exchange } = opened();
    const seconds = Math.floor(exchange.now() / 1000);
    const varint = [
      (seconds & 127) | 128,
      ((seconds >> 7) & 127) | 128,
      ((seconds >> 14) & 127) | 128,
      ((seconds >> 21) & 127) | 128,
      seconds >> 28,
    ];
    // current_timestamp, nonce 5, place_order {session 2, side BID, fill_mode IOC, quote_size {size 100, price 601000}}
    const payload = [
      0x08,
      ...varint,
      0x10,
      0x05,
      0x3a,
      0x0e,
      0x08,
      0x02,
      0x18,
      0x01,
      0x20,
      0x02,
      0x42,
      0x06,
      0x08,
      0x64,
      0x10,
      0xa8,
      0xd7,
      0x24,
    ];
    const framed = Uint8Array.from([payload.length, ...payload]);
    const { body } = post(Buffer.concat([framed, me.session.sign(framed)]));
    expect(filled(readFields(unframe(body).payload))).toEqual([100n]);
  });
});

const cancel = (orderId: bigint): Uint8Array => message([7, message([2, orderId])]);
const trade = (mode: bigint, price: bigint, size: bigint, side = BUY): Uint8Array =>
  message([6, message([3, message([3, side], [4, mode])], [6, message([6, price], [7, size])], [33, 9n])]);
const resting = (api: ReturnType<typeof opened>): bigint => integer(inner(api.order([4, LIMIT], [6, 590_000n], [7, 10n]), 34, 1), 5) ?? 0n;
const atomic = (api: ReturnType<typeof opened>, ...parts: Uint8Array[]): Fields =>
  api.act(ATOMIC, [1, api.session], ...parts.map((part): Part[number] => [6, part]));

describe('an atomic action', () => {
  test('cancels, trades and places in one action with one id', () => {
    const api = opened();
    const orderId = resting(api);
    const before = BigInt(api.exchange.lastActionId());
    const receipt = atomic(api, cancel(orderId), trade(IOC, 601_000n, 40n), trade(POST_ONLY, 580_000n, 30n));
    expect([failed(receipt), integer(receipt, 1)]).toEqual([undefined, before + 1n]);
    const results = (inner(receipt, 67).get(1) ?? []).map((result) => readFields(result as Uint8Array));
    expect(integer(inner(results[0]!, 2), 1)).toBe(orderId);
    expect(integer(inner(results[1]!, 1, 2), 5)).toBe(40n);
    expect([integer(inner(results[2]!, 1, 1), 4), integer(inner(results[2]!, 1), 3)]).toEqual([30n, 9n]);
    const { orders, positions } = api.exchange.account(api.me.account)!;
    expect([orders.map(({ size }) => size), positions[0]?.size]).toEqual([[30], 40]);
    expect(api.exchange.lastActionId()).toBe(String(before + 1n));
  });

  test.each([
    ['an unknown order', (): Uint8Array[] => [cancel(999n)], 'ORDER_NOT_FOUND'],
    [
      'a last part that finds nothing to trade with',
      (id: bigint): Uint8Array[] => [cancel(id), trade(IOC, 600_000n, 5n)],
      'IMMEDIATE_ORDER_GOT_NO_FILLS',
    ],
    [
      'a second part that takes what the first left',
      (): Uint8Array[] => [trade(FOK, 601_000n, 60n), trade(FOK, 601_000n, 60n)],
      'ORDER_EXECUTION_FILL_OR_KILL',
    ],
    [
      'margins that suffice for the first part only',
      (): Uint8Array[] => [trade(IOC, 603_000n, 300n), trade(LIMIT, 590_000n, 800_000n)],
      'BALANCE_INSUFFICIENT',
    ],
    [
      'a cancel after a trade',
      (id: bigint): Uint8Array[] => [trade(IOC, 601_000n, 5n), cancel(id)],
      'ATOMICS_CANCELS_CANNOT_FOLLOW_TRADES_PLACES',
    ],
    [
      'a trade after a place',
      (): Uint8Array[] => [trade(LIMIT, 580_000n, 5n), trade(IOC, 601_000n, 5n)],
      'ATOMICS_TRADES_CANNOT_FOLLOW_PLACES',
    ],
    [
      'a trade with an order of its own',
      (): Uint8Array[] => [trade(LIMIT, 600_000n, 5n, SELL), trade(LIMIT, 600_000n, 5n)],
      'NOT_IMPLEMENTED',
    ],
    ['no part', (): Uint8Array[] => [], 'INVALID'],
    ['five parts', (): Uint8Array[] => [1n, 2n, 3n, 4n, 5n].map((size) => trade(LIMIT, 580_000n, size)), 'INVALID'],
    ['a part of no kind', (): Uint8Array[] => [new Uint8Array()], 'DECODE_FAILURE_DOMAIN'],
  ])('with %s changes nothing', (_, parts, error) => {
    const api = opened();
    const orderId = resting(api);
    const shown = (): string => JSON.stringify([api.exchange.account(api.me.account), api.exchange.book(0), api.exchange.lastActionId()]);
    const before = shown();
    expect(failed(atomic(api, ...parts(orderId)))).toBe(error);
    expect(shown()).toBe(before);
  });

  test('a cancel makes room for what follows it: margin, and its own side of the book', () => {
    const api = opened();
    const orderId = resting(api);
    expect(failed(atomic(api, cancel(orderId), trade(POST_ONLY, 590_000n, 20n, SELL)))).toBeUndefined();
  });
});

describe('a transfer', () => {
  test('without a receiver opens another account of the user; with one it moves money there and back', () => {
    const { act, session, me, exchange, read } = opened();
    const made = act(TRANSFER, [1, session], [2, BigInt(me.account)], [4, 40_000_000_000n]);
    const second = integer(inner(made, 47), 2) ?? 0n;
    expect([1, 2, 4, 5].map((number) => integer(inner(made, 47), number))).toEqual([BigInt(me.account), second, 40_000_000_000n, 1n]);
    expect(read(`/user/${userOf(me.user)}`)).toMatchObject({ accountIds: [me.account, Number(second)] });
    expect(exchange.account(Number(second))?.balances).toMatchObject([{ amount: 40_000 }]);
    const back = act(TRANSFER, [1, session], [2, second], [4, 1n], [8, BigInt(me.account)]);
    expect([integer(inner(back, 47), 5), exchange.account(me.account)?.balances[0]?.amount]).toEqual([undefined, 60_000.000001]);
    expect(failed(act(PLACE, [1, session], [3, BUY], [4, IOC], [7, 10n], [34, second]))).toBeUndefined();
  });

  test.each([
    ['of more than there is', { amount: 100_000_000_001n }, 'BALANCE_INSUFFICIENT'],
    ['of nothing', { amount: 0n }, 'INVALID'],
    ['to itself', { to: 'self' }, 'INVALID'],
    ['to another user', { to: 'maker' }, 'ACCOUNT_INVALID_OWNER'],
    ['from another user', { from: 'maker' }, 'ACCOUNT_INVALID_OWNER'],
    ['of a token that is not listed', { token: 77n }, 'TOKEN_NOT_FOUND'],
    ['of a base token', { token: 1n }, 'NOT_IMPLEMENTED'],
    ['to the fee vault', { special: 0n }, 'NOT_IMPLEMENTED'],
  ])(
    '%s is refused and opens no account',
    (_, { amount = 5n, from = 'self', to, token, special }: Record<string, never> | Wrong, error) => {
      const { act, session, me, maker, exchange } = opened();
      const accountOf = (who: string): bigint => BigInt(who === 'self' ? me.account : maker.account);
      const receiver = to === undefined ? undefined : accountOf(to);
      const receipt = act(TRANSFER, [1, session], [2, accountOf(from)], [3, token], [4, amount], [8, receiver], [9, special]);
      expect(failed(receipt)).toBe(error);
      expect(exchange.accountsOf(userOf(me.user))).toEqual([me.account]);
    },
  );
});

interface Wrong {
  readonly amount?: bigint;
  readonly from?: string;
  readonly to?: string;
  readonly token?: bigint;
  readonly special?: bigint;
}

describe('sessions and signatures', () => {
  test('the user ends a session, and nobody else does', () => {
    const { actByUser, session, me, maker } = opened();
    expect(failed(actByUser(maker.user, REVOKE, [1, session]))).toBe('SIGNATURE_VERIFICATION');
    expect(failed(actByUser(me.session, REVOKE, [1, session]))).toBe('SIGNATURE_VERIFICATION');
    const revoked = actByUser(me.user, REVOKE, [1, session]);
    expect([failed(revoked), bytesOf(revoked, 44)?.length]).toEqual([undefined, 0]);
    expect(errorOf(me.place(BID))).toBe('SESSION_NOT_FOUND');
    expect(failed(actByUser(me.user, REVOKE, [1, session]))).toBe('SESSION_NOT_FOUND');
  });

  test("a bad signature goes by the name that the real exchange uses, and by the API document's in its own schema", () => {
    const { receiptFor, encode, me } = opened();
    const framed = encode({ kind: 'placeOrder', sessionId: me.sessionId, ...BID });
    expect(receiptFor(Buffer.concat([framed, new Uint8Array(64)]))).toMatchObject({ error: 'SIGNATURE_VERIFICATION', code: 217 });
    const plain = openHostedApi();
    const same = plain.encode({ kind: 'placeOrder', sessionId: plain.trader(1).sessionId, ...BID });
    expect(plain.receiptFor(Buffer.concat([same, new Uint8Array(64)]))).toMatchObject({ error: 'INVALID_SIGNATURE', code: 3 });
  });

  test.each([
    ['a trigger', ADD_TRIGGER],
    ['the end of a trigger', 33],
    ['a withdrawal', WITHDRAW],
    ['a deposit', 9],
    ['a liquidation', 14],
    ['taking a position', 34],
  ])('%s is not implemented', (_, kind) => {
    const { act, session } = opened();
    expect(failed(act(kind, [1, session]))).toBe('NOT_IMPLEMENTED');
  });

  test('every other kind of the schema is not implemented either, and is never called malformed', () => {
    const { act, session } = opened();
    const kinds = [...oneofKinds(liveText)].filter((kind) => !SERVED.has(kind));
    expect(kinds.length).toBeGreaterThan(15);
    for (const kind of kinds) expect([kind, failed(act(kind, [1, session]))]).toEqual([kind, 'NOT_IMPLEMENTED']);
  });
});

const SERVED = new Set([4, PLACE, 8, REVOKE, TRANSFER, ATOMIC]);

/** The numbers of the kinds of an action, read from the text of the schema. */
function* oneofKinds(text: string): Iterable<number> {
  const [, body = ''] = /message Action \{[^]*?oneof kind \{([^]*?)\n {2}\}/.exec(text) ?? [];
  for (const [, number] of body.matchAll(/= *(\d+) *;/g)) yield Number(number);
}
