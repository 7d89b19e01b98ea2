// Executes an authentic action: opens a session, places an order or cancels one.
import type { AccountId } from '../../domain/ids.ts';
import { type Lots, lots, type Micros, type Ticks, ticks } from '../../domain/numbers.ts';
import type { Refusal } from '../../embedded/commands.ts';
import type { Exchange } from '../../embedded/exchange.ts';
import type { Receipt, WireAction } from '../../wire/codec.ts';
import { toBase58 } from '../../wire/signing.ts';
import type { Sessions } from './sessions.ts';

/** What the endpoints of the hosted API share. */
export interface ApiContext {
  readonly exchange: Exchange;
  readonly sessions: Sessions;
  /** Quote money that a new user receives on its first session; with 0 a new user is refused. */
  readonly faucet: Micros;
}

/** The errors that the protocol adds to those of the exchange itself. */
export type ActionError =
  | Refusal
  | 'DUPLICATE'
  | 'DECODE_FAILURE_LENGTH_PREFIX'
  | 'DECODE_FAILURE_RAW'
  | 'DECODE_FAILURE_DOMAIN'
  | 'NOT_IMPLEMENTED'
  | 'TIMESTAMP_OUT_OF_THRESHOLD'
  | 'INVALID_SIGNATURE'
  | 'SESSION_NOT_FOUND'
  | 'EXPIRY_TIMESTAMP_IN_PAST'
  | 'USER_NOT_FOUND'
  | 'ACCOUNT_INVALID_OWNER';

/** An action that is not executed; thrown at any depth, and turned into an error receipt in one place. */
export class ActionFailed extends Error {
  override readonly name = 'ActionFailed';
  readonly error: ActionError;

  constructor(error: ActionError) {
    super(error);
    this.error = error;
  }
}

type ActionOf<Kind extends WireAction['kind']> = Extract<WireAction, { kind: Kind }>;

/** `user` is the owner of the session or key that signed, in base58; `now` is in engine seconds. Each function throws an `ActionFailed`. */
export function openSession({ exchange, sessions, faucet }: ApiContext, action: ActionOf<'createSession'>, now: number): Receipt {
  if (action.expiry <= now) throw new ActionFailed('EXPIRY_TIMESTAMP_IN_PAST');
  const user = toBase58(action.userPubkey);
  if (exchange.accountsOf(user).length === 0) {
    if (faucet <= 0) throw new ActionFailed('USER_NOT_FOUND');
    exchange.register(user, faucet);
  }
  const { id } = sessions.open({ user, publicKey: action.sessionPubkey, expiry: action.expiry, now });
  return { kind: 'createSession', actionId: exchange.countAction(), sessionId: id };
}

export function place({ exchange }: ApiContext, user: string, action: ActionOf<'placeOrder'>): Receipt {
  const { marketId, side, fillMode, clientOrderId } = action;
  const accountId = actingAccount(exchange, { user, sender: action.senderAccountId });
  const { reduceOnly } = action;
  const order = {
    account: accountId,
    reduceOnly,
    market: marketId,
    side,
    fillMode,
    price: limitOf(action),
    size: sizeOf(action),
    clientOrderId,
  };
  const outcome = exchange.place(order);
  if (outcome.kind === 'refused') throw new ActionFailed(outcome.error);
  const { actionId, posted, fills } = outcome;
  return {
    kind: 'placeOrder',
    actionId,
    posted: posted && { orderId: posted.orderId, marketId, side, price: BigInt(posted.price), size: BigInt(posted.size), accountId },
    fills: fills.map(({ orderId, price, size, account }) => ({ orderId, price: BigInt(price), size: BigInt(size), accountId: account })),
    clientOrderId,
  };
}

export function cancel({ exchange }: ApiContext, user: string, { orderId, senderAccountId }: ActionOf<'cancelOrder'>): Receipt {
  const outcome = exchange.cancel({ account: actingAccount(exchange, { user, sender: senderAccountId }), orderId });
  if (outcome.kind === 'refused') throw new ActionFailed(outcome.error);
  return { kind: 'cancelOrder', actionId: outcome.actionId, orderId: outcome.orderId, accountId: outcome.account };
}

/** Returns the named account, which must be the user's, or the user's first account if none is named. */
function actingAccount(exchange: Exchange, { user, sender }: { user: string; sender: AccountId | undefined }): AccountId {
  const mine = exchange.accountsOf(user);
  const account = sender ?? mine[0];
  if (account === undefined) throw new ActionFailed('ACCOUNT_NOT_FOUND');
  if (mine.includes(account)) return account;
  throw new ActionFailed(exchange.feeTier(account) === undefined ? 'ACCOUNT_NOT_FOUND' : 'ACCOUNT_INVALID_OWNER');
}

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * 0 on the wire means no limit. The exchange counts in safe integers: a larger price is also beyond any price band, and a larger size beyond any size
 * limit.
 */
function limitOf({ price }: ActionOf<'placeOrder'>): Ticks | undefined {
  if (price > LARGEST) throw new ActionFailed('ORDER_EXECUTION_LIMIT_PRICE');
  return price === 0n ? undefined : ticks(Number(price));
}

function sizeOf({ size }: ActionOf<'placeOrder'>): Lots {
  if (size > LARGEST) throw new ActionFailed('ORDER_EXECUTION_SIZE_LIMIT');
  return lots(Number(size));
}
