// Encodes and decodes actions and receipts with the loaded schema.
// In this folder: `schema.ts` loads a schema (`proto-text.ts` parses it, `needs.ts` lists the required names, `resolve.ts` finds them,
// `differences.ts` compares schemas); `message.ts`, `scalars.ts` and `base/wire/framing.ts` write and read bytes; `base/wire/ed25519.ts` signs; `hosted*.ts`,
// `local*.ts`, `base/wire/shapes.ts` and `base/wire/json.ts` check JSON; `bot/exchange/error-meanings.ts` knows the error names.
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
 * The answer to one action. Only `kind` decides: `nothing` is an empty receipt or one of an unknown kind, and never a success. With `err`, `actionId`
 * is the next id and not used up, so it is no key. A result that the schema does not describe lacks its fields.
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
   * Returns length prefix and action, ready to be signed. A value out of range, a field that the schema lacks, or more than fits into 1024 bytes with
   * the signature is a programmer error: nothing is cut, wrapped or left out.
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
   * Returns what the bytes mean to the exchange. Throws a `WireError` for malformed bytes, bytes after the action, more than one kind, and for one of
   * the known kinds with an unknown field set (`quote_size`, …). So an action that decodes is the whole of what it does.
   */
  decode(framed: Uint8Array): WireAction {
    const others: OtherField[] = [];
    const payload = unframe(framed, { maxLength: MAX_ACTION_BYTES - SIGNATURE_BYTES, trailing: 'refused' });
    const values = readMessage<typeof ACTION>(this.schema.action, payload, (other) => others.push(other));
    const { timestamp, nonce, createSession, placeOrder, cancelOrder } = values;
    const kind = onlyOne(KINDS.filter((key) => values[key] !== undefined));
    if (kind !== undefined && others.length > 0) throw new WireError(`an unknown field is set in ${kind}: ${others[0]?.name}`);
    if (createSession !== undefined) return { timestamp, nonce, kind: 'createSession', ...createSession };
    if (placeOrder !== undefined) return { timestamp, nonce, kind: 'placeOrder', ...placeOrder };
    if (cancelOrder !== undefined) return { timestamp, nonce, kind: 'cancelOrder', ...cancelOrder };
    return { timestamp, nonce, kind: 'other', name: others[0]?.name };
  }

  /**
   * Returns length prefix and receipt. An error is written by its name if the schema has it; what the schema has no field for is left out; `nothing`
   * is empty.
   */
  encodeReceipt(receipt: Receipt): Uint8Array {
    const { kind, actionId } = receipt;
    const result = kind === 'nothing' ? {} : kind === 'err' ? { err: this.errorCode(receipt.error) ?? receipt.code } : { [kind]: receipt };
    return frame(writeMessage<typeof RECEIPT>(this.schema.receipt, { actionId, ...result }));
  }

  /** Throws a `WireError` for malformed bytes and for more than one kind; ignores bytes after the receipt and unknown fields of results. */
  decodeReceipt(bytes: Uint8Array): Receipt {
    const others: OtherField[] = [];
    const payload = unframe(bytes, { maxLength: MAX_RECEIPT_BYTES, trailing: 'tolerated' });
    const values = readMessage<typeof RECEIPT>(this.schema.receipt, payload, (other, shape) => {
      if (shape === this.schema.receipt) others.push(other);
    });
    const { actionId, err, createSession, placeOrder, cancelOrder } = values;
    onlyOne([...RESULTS.filter((key) => values[key] !== undefined), ...others.filter(({ inOneof }) => inOneof)]);
    if (err !== undefined) return { actionId, kind: 'err', error: this.schema.errors.names.get(err) ?? `UNKNOWN_${err}`, code: err };
    if (createSession !== undefined) return { actionId, kind: 'createSession', sessionId: createSession.sessionId };
    if (placeOrder !== undefined) return { actionId, kind: 'placeOrder', ...placeOrder, fills: placeOrder.fills ?? [] };
    if (cancelOrder !== undefined) return { actionId, kind: 'cancelOrder', orderId: cancelOrder.orderId, accountId: cancelOrder.accountId };
    return { actionId, kind: 'nothing', name: others[0]?.name };
  }

  /**
   * Returns the number of an error in this schema, by its own name or another spelling. For a name that this schema does not have it is the bundled
   * schema's number, moved up by thousands while that is taken by another error; undefined for a name that neither has.
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

function onlyOne<T>(found: readonly T[]): T | undefined {
  if (found.length > 1) throw new WireError('the message holds more than one kind');
  return found[0];
}
