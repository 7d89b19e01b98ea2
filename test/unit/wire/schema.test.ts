// Schemas: what is accepted, what is refused with which message, and what a foreign text cannot do.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { bundledSchema, compareWithPublished, loadSchema, schemaDifferences } from '../../../src/venues/wire/schema/schema.ts';
import { documentText, liveText, thrownBy } from './samples.ts';

const HEAD = 'syntax = "proto3";';
const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('');

/** The message of the user error that loading gives. */
function fault(text: string): string {
  const thrown = thrownBy(() => loadSchema(text));
  expect(thrown).toBeInstanceOf(UserError);
  expect(thrown).toMatchObject({ code: 'schema', hint: expect.any(String) as string });
  return (thrown as UserError).message;
}

describe('the bundled schema', () => {
  const { text, hash, action, errors } = bundledSchema();

  it('has the numbers of the interface document', () => {
    const numbers = (name: string) =>
      Object.fromEntries(action.fields.find((field) => field.name === name)?.shape?.fields.map((f) => [f.name, f.number]) ?? []);
    expect(Object.fromEntries(action.fields.map((field) => [field.name, field.number]))).toEqual({
      current_timestamp: 1,
      nonce: 2,
      create_session: 4,
      place_order: 7,
      cancel_order: 8,
    });
    expect(numbers('create_session')).toEqual({ user_pubkey: 1, session_pubkey: 2, expiry_timestamp: 3 });
    expect(numbers('place_order')).toMatchObject({ session_id: 1, market_id: 2, side: 3, fill_mode: 4, price: 5, size: 6 });
    expect(numbers('place_order')).toMatchObject({ client_order_id: 33, sender_account_id: 34 });
    expect(numbers('cancel_order')).toEqual({ session_id: 1, order_id: 2, sender_account_id: 33 });
  });

  it('has every error of the exchange, and the name of the document for 164', () => {
    expect(errors.names.size).toBe(117);
    expect(errors.names.get(164)).toBe('INSUFFICIENT_FUNDS');
    expect(['DUPLICATE', 'BALANCE_INSUFFICIENT', 'SIGNATURE_VERIFICATION', 'Dropped'].map((name) => errors.numbers.get(name))).toEqual([
      0, 164, 217, 999,
    ]);
  });

  it('has one message of each name that the document uses', () => {
    const { root } = parse(text, { keepCase: true });
    expect(root.lookupType('CancelOrder').fields).toMatchObject({
      session_id: { id: 1 },
      order_id: { id: 2 },
      sender_account_id: { id: 33 },
    });
    for (const name of ['Action', 'Receipt', 'CreateSession', 'PlaceOrder', 'CancelOrder', 'Side', 'FillMode', 'Error'])
      expect(text.match(new RegExp(`(?:message|enum) ${name} `, 'g')), name).toHaveLength(1);
  });

  it('is known by the hash of its text', () => {
    expect(hash).toBe(createHash('sha256').update(text).digest('hex'));
    expect(bundledSchema()).toBe(bundledSchema());
  });
});

describe('other schemas', () => {
  it('takes the type of the kind itself, not one of the same bare name', () => {
    const cancel = loadSchema(liveText).action.fields.find(({ key }) => key === 'cancelOrder');
    expect(cancel).toMatchObject({ name: 'cancel_order_by_id', number: 8, shape: { name: 'Action.CancelOrderById' } });
  });

  it('accepts one that was written from the document alone', () => {
    expect(loadSchema(documentText).action.fields.map(({ number }) => number)).toEqual([11, 12, 13, 14, 15]);
  });

  it('goes without an extra whose type is not ours', () => {
    const { action } = loadSchema(
      liveText.replace(
        'optional uint64 client_order_id = 33;\n    optional uint32 sender',
        'optional string client_order_id = 33;\n    optional uint32 sender',
      ),
    );
    const place = action.fields.find(({ key }) => key === 'placeOrder')?.shape;
    expect([...(place?.lacking ?? [])]).toEqual(['clientOrderId']);
    expect(place?.others.get(33)?.name).toBe('client_order_id');
  });

  it.each([
    [
      'a price of another type',
      [['uint64 price = 6;\n    uint64 size = 7;', 'bool price = 6;\n    uint64 size = 7;']],
      'Action.PlaceOrder.price is bool, not uint64',
    ],
    [
      'a repeated price',
      [['uint64 price = 6;\n    uint64 size = 7;', 'repeated uint64 price = 6;\n    uint64 size = 7;']],
      'Action.PlaceOrder.price is repeated uint64, not a single value',
    ],
    ['no cancel', [['cancel_order_by_id', 'cancel_by_id']], 'Action has no cancel_order_by_id or cancel_order'],
    ['a renamed size', [['uint64 size = 7;\n    QuoteSize', 'uint64 base_size = 7;\n    QuoteSize']], 'Action.PlaceOrder has no size'],
    ['no selling', [['ASK = 0', 'OFFER = 0']], 'Side has no ASK'],
    [
      'a side that is a number',
      [['Side side = 3;\n    FillMode', 'uint32 side = 3;\n    FillMode']],
      'Action.PlaceOrder.side is uint32, not an enum',
    ],
    ['BUY with the number of SELL', [['BID = 1;', 'BID = 0; option allow_alias = true;']], 'Side gives one number to two of ASK, BID'],
    [
      'an error with the number 0',
      [
        ['Error err = 32;', ''],
        ['uint64 action_id = 1;', 'uint64 action_id = 1;\n  Error err = 32;'],
      ],
      'Receipt.err is Error, not an enum inside a oneof',
    ],
    [
      'a session as text',
      [['message CreateSessionResult {\n    uint64', 'message CreateSessionResult {\n    string']],
      'Receipt.CreateSessionResult.session_id is string, not uint64',
    ],
    ['a kind that is a number', [['PlaceOrder place_order = 7', 'uint64 place_order = 7']], 'Action.place_order is uint64, not a message'],
  ] as const)('refuses %s', (_, changes, message) => {
    const text = changes.reduce((before, [from, to]) => {
      expect(before).toContain(from);
      return before.replace(from, to);
    }, liveText);
    expect(fault(text)).toBe(`the action schema cannot be used for trading: ${message}`);
  });

  it('lists everything that is missing at once', () => {
    expect(fault(`${HEAD} message Receipt { uint64 action_id = 1; }`)).toBe(
      'the action schema cannot be used for trading: there is no message Action; Receipt has no err; Receipt has no create_session_result; ' +
        'Receipt has no place_order_result or trade_or_place; Receipt has no cancel_order_result',
    );
  });
});

describe('hostile text', () => {
  it.each([
    ['nothing', '', 'there is no message Action'],
    ['words', 'hello', "illegal token 'hello'"],
    ['a page', '<html><body>Checking your browser</body></html>', 'it is an HTML page'],
    ['an import', `import "/etc/passwd"; ${liveText}`, 'it imports "/etc/passwd"'],
    ['a public import', `${HEAD} import public "x.proto";`, 'it imports "x.proto"'],
    ['a name without a definition', `${HEAD} message Action { Nowhere a = 1; }`, "no such Type or Enum 'Nowhere'"],
    ['an endless string', `${HEAD}${'"'.repeat(100_000)}`, 'cannot be read'],
    ['an endless comment', `${HEAD}${'/**'.repeat(50_000)}`, 'cannot be read'],
    ['a control character', `${HEAD} \u001b[31m`, "illegal token '\\u001b'"],
    ['too much of it', ' '.repeat(300_000), 'it has 300000 characters'],
    ['deep nesting', HEAD + 'message A{'.repeat(20_000) + '}'.repeat(20_000), 'it nests deeper than 10 levels'],
    ['deep options', `${HEAD}option (a) = ${'{a:'.repeat(60_000)}`, 'it nests deeper than 10 levels'],
    ['a deep package', `${HEAD}package a${'.b'.repeat(100_000)};`, 'max depth exceeded'],
    ['fields without end', `${HEAD}message A{${repeat(15_000, (n) => `A a${n}=${n + 1};`)}}`, 'it has 15001 statements'],
    ['messages without end', HEAD + repeat(2_000, (n) => `message M${n}{}`), 'it has 2000 blocks'],
  ])('of %s is refused with a message', (_, text, message) => expect(fault(text)).toContain(message));

  it('cannot reach the prototype of anything', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const text = `${liveText} option __proto__.polluted = 1; option (constructor.prototype).polluted = 1;
      ${repeat(names.length, (n) => `message ${names[n]} { string ${names[(n + 1) % names.length]} = 1 [(__proto__).polluted = 1]; }`)}`;
    expect(thrownBy(() => loadSchema(text)) ?? 'loaded').toSatisfy((outcome) => outcome === 'loaded' || outcome instanceof UserError);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('has no option that changes what is sent', () => {
    const { action } = loadSchema(
      liveText.replace(
        'uint64 price = 6;\n    uint64 size = 7;\n    QuoteSize',
        'uint64 price = 6 [default = 5, packed = true, json_name = "size"];\n    uint64 size = 7;\n    QuoteSize',
      ),
    );
    expect(action.fields.find(({ key }) => key === 'placeOrder')?.shape?.byNumber.get(6)).toMatchObject({ key: 'price', name: 'price' });
  });
});

describe('differences', () => {
  it('are empty if only comments and layout differ', () => {
    expect(schemaDifferences({ text: liveText }, { text: liveText.replaceAll('\n\n', '\n// new\n') })).toEqual([]);
  });

  it('are listed field by field', () => {
    const changed = liveText
      .replace('bool is_reduce_only = 5;\n    uint64 price = 6;', 'uint64 price = 5;\n    bool is_reduce_only = 6;')
      .replace('optional uint32 delegator_account_id = 32;\n    optional uint64 client', 'optional uint64 client')
      .replace('POST_ONLY = 1;', 'POST_ONLY = 1;\n  RETAIL = 9;')
      .replace('Atomic atomic = 35;', 'Admin atomic = 35;');
    expect(schemaDifferences({ text: liveText }, { text: changed })).toEqual([
      '~ Action.atomic: Atomic = 35, one of kind became Admin = 35, one of kind',
      '- Action.PlaceOrder.delegator_account_id: optional uint32 = 32',
      '~ Action.PlaceOrder.is_reduce_only: bool = 5 became bool = 6',
      '~ Action.PlaceOrder.price: uint64 = 6 became uint64 = 5',
      '+ FillMode.RETAIL: 9',
    ]);
  });

  it('name what the document and the exchange disagree on', () => {
    const lines = schemaDifferences(bundledSchema(), loadSchema(liveText));
    expect(lines).toContain('~ Action.PlaceOrder.price: uint64 = 5 became uint64 = 6');
    expect(lines).toContain('~ Action.PlaceOrder.size: uint64 = 6 became uint64 = 7');
    expect(lines).toContain('- Action.cancel_order: CancelOrder = 8, one of kind');
    expect(lines).toContain('- Error.INSUFFICIENT_FUNDS: 164');
  });
});

describe('differences of what we use', () => {
  it('are none but what one of them lacks between texts that put the same bytes on the wire, however they are nested', () => {
    const foreign = readFileSync(new URL('../../foreign/document.proto', import.meta.url), 'utf8');
    expect(compareWithPublished(bundledSchema(), foreign)).toMatchObject({
      conflicts: [],
      omitted: ['- action.placeOrder.reduceOnly: 36'],
      others: [],
    });
    expect(schemaDifferences(bundledSchema(), loadSchema(foreign))).not.toEqual([]);
  });

  it('name the fields whose numbers moved', () => {
    expect(compareWithPublished(bundledSchema(), liveText)).toMatchObject({
      conflicts: [
        '~ action.placeOrder.price: 5 became 6',
        '~ action.placeOrder.reduceOnly: 36 became 5',
        '~ action.placeOrder.size: 6 became 7',
      ],
      omitted: [],
      others: [],
    });
  });
});
