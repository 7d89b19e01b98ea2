// Decodes the actions that the embedded exchange serves, and encodes their receipts.

import { frame, MAX_ACTION_BYTES, SIGNATURE_BYTES, unframe, WireError } from '../../../base/wire/framing.ts';
import type { ActionCodec, Receipt, WireAction } from '../../../venues/wire/codec.ts';
import { readMessage, writeMessage } from '../../../venues/wire/message.ts';
import type { ValuesOf } from '../../../venues/wire/schema/needs.ts';
import type { OtherField } from '../../../venues/wire/schema/resolve.ts';
import { loadServed, type SERVED_ACTION, type SERVED_RECEIPT, type ServedShapes } from '../../../venues/wire/schema/served-needs.ts';

type Action = ValuesOf<typeof SERVED_ACTION>;
type Results = ValuesOf<typeof SERVED_RECEIPT>;
type Of<Key extends keyof Action> = { readonly kind: Key } & NonNullable<Action[Key]>;

/** An action. `other` is a kind, or a field of a kind, that the schema has but the exchange does not serve. */
export type ServedAction = { readonly timestamp: number; readonly nonce: number } & (
  | Of<'createSession'>
  | Of<'placeOrder'>
  | Of<'cancelOrder'>
  | Of<'revokeSession'>
  | Of<'transfer'>
  | Of<'atomic'>
  | Extract<WireAction, { kind: 'other' }>
);

type PlaceResult = NonNullable<Results['placeOrder']>;

export type ServedReceipt =
  | Receipt
  | ({ readonly kind: 'placeOrder'; readonly actionId: string } & PlaceResult)
  | { readonly kind: 'sessionRevoked'; readonly actionId: string }
  | ({ readonly kind: 'transferred'; readonly actionId: string } & NonNullable<Results['transferred']>)
  | ({ readonly kind: 'atomic'; readonly actionId: string } & NonNullable<Results['atomic']>);

const KINDS = ['createSession', 'placeOrder', 'cancelOrder', 'revokeSession', 'transfer', 'atomic'] as const;

export class ServedCodec {
  readonly #codec: ActionCodec;
  readonly #shapes: ServedShapes;

  constructor(codec: ActionCodec) {
    this.#codec = codec;
    this.#shapes = loadServed(codec.schema);
  }

  /** Returns the action. Throws a `WireError` for malformed bytes, bytes after the action, more than one kind, or a field that is not in the schema. */
  decode(framed: Uint8Array): ServedAction {
    const payload = unframe(framed, { maxLength: MAX_ACTION_BYTES - SIGNATURE_BYTES, trailing: 'refused' });
    const others: (OtherField & { readonly isInSchema: boolean })[] = [];
    const values = readMessage<typeof SERVED_ACTION>(this.#shapes.action, payload, (other, shape) =>
      others.push({ ...other, isInSchema: shape.others.has(other.number) }),
    );
    const { timestamp, nonce } = values;
    const kinds = KINDS.filter((key) => values[key] !== undefined);
    const [kind] = kinds;
    if (kinds.length > 1) throw new WireError('the message holds more than one kind');
    if (kind === undefined) return { timestamp, nonce, kind: 'other', name: others[0]?.name };
    const stray = others.find(({ isInSchema }) => !isInSchema);
    if (stray !== undefined) throw new WireError(`an unknown field is set in ${kind}: ${stray.name}`);
    if (others[0] !== undefined) return { timestamp, nonce, kind: 'other', name: others[0].name };
    const { placeOrder } = values;
    if (kind === 'createSession' || kind === 'cancelOrder') return this.#codec.decode(framed);
    if (kind === 'placeOrder' && placeOrder?.quoteSize === undefined && placeOrder?.senderTrackingId === undefined)
      return this.#codec.decode(framed);
    return { timestamp, nonce, kind, ...values[kind] } as ServedAction;
  }

  /** Returns the bytes of a receipt. Values that the schema has no field for are omitted. */
  encodeReceipt(receipt: ServedReceipt): Uint8Array {
    const { kind, actionId } = receipt;
    const isOwn = kind === 'sessionRevoked' || kind === 'transferred' || kind === 'atomic';
    if (!isOwn && !('senderTrackingId' in receipt && receipt.senderTrackingId !== undefined))
      return this.#codec.encodeReceipt(receipt as Receipt);
    return frame(writeMessage<typeof SERVED_RECEIPT>(this.#shapes.receipt, { actionId, [kind]: receipt }));
  }

  errorCode(error: string): number | undefined {
    return this.#codec.errorCode(error);
  }

  /** The error name for an invalid signature: the API document's name if the schema has that document's errors, else the real exchange's. */
  get badSignature(): 'INVALID_SIGNATURE' | 'SIGNATURE_VERIFICATION' {
    return this.#codec.schema.errors.numbers.has('INSUFFICIENT_FUNDS') ? 'INVALID_SIGNATURE' : 'SIGNATURE_VERIFICATION';
  }
}
