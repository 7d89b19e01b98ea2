// The messages and fields that this program writes and reads, by name. Every loaded schema must have those that are not optional.

/**
 * The type of each kind of scalar in the code. Ids are decimal text and amounts bigint, so all are exact. `code` is the number of an enum value, which need
 * not be known here.
 */
export interface Scalars {
  id: string;
  amount: bigint;
  u32: number;
  integer: number;
  key: Uint8Array;
  code: number;
  flag: boolean;
}

interface Named {
  /** Spellings in use, the preferred one first. */
  readonly names: readonly string[];
  /**
   * Each includes the one before. `schema`: the schema may lack the field, which is then neither written nor read.
   * `value`: an action may also omit the field; zero and absent differ, so a zero is written.
   * `droppable`: the field is also omitted if the schema that the exchange publishes lacks it; the action means the same to us without it.
   */
  readonly optional: false | 'schema' | 'value' | 'droppable';
}

export interface ScalarSpec extends Named {
  readonly type: keyof Scalars;
}

export interface ChoiceSpec extends Named {
  readonly type: 'choice';
  /** The schema's name for each word used here. */
  readonly values: Readonly<Record<string, string>>;
}

export interface NestedSpec extends Named {
  readonly type: 'message';
  readonly repeated: boolean;
  readonly specs: MessageSpec;
}

export type FieldSpec = ScalarSpec | ChoiceSpec | NestedSpec;
export interface MessageSpec {
  readonly [key: string]: FieldSpec;
}

type ValueOf<N extends FieldSpec> = N extends NestedSpec
  ? N['repeated'] extends true
    ? readonly ValuesOf<N['specs']>[]
    : ValuesOf<N['specs']>
  : N extends ChoiceSpec
    ? keyof N['values']
    : N extends ScalarSpec
      ? Scalars[N['type']]
      : never;

/** True if the field always has a value: zero is read if it is not on the wire. All other fields may be absent. */
type IsRequired<N extends FieldSpec> = N['optional'] extends false ? (N['type'] extends 'message' | 'code' ? false : true) : false;

/** The values of a message as the code holds them. */
export type ValuesOf<M extends MessageSpec> = {
  readonly [K in keyof M as IsRequired<M[K]> extends true ? K : never]: ValueOf<M[K]>;
} & {
  readonly [K in keyof M as IsRequired<M[K]> extends true ? never : K]?: ValueOf<M[K]> | undefined;
};

export const scalar = <T extends keyof Scalars>(type: T, ...names: string[]) => ({ type, names, optional: false }) as const;
export const choice = <V extends Readonly<Record<string, string>>>(values: V, name: string) =>
  ({ type: 'choice', names: [name], values, optional: false }) as const;
export const message = <M extends MessageSpec>(specs: M, ...names: string[]) =>
  ({ type: 'message', names, specs, repeated: false, optional: false }) as const;
export const list = <M extends MessageSpec>(specs: M, name: string) =>
  ({ type: 'message', names: [name], specs, repeated: true, optional: false }) as const;
/** Makes a field optional in the schema. */
export const ifAny = <N extends FieldSpec>(spec: N): Omit<N, 'optional'> & { readonly optional: 'schema' } => ({
  ...spec,
  optional: 'schema',
});
/** Makes a field optional in the schema and in an action. */
export const maybe = <N extends FieldSpec>(spec: N): Omit<N, 'optional'> & { readonly optional: 'value' } => ({
  ...spec,
  optional: 'value',
});
/** Makes a field optional in the schema and in an action, and one that is left out if the published schema lacks it. */
export const droppable = <N extends FieldSpec>(spec: N): Omit<N, 'optional'> & { readonly optional: 'droppable' } => ({
  ...spec,
  optional: 'droppable',
});

/** True if an action may omit the field, so that absent differs from zero. */
export const mayBeOmitted = ({ optional }: FieldSpec): boolean => optional === 'value' || optional === 'droppable';

export const SIDE = choice({ ask: 'ASK', bid: 'BID' }, 'side');
export const FILL_MODE = choice(
  { LIMIT: 'LIMIT', POST_ONLY: 'POST_ONLY', IMMEDIATE_OR_CANCEL: 'IMMEDIATE_OR_CANCEL', FILL_OR_KILL: 'FILL_OR_KILL' },
  'fill_mode',
);

export const CREATE_SESSION = {
  userPubkey: scalar('key', 'user_pubkey'),
  sessionPubkey: scalar('key', 'session_pubkey', 'blst_pubkey'),
  expiry: scalar('integer', 'expiry_timestamp'),
} satisfies MessageSpec;

export const PLACE_ORDER = {
  sessionId: scalar('id', 'session_id'),
  marketId: scalar('u32', 'market_id'),
  side: SIDE,
  fillMode: FILL_MODE,
  price: scalar('amount', 'price'),
  size: scalar('amount', 'size'),
  reduceOnly: droppable(scalar('flag', 'is_reduce_only', 'reduce_only')),
  clientOrderId: maybe(scalar('id', 'client_order_id')),
  senderAccountId: maybe(scalar('u32', 'sender_account_id')),
} satisfies MessageSpec;

export const CANCEL_ORDER = {
  sessionId: scalar('id', 'session_id'),
  orderId: scalar('id', 'order_id'),
  senderAccountId: maybe(scalar('u32', 'sender_account_id')),
} satisfies MessageSpec;

/** The three kinds of actions that can be encoded. No other kind may ever be added here, because the key of a session could also move funds. */
export const ACTION = {
  timestamp: scalar('integer', 'current_timestamp'),
  nonce: scalar('integer', 'nonce'),
  createSession: message(CREATE_SESSION, 'create_session'),
  placeOrder: message(PLACE_ORDER, 'place_order'),
  cancelOrder: message(CANCEL_ORDER, 'cancel_order_by_id', 'cancel_order'),
} satisfies MessageSpec;

const POSTED = {
  orderId: scalar('id', 'order_id'),
  marketId: scalar('u32', 'market_id'),
  side: SIDE,
  price: scalar('amount', 'price'),
  size: scalar('amount', 'size'),
  accountId: scalar('u32', 'account_id'),
} satisfies MessageSpec;

const FILL = {
  orderId: scalar('id', 'order_id'),
  price: scalar('amount', 'price'),
  size: scalar('amount', 'size'),
  accountId: scalar('u32', 'account_id'),
} satisfies MessageSpec;

/** The API document shows the fields of one result only, the session's. So a schema may lack parts of the others. */
export const RECEIPT = {
  actionId: scalar('id', 'action_id'),
  err: scalar('code', 'err'),
  createSession: message({ sessionId: scalar('id', 'session_id') }, 'create_session_result'),
  placeOrder: message(
    {
      posted: ifAny(message(POSTED, 'posted')),
      fills: ifAny(list(FILL, 'fills')),
      clientOrderId: maybe(scalar('id', 'client_order_id')),
    },
    'place_order_result',
    'trade_or_place',
  ),
  cancelOrder: message({ orderId: ifAny(scalar('id', 'order_id')), accountId: ifAny(scalar('u32', 'account_id')) }, 'cancel_order_result'),
} satisfies MessageSpec;
