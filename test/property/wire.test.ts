// The codec with random actions, receipts and bytes: exact in both directions, equal to an independent library, robust against any input.
import * as fc from 'fast-check';
import { parse, type Type } from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { frame, splitSigned, unframe, WireError } from '../../src/base/wire/framing.ts';
import { parseJson } from '../../src/base/wire/json.ts';
import type { Receipt, WireAction } from '../../src/venues/wire/codec.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { bundled, live, liveText, thrownBy } from '../unit/wire/samples.ts';

const RUN = { seed: 20_260_117, numRuns: 300 };
const CODECS = [
  { name: 'bundled', codec: bundled, text: bundledSchema().text },
  { name: 'live', codec: live, text: liveText },
];

const PLAIN = { noNullPrototype: true };

/** Small values, values around 2^53, and any. */
const u64 = fc.oneof(
  fc.bigInt({ min: 0n, max: 300n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
);
const id = u64.map(String);
const u32 = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 32 - 1 }));
const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Uint8Array.from(bytes));
const side = fc.constantFrom('bid', 'ask');
const fillMode = fc.constantFrom('LIMIT', 'POST_ONLY', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL');
const time = fc.nat({ max: 2 ** 40 });
const common = { timestamp: time, nonce: u32 };

const action = fc.oneof(
  fc.record({ kind: fc.constant('createSession'), ...common, userPubkey: key, sessionPubkey: key, expiry: time }, PLAIN),
  fc.record(
    {
      kind: fc.constant('placeOrder'),
      ...common,
      sessionId: id,
      marketId: u32,
      side,
      fillMode,
      price: u64,
      size: u64,
      clientOrderId: id,
      senderAccountId: u32,
    },
    { requiredKeys: ['kind', 'timestamp', 'nonce', 'sessionId', 'marketId', 'side', 'fillMode', 'price', 'size'], ...PLAIN },
  ),
  fc.record(
    { kind: fc.constant('cancelOrder'), ...common, sessionId: id, orderId: id, senderAccountId: u32 },
    { requiredKeys: ['kind', 'timestamp', 'nonce', 'sessionId', 'orderId'], ...PLAIN },
  ),
) as fc.Arbitrary<WireAction>;

const fill = fc.record({ orderId: id, price: u64, size: u64, accountId: u32 }, PLAIN);
const posted = fc.record({ orderId: id, marketId: u32, side, price: u64, size: u64, accountId: u32 }, PLAIN);
const receipt = fc.oneof(
  fc.constantFrom(...bundled.schema.errors.names.keys()).map((code) => ({ kind: 'err', code, actionId: '9' })),
  fc.record({ kind: fc.constant('createSession'), actionId: id, sessionId: id }, PLAIN),
  fc.record(
    { kind: fc.constant('placeOrder'), actionId: id, fills: fc.array(fill, { maxLength: 5 }), posted, clientOrderId: id },
    { requiredKeys: ['kind', 'actionId', 'fills'], ...PLAIN },
  ),
  fc.record({ kind: fc.constant('cancelOrder'), actionId: id, orderId: id, accountId: u32 }, PLAIN),
);

describe.each(CODECS)('with the $name schema', ({ codec, text }) => {
  const { root } = parse(text, { keepCase: true });
  const oracle = { action: root.lookupType('nord.Action'), receipt: root.lookupType('nord.Receipt') };

  it('an action survives encoding and decoding', () => {
    fc.assert(
      fc.property(action, (given) => {
        expect(codec.decode(codec.encode(given))).toStrictEqual(given);
      }),
      RUN,
    );
  });

  it('a receipt survives encoding and decoding', () => {
    fc.assert(
      fc.property(receipt, (given) => {
        const full = (given.kind === 'err' ? { ...given, error: codec.schema.errors.names.get(given.code) } : given) as Receipt;
        expect(codec.decodeReceipt(codec.encodeReceipt(full))).toStrictEqual(full);
      }),
      RUN,
    );
  });

  it('protobufjs decodes an action equally and encodes the same content', () => {
    fc.assert(
      fc.property(action, (given) => {
        const payload = unframe(codec.encode(given), { maxLength: 1024, trailing: 'refused' });
        const read = plain(oracle.action, payload);
        expect(read).toMatchObject({ current_timestamp: String(given.timestamp), nonce: given.nonce });
        expect(codec.decode(frame(oracle.action.encode(oracle.action.fromObject(read)).finish()))).toStrictEqual(given);
      }),
      RUN,
    );
  });

  it('protobufjs decodes a receipt equally', () => {
    fc.assert(
      fc.property(posted, fill, id, (rest, taken, actionId) => {
        const bytes = codec.encodeReceipt({ kind: 'placeOrder', actionId, posted: rest, fills: [taken, taken] });
        const trade = { order_id: taken.orderId, price: `${taken.price}`, size: `${taken.size}`, account_id: taken.accountId };
        expect(plain(oracle.receipt, unframe(bytes, { maxLength: 1024, trailing: 'refused' }))).toMatchObject({
          action_id: actionId,
          kind: 'place_order_result',
          place_order_result: {
            posted: {
              order_id: rest.orderId,
              market_id: rest.marketId,
              side: rest.side.toUpperCase(),
              price: `${rest.price}`,
              size: `${rest.size}`,
            },
            fills: [trade, trade],
          },
        });
      }),
      RUN,
    );
  });

  it('any bytes are decoded or refused with a WireError', () => {
    const mutated = fc
      .tuple(action, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 }), fc.nat({ max: 200 }))
      .map(([given, changes, cut]) => {
        const bytes = codec.encode(given);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        return bytes.slice(0, cut);
      });
    const anything = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 120 }).map(frame), mutated);
    fc.assert(
      fc.property(anything, (bytes) => {
        for (const read of [() => codec.decode(bytes), () => codec.decodeReceipt(bytes), () => splitSigned(bytes)]) {
          const thrown = thrownBy(read);
          if (thrown !== undefined) expect(thrown).toBeInstanceOf(WireError);
        }
      }),
      { ...RUN, numRuns: 3000 },
    );
  });

  it('an action with a changed byte never passes for the approved order', () => {
    fc.assert(
      fc.property(action, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, at, flip) => {
        const bytes = codec.encode(given);
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ flip;
        const meant = thrownBy(() => expect(codec.decode(bytes)).toStrictEqual(given));
        expect(meant).toBeDefined();
      }),
      RUN,
    );
  });
});

it('JSON keeps every integer exact', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), { maxLength: 5 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (whole, real) => {
        const text = `{"whole":[${whole.join(',')}],"real":${JSON.stringify(real)}}`;
        const value = parseJson(text, { maxBytes: 10_000, maxDepth: 3 }) as { whole: (number | string)[]; real: number };
        expect(value.whole.map(String)).toEqual(whole.map(String));
        expect(value.real).toBe(JSON.parse(JSON.stringify(real)));
      },
    ),
    RUN,
  );
});

function plain(type: Type, bytes: Uint8Array): Record<string, unknown> {
  return type.toObject(type.decode(bytes), { longs: String, enums: String, bytes: String, oneofs: true, defaults: true });
}
