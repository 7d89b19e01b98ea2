// Executes atomic actions and transfers between the accounts of a user.
import { micros } from '../../../bot/domain/numbers.ts';
import type { AtomicRequest } from '../../exchange/commands.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { QUOTE } from '../../exchange/state/listing.ts';
import { ActionFailed, type ActionOf, actingAccount, type HostedApiContext, limitsOf, placeResult } from './commands.ts';
import type { ServedReceipt } from './served-codec.ts';

/** Maximum number of parts in an atomic action. */
const MAX_PARTS = 4;
/** Maximum number of accounts per user, so that a client cannot exhaust the memory. */
const MAX_ACCOUNTS = 100;

type Part = NonNullable<ActionOf<'atomic'>['actions']>[number];

/** Executes all parts of an atomic action, or none. `user` is the owner of the session that signed, in base58. */
export function atomic({ exchange }: HostedApiContext, user: string, { accountId, actions = [] }: ActionOf<'atomic'>): ServedReceipt {
  if (actions.length === 0 || actions.length > MAX_PARTS) throw new ActionFailed('INVALID');
  const account = actingAccount(exchange, { user, sender: accountId });
  const outcome = exchange.compound.atomic({ account, parts: actions.map(partOf) });
  if (outcome.kind === 'refused') throw new ActionFailed(outcome.error);
  const results = outcome.results.map((result, index) => {
    if ('fills' in result) return { placeOrder: placeResult(result, { ...placementOf(actions[index]!), accountId: account }) };
    return { cancelOrder: { orderId: result.orderId, accountId: result.account } };
  });
  return { kind: 'atomic', actionId: outcome.actionId, results };
}

function partOf({ tradeOrPlace, cancelOrder }: Part): AtomicRequest['parts'][number] {
  if (cancelOrder !== undefined && tradeOrPlace === undefined) return { cancel: cancelOrder.orderId };
  if (cancelOrder !== undefined || tradeOrPlace?.orderType === undefined) throw new ActionFailed('DECODE_FAILURE_DOMAIN');
  const { marketId, orderType, limit = { price: 0n, size: 0n }, clientOrderId } = tradeOrPlace;
  const { side, fillMode, reduceOnly } = orderType;
  return { order: { market: marketId, side, fillMode, reduceOnly, clientOrderId, ...limitsOf(limit) } };
}

/** Returns the market, side and client id of a part that places an order. */
function placementOf({ tradeOrPlace }: Part) {
  if (tradeOrPlace?.orderType === undefined) throw new Error('this part of an atomic action places no order');
  return { marketId: tradeOrPlace.marketId, side: tradeOrPlace.orderType.side, clientOrderId: tradeOrPlace.clientOrderId };
}

/** Moves quote money to another account of the user, or to a new one if none is named. */
export function transfer({ exchange }: HostedApiContext, user: string, action: ActionOf<'transfer'>): ServedReceipt {
  const { fromAccountId, toAccountId, tokenId, amount } = action;
  const from = actingAccount(exchange, { user, sender: fromAccountId });
  if (exchange.tokens[tokenId] === undefined) throw new ActionFailed('TOKEN_NOT_FOUND');
  if (tokenId !== QUOTE) throw new ActionFailed('NOT_IMPLEMENTED');
  if (amount === 0n || toAccountId === from) throw new ActionFailed('INVALID');
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) throw new ActionFailed('INSUFFICIENT_FUNDS');
  const money = { from, amount: micros(Number(amount)) };
  const to = toAccountId === undefined ? undefined : actingAccount(exchange, { user, sender: toAccountId });
  const outcome = to === undefined ? transferToNew(exchange, user, money) : exchange.compound.transfer({ ...money, to });
  if (outcome.kind === 'refused') throw new ActionFailed(outcome.error);
  const account = to ?? exchange.accountsOf(user).at(-1);
  return {
    kind: 'transferred',
    actionId: outcome.actionId,
    fromAccountId: from,
    toUserAccount: account,
    tokenId,
    amount,
    accountCreated: to === undefined,
  };
}

/** Transfers to a new account, which is opened only if the transfer will succeed. */
function transferToNew(exchange: Exchange, user: string, money: { from: number; amount: ReturnType<typeof micros> }) {
  if (exchange.accountsOf(user).length >= MAX_ACCOUNTS) throw new ActionFailed('TOO_MANY_USER_ACCOUNTS');
  const refusal = exchange.compound.transferRefusal(money);
  if (refusal !== undefined) throw new ActionFailed(refusal);
  return exchange.compound.transfer({ ...money, to: exchange.openAccount(user) });
}
