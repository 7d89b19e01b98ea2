// Executes authentic actions: opens or revokes a session, places an order or cancels one. All throw an `ActionFailed` if the action is refused.

import { toBase58 } from '../../../base/wire/ed25519.ts';
import type { Side } from '../../../bot/domain/book.ts';
import type { AccountId, MarketId } from '../../../bot/domain/ids.ts';
import { lots, type Micros, ticks } from '../../../bot/domain/numbers.ts';
import type { CompoundRefusal, OrderLimits, Placed } from '../../exchange/commands.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { ServedAction, ServedReceipt } from './served-codec.ts';
import type { Sessions } from './sessions.ts';

/** State shared by the endpoints of the hosted API. */
export interface HostedApiContext {
  readonly exchange: Exchange;
  readonly sessions: Sessions;
  /** Quote money that a new user receives on its first session; with 0 a new user is refused. */
  readonly faucet: Micros;
}

/** The errors that the protocol adds to those of the exchange itself. */
export type ActionError =
  | CompoundRefusal
  | 'TOO_MANY_USER_ACCOUNTS'
  | 'DUPLICATE'
  | 'DECODE_FAILURE_LENGTH_PREFIX'
  | 'DECODE_FAILURE_RAW'
  | 'DECODE_FAILURE_DOMAIN'
  | 'INVALID'
  | 'TIMESTAMP_OUT_OF_THRESHOLD'
  | 'INVALID_SIGNATURE'
  | 'SIGNATURE_VERIFICATION'
  | 'SESSION_NOT_FOUND'
  | 'EXPIRY_TIMESTAMP_IN_PAST'
  | 'USER_NOT_FOUND'
  | 'TOKEN_NOT_FOUND'
  | 'ACCOUNT_INVALID_OWNER';

/** Thrown from any depth for an action that is not executed. `actions.ts` turns it into an error receipt. */
export class ActionFailed extends Error {
  override readonly name = 'ActionFailed';
  readonly error: ActionError;

  constructor(error: ActionError) {
    super(error);
    this.error = error;
  }
}

export type ActionOf<Kind extends ServedAction['kind']> = Extract<ServedAction, { kind: Kind }>;

/** Opens a session of the user whose key signed; a new user gets an account with money from the faucet. `now` is in engine seconds. */
export function openSession(
  { exchange, sessions, faucet }: HostedApiContext,
  action: ActionOf<'createSession'>,
  now: number,
): ServedReceipt {
  if (action.expiry <= now) throw new ActionFailed('EXPIRY_TIMESTAMP_IN_PAST');
  const user = toBase58(action.userPubkey);
  if (exchange.accountsOf(user).length === 0) {
    if (faucet <= 0) throw new ActionFailed('USER_NOT_FOUND');
    exchange.register(user, faucet);
  }
  const { id } = sessions.open({ user, publicKey: action.sessionPubkey, expiry: action.expiry, now });
  exchange.countAction();
  return { kind: 'createSession', actionId: exchange.lastActionId(), sessionId: id };
}

/** Ends a session. The key of its user must have signed the action. */
export function revokeSession({ exchange, sessions }: HostedApiContext, { sessionId }: ActionOf<'revokeSession'>): ServedReceipt {
  sessions.end(sessionId);
  exchange.countAction();
  return { kind: 'sessionRevoked', actionId: exchange.lastActionId() };
}

/** Places an order. `user` is the owner of the session that signed, in base58. */
export function place({ exchange }: HostedApiContext, user: string, action: ActionOf<'placeOrder'>): ServedReceipt {
  const { marketId, side, fillMode, clientOrderId, reduceOnly, senderTrackingId } = action;
  const account = actingAccount(exchange, { user, sender: action.senderAccountId });
  const outcome = exchange.compound.placeWithin({
    account,
    market: marketId,
    side,
    fillMode,
    clientOrderId,
    reduceOnly,
    ...limitsOf(action),
  });
  if (outcome.kind === 'refused') throw new ActionFailed(outcome.error);
  const result = placeResult(outcome, { marketId, side, accountId: account, clientOrderId });
  return { kind: 'placeOrder', actionId: outcome.actionId, ...result, senderTrackingId };
}

/** Returns the fields of an order's receipt. */
export function placeResult(
  { posted, fills }: Placed,
  { marketId, side, accountId, clientOrderId }: { marketId: MarketId; side: Side; accountId: AccountId; clientOrderId: string | undefined },
) {
  return {
    posted: posted && { orderId: posted.orderId, marketId, side, price: BigInt(posted.price), size: BigInt(posted.size), accountId },
    fills: fills.map(({ orderId, price, size, account }) => ({ orderId, price: BigInt(price), size: BigInt(size), accountId: account })),
    clientOrderId,
  };
}

export function cancel({ exchange }: HostedApiContext, user: string, { orderId, senderAccountId }: ActionOf<'cancelOrder'>): ServedReceipt {
  const outcome = exchange.cancel({ account: actingAccount(exchange, { user, sender: senderAccountId }), orderId });
  if (outcome.kind === 'refused') throw new ActionFailed(outcome.error);
  return { kind: 'cancelOrder', actionId: outcome.actionId, orderId: outcome.orderId, accountId: outcome.account };
}

/** Returns the named account, which must be the user's, or the user's first account if none is named. */
export function actingAccount(exchange: Exchange, { user, sender }: { user: string; sender: AccountId | undefined }): AccountId {
  const mine = exchange.accountsOf(user);
  const account = sender ?? mine[0];
  if (account === undefined) throw new ActionFailed('ACCOUNT_NOT_FOUND');
  if (mine.includes(account)) return account;
  throw new ActionFailed(exchange.feeTier(account) === undefined ? 'ACCOUNT_NOT_FOUND' : 'ACCOUNT_INVALID_OWNER');
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

interface WireLimits {
  readonly price: bigint;
  readonly size: bigint;
  readonly quoteSize?: { readonly size: bigint; readonly price: bigint } | undefined;
}

/**
 * Returns the limits of an order; 0 on the wire means no limit. A number above the safe integers, in which the exchange counts, is refused as beyond the
 * price band or the size limit.
 */
export function limitsOf({ price, size, quoteSize }: WireLimits): Pick<OrderLimits, 'price' | 'size' | 'quote'> {
  if (price > MAX_SAFE) throw new ActionFailed('ORDER_EXECUTION_LIMIT_PRICE');
  if (size > MAX_SAFE) throw new ActionFailed('ORDER_EXECUTION_SIZE_LIMIT');
  if (quoteSize !== undefined && (quoteSize.size === 0n || quoteSize.price === 0n)) throw new ActionFailed('DECODE_FAILURE_DOMAIN');
  return {
    price: price === 0n ? undefined : ticks(Number(price)),
    size: size === 0n ? undefined : lots(Number(size)),
    quote: quoteSize && quoteSize.size * quoteSize.price,
  };
}
