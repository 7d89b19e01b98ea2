// The messages and fields that are written and read here, by name: every schema that is loaded must have them.

/** How each kind of scalar is held: ids as decimal text, amounts as bigint, all exact; `code` is an enum's number, known here or not. */
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
   * `schema`: a schema may lack the field, and it is then neither written nor read. `value`: that too, and an action may omit it; absent is then not
   * zero, so a zero is written. `decoration`: as `value`, and an action means the same to us without it, so it is also omitted if the schema that the
   * exchange publishes lacks it.
   */
  readonly optional: false | 'schema' | 'value' | 'decoration';
}

export interface ScalarNeed extends Named {
  readonly type: keyof Scalars;
}

export interface ChoiceNeed extends Named {
  readonly type: 'choice';
  /** The words used here and the schema's. */
  readonly values: Readonly<Record<string, string>>;
}

export interface MessageNeed extends Named {
  readonly type: 'message';
  readonly repeated: boolean;
  readonly needs: Needs;
}

export type Need = ScalarNeed | ChoiceNeed | MessageNeed;
export interface Needs {
  readonly [key: string]: Need;
}

type ValueOf<N extends Need> = N extends MessageNeed
  ? N['repeated'] extends true
    ? readonly ValuesOf<N['needs']>[]
    : ValuesOf<N['needs']>
  : N extends ChoiceNeed
    ? keyof N['values']
    : N extends ScalarNeed
      ? Scalars[N['type']]
      : never;

/** True for what is read as zero if it is not on the wire; everything else may be absent. */
type Always<N extends Need> = N['optional'] extends false ? (N['type'] extends 'message' | 'code' ? false : true) : false;

/** The values of a message as the code holds them. */
export type ValuesOf<M extends Needs> = {
  readonly [K in keyof M as Always<M[K]> extends true ? K : never]: ValueOf<M[K]>;
} & {
  readonly [K in keyof M as Always<M[K]> extends true ? never : K]?: ValueOf<M[K]> | undefined;
};

export const scalar = <T extends keyof Scalars>(type: T, ...names: string[]) => ({ type, names, optional: false }) as const;
export const choice = <V extends Readonly<Record<string, string>>>(values: V, name: string) =>
  ({ type: 'choice', names: [name], values, optional: false }) as const;
export const message = <M extends Needs>(needs: M, ...names: string[]) =>
  ({ type: 'message', names, needs, repeated: false, optional: false }) as const;
export const list = <M extends Needs>(needs: M, name: string) =>
  ({ type: 'message', names: [name], needs, repeated: true, optional: false }) as const;
export const ifAny = <N extends Need>(need: N): Omit<N, 'optional'> & { readonly optional: 'schema' } => ({ ...need, optional: 'schema' });
export const maybe = <N extends Need>(need: N): Omit<N, 'optional'> & { readonly optional: 'value' } => ({ ...need, optional: 'value' });
export const decoration = <N extends Need>(need: N): Omit<N, 'optional'> & { readonly optional: 'decoration' } => ({
  ...need,
  optional: 'decoration',
});

/** True if an action may omit the field, so that absent differs from zero. */
export const mayBeOmitted = ({ optional }: Need): boolean => optional === 'value' || optional === 'decoration';

export const SIDE = choice({ ask: 'ASK', bid: 'BID' }, 'side');
export const FILL_MODE = choice(
  { LIMIT: 'LIMIT', POST_ONLY: 'POST_ONLY', IMMEDIATE_OR_CANCEL: 'IMMEDIATE_OR_CANCEL', FILL_OR_KILL: 'FILL_OR_KILL' },
  'fill_mode',
);

export const CREATE_SESSION = {
  userPubkey: scalar('key', 'user_pubkey'),
  sessionPubkey: scalar('key', 'session_pubkey', 'blst_pubkey'),
  expiry: scalar('integer', 'expiry_timestamp'),
} satisfies Needs;

export const PLACE_ORDER = {
  sessionId: scalar('id', 'session_id'),
  marketId: scalar('u32', 'market_id'),
  side: SIDE,
  fillMode: FILL_MODE,
  price: scalar('amount', 'price'),
  size: scalar('amount', 'size'),
  reduceOnly: decoration(scalar('flag', 'is_reduce_only', 'reduce_only')),
  clientOrderId: maybe(scalar('id', 'client_order_id')),
  senderAccountId: maybe(scalar('u32', 'sender_account_id')),
} satisfies Needs;

export const CANCEL_ORDER = {
  sessionId: scalar('id', 'session_id'),
  orderId: scalar('id', 'order_id'),
  senderAccountId: maybe(scalar('u32', 'sender_account_id')),
} satisfies Needs;

/** The three kinds that have an encoder. A session's key could also move funds: no other kind may ever be written here. */
export const ACTION = {
  timestamp: scalar('integer', 'current_timestamp'),
  nonce: scalar('integer', 'nonce'),
  createSession: message(CREATE_SESSION, 'create_session'),
  placeOrder: message(PLACE_ORDER, 'place_order'),
  cancelOrder: message(CANCEL_ORDER, 'cancel_order_by_id', 'cancel_order'),
} satisfies Needs;

const POSTED = {
  orderId: scalar('id', 'order_id'),
  marketId: scalar('u32', 'market_id'),
  side: SIDE,
  price: scalar('amount', 'price'),
  size: scalar('amount', 'size'),
  accountId: scalar('u32', 'account_id'),
} satisfies Needs;

const FILL = {
  orderId: scalar('id', 'order_id'),
  price: scalar('amount', 'price'),
  size: scalar('amount', 'size'),
  accountId: scalar('u32', 'account_id'),
} satisfies Needs;

/** The API document shows the fields of no result except the session's, so a schema may lack them. */
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
} satisfies Needs;
