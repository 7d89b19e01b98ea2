// Encodes and decodes actions and receipts with the loaded schema.
// `schema/` loads a schema: `schema.ts` by `proto-text.ts`, which parses it, `needs.ts`, which lists the required names, and `resolve.ts`, which finds them;
// `differences.ts` compares two. `message.ts`, `scalars.ts` and `base/wire/framing.ts` write and read bytes; `base/wire/ed25519.ts` signs. `json/` has the
// shapes of JSON replies. What an error name means: `bot/exchange/error-meanings.ts`.
import { assert } from '../../base/errors.ts';
import { frame, MAX_ACTION_BYTES, SIGNATURE_BYTES, unframe, WireError } from '../../base/wire/framing.ts';
import { spellingsOf } from '../../bot/exchange/error-meanings.ts';
import { readMessage, writeMessage } from './message.ts';
import type { ACTION, CANCEL_ORDER, CREATE_SESSION, PLACE_ORDER, RECEIPT, ValuesOf } from './schema/needs.ts';
import type { OtherField } from './schema/resolve.ts';
import { type ActionSchema, bundledSchema } from './schema/schema.ts';

/**
 * One action. Times are engine seconds; ids are decimal text; price and size are integers of 10^-priceDecimals and 10^-sizeDecimals. Decoding returns
 * `other` for every kind that is never sent from here; it has no encoder.
 */
export type WireAction = { readonly timestamp: number; readonly nonce: number } & (
  | ({ readonly kind: 'createSession' } & ValuesOf<typeof CREATE_SESSION>)
  | ({ readonly kind: 'placeOrder' } & ValuesOf<typeof PLACE_ORDER>)
  | ({ readonly kind: 'cancelOrder' } & ValuesOf<typeof CANCEL_ORDER>)
  | { readonly kind: 'other'; readonly name: string | undefined }
);

type PlaceOrderResult = NonNullable<ValuesOf<typeof RECEIPT>['placeOrder']>;

/**
 * The answer to one action. Only `kind` says whether it succeeded: `nothing` is an empty receipt or one of an unknown kind, and never a success. `actionId`
 * identifies the action, except with `err`: then it is the id that the next action will get. A field that the schema does not have is absent.
 */
export type Receipt = { readonly actionId: string } & (
  | { readonly kind: 'err'; readonly error: string; readonly code: number }
  | { readonly kind: 'createSession'; readonly sessionId: string }
  | ({ readonly kind: 'placeOrder' } & PlaceOrderResult & { readonly fills: NonNullable<PlaceOrderResult['fills']> })
  | { readonly kind: 'cancelOrder'; readonly orderId: string | undefined; readonly accountId: number | undefined }
  | { readonly kind: 'nothing'; readonly name: string | undefined }
);

const MAX_RECEIPT_BYTES = 100 * 1024;
const KINDS = ['createSession', 'placeOrder', 'cancelOrder'] as const;
const RESULTS = ['err', ...KINDS] as const;

export class ActionCodec {
  readonly schema: ActionSchema;
  /** Which of the optional fields of a schema can be sent. */
  readonly extras: {
    readonly clientOrderId: boolean;
    readonly placeSender: boolean;
    readonly cancelSender: boolean;
    readonly reduceOnly: boolean;
  };

  constructor(schema: ActionSchema) {
    const lacks = (kind: (typeof KINDS)[number], key: string): boolean =>
      schema.action.fields.find((field) => field.key === kind)?.shape?.lacking.has(key) ?? true;
    this.schema = schema;
    this.extras = {
      clientOrderId: !lacks('placeOrder', 'clientOrderId'),
      placeSender: !lacks('placeOrder', 'senderAccountId'),
      cancelSender: !lacks('cancelOrder', 'senderAccountId'),
      reduceOnly: !lacks('placeOrder', 'reduceOnly'),
    };
  }

  /**
   * Returns length prefix and action, ready to be signed. A value out of range, a value for a field that the schema lacks, or more than fits into 1024 bytes
   * together with the signature is a programmer error: nothing is cut, wrapped or left out.
   */
  encode(action: WireAction): Uint8Array {
    const { kind, timestamp, nonce } = action;
    assert(kind !== 'other', 'only sessions, placements and cancels are encoded');
    const shape = this.schema.action.fields.find(({ key }) => key === kind)?.shape;
    for (const key of shape?.lacking ?? []) {
      assert((action as { readonly [key: string]: unknown })[key] === undefined, `the schema has no field for ${key} in ${kind}`);
    }
    const framed = frame(writeMessage<typeof ACTION>(this.schema.action, { timestamp, nonce, [kind]: action }));
    assert(framed.length + SIGNATURE_BYTES <= MAX_ACTION_BYTES, `an action of ${framed.length} bytes is too long to be sent`);
    return framed;
  }

  /**
   * Returns what the bytes mean to the exchange. Throws a `WireError` for malformed bytes, bytes after the action, more than one kind, and if an unknown
   * field (`quote_size`, …) is set in a known kind. So a decoded action of a known kind does nothing beyond its values.
   */
  decode(framed: Uint8Array): WireAction {
    const unknownFields: OtherField[] = [];
    const payload = unframe(framed, { maxLength: MAX_ACTION_BYTES - SIGNATURE_BYTES, trailing: 'refused' });
    const values = readMessage<typeof ACTION>(this.schema.action, payload, (other) => unknownFields.push(other));
    const { timestamp, nonce, createSession, placeOrder, cancelOrder } = values;
    const kinds = KINDS.filter((key) => values[key] !== undefined);
    refuseSeveral(kinds);
    const [kind] = kinds;
    if (kind !== undefined && unknownFields.length > 0)
      throw new WireError(`an unknown field is set in ${kind}: ${unknownFields[0]?.name}`);
    if (createSession !== undefined) return { timestamp, nonce, kind: 'createSession', ...createSession };
    if (placeOrder !== undefined) return { timestamp, nonce, kind: 'placeOrder', ...placeOrder };
    if (cancelOrder !== undefined) return { timestamp, nonce, kind: 'cancelOrder', ...cancelOrder };
    return { timestamp, nonce, kind: 'other', name: unknownFields[0]?.name };
  }

  /**
   * Returns length prefix and receipt. An error gets the number that the schema has for its name, if any. A value that the schema has no field for is left
   * out. A receipt of kind `nothing` is encoded without a result.
   */
  encodeReceipt(receipt: Receipt): Uint8Array {
    const { kind, actionId } = receipt;
    const result = kind === 'nothing' ? {} : kind === 'err' ? { err: this.errorCode(receipt.error) ?? receipt.code } : { [kind]: receipt };
    return frame(writeMessage<typeof RECEIPT>(this.schema.receipt, { actionId, ...result }));
  }

  /** Throws a `WireError` for malformed bytes and for more than one kind; ignores bytes after the receipt and unknown fields of results. */
  decodeReceipt(bytes: Uint8Array): Receipt {
    const unknownFields: OtherField[] = [];
    const payload = unframe(bytes, { maxLength: MAX_RECEIPT_BYTES, trailing: 'tolerated' });
    const values = readMessage<typeof RECEIPT>(this.schema.receipt, payload, (other, shape) => {
      if (shape === this.schema.receipt) unknownFields.push(other);
    });
    const { actionId, err, createSession, placeOrder, cancelOrder } = values;
    refuseSeveral([...RESULTS.filter((key) => values[key] !== undefined), ...unknownFields.filter(({ inOneof }) => inOneof)]);
    if (err !== undefined) return { actionId, kind: 'err', error: this.schema.errors.names.get(err) ?? `UNKNOWN_${err}`, code: err };
    if (createSession !== undefined) return { actionId, kind: 'createSession', sessionId: createSession.sessionId };
    if (placeOrder !== undefined) return { actionId, kind: 'placeOrder', ...placeOrder, fills: placeOrder.fills ?? [] };
    if (cancelOrder !== undefined) return { actionId, kind: 'cancelOrder', orderId: cancelOrder.orderId, accountId: cancelOrder.accountId };
    return { actionId, kind: 'nothing', name: unknownFields[0]?.name };
  }

  /**
   * Returns the number of an error in this schema, by its own name or another spelling. If this schema lacks the name: the number of the bundled schema,
   * plus as many thousands as are needed for a free number. Undefined if both lack it.
   */
  errorCode(error: string): number | undefined {
    const { numbers, names } = this.schema.errors;
    const spelling = spellingsOf(error).find((name) => numbers.has(name));
    if (spelling !== undefined) return numbers.get(spelling);
    let code = bundledSchema().errors.numbers.get(error);
    while (code !== undefined && names.has(code)) code += 1000;
    return code;
  }
}

function refuseSeveral(found: readonly unknown[]): void {
  if (found.length > 1) throw new WireError('the message holds more than one kind');
}
