// Checks that a receipt belongs to its action: the fields that it repeats must match the sent ones.
import { Recent } from '../../base/collections/recent.ts';
import type { Action, CancelOrder, PlaceOrder } from '../../bot/domain/action.ts';
import type { AccountId, ActionId } from '../../bot/domain/ids.ts';
import { type ErrorMeaning, meaningOf } from '../../bot/exchange/error-meanings.ts';
import type { Receipt } from '../wire/codec.ts';

/** Number of executed actions that are remembered; a duplicate receipt comes soon. */
const REMEMBERED = 64;

type Of<K extends Receipt['kind']> = Extract<Receipt, { kind: K }>;

/** Errors that only occur for the other kind of action. */
const NEVER: Readonly<Record<Action['kind'], readonly ErrorMeaning[]>> = {
  place: ['orderNotFound'],
  cancel: ['wouldCross', 'noFill', 'funds'],
};

/** Compares receipts with the actions of one account. */
export class Echo {
  readonly #account: AccountId;
  /** The action that was answered, by the action id in the receipt. */
  readonly #answered = new Recent<ActionId, string>(REMEMBERED);

  constructor(account: AccountId) {
    this.#account = account;
  }

  /** Returns why the receipt belongs to another action; undefined if no field contradicts. A schema may have none of these fields. */
  mismatch(action: Action, receipt: Receipt): string | undefined {
    const difference = this.#difference(action, receipt);
    return difference === undefined ? undefined : `the receipt belongs to another action: ${difference}`;
  }

  #difference(action: Action, receipt: Receipt): string | undefined {
    if (receipt.kind === 'err')
      return NEVER[action.kind].includes(meaningOf(receipt.error)) ? `${receipt.error} for a ${action.kind}` : undefined;
    if (receipt.kind === 'createSession') return 'a session was created';
    if (receipt.kind === 'nothing') return undefined;
    const kind = receipt.kind === 'placeOrder' ? 'place' : 'cancel';
    if (kind !== action.kind) return `a ${kind} was executed`;
    if (receipt.kind === 'cancelOrder') return action.kind === 'cancel' ? this.#ofCancel(action, receipt) : undefined;
    return action.kind === 'place' ? this.#ofPlace(action, receipt) : undefined;
  }

  #ofCancel({ orderId, clientOrderId }: CancelOrder, receipt: Of<'cancelOrder'>): string | undefined {
    if (isGiven(receipt.orderId) && receipt.orderId !== orderId) return `order ${receipt.orderId} was cancelled, not ${orderId}`;
    if (receipt.accountId !== undefined && receipt.accountId !== 0 && receipt.accountId !== this.#account)
      return this.#ofAccount(receipt.accountId);
    return isGiven(receipt.orderId) ? undefined : this.#reusedId(receipt.actionId, `cancel ${clientOrderId}`);
  }

  #ofPlace(action: PlaceOrder, { actionId, clientOrderId, posted, fills }: Of<'placeOrder'>): string | undefined {
    if (isGiven(clientOrderId) && clientOrderId !== action.clientOrderId)
      return `it names order ${clientOrderId}, not ${action.clientOrderId}`;
    const size = fills.reduce((sum, fill) => sum + fill.size, posted?.size ?? 0n);
    if (size > BigInt(action.size)) return `its size is ${size} lots, not ${action.size}`;
    const limit = BigInt(action.price);
    if (fills.some(({ price }) => (action.side === 'bid' ? price > limit : price < limit)))
      return 'it was filled at a worse price than its limit';
    // An exchange that omits these fields sends 0.
    if (posted !== undefined && posted.price !== 0n) {
      const { marketId, side, price, accountId } = posted;
      if (marketId !== action.market || side !== action.side || price !== BigInt(action.price))
        return `a ${side} at ${price} rests in market ${marketId}, not a ${action.side} at ${action.price} in market ${action.market}`;
      if (accountId !== 0 && accountId !== this.#account) return this.#ofAccount(accountId);
    }
    return isGiven(clientOrderId) ? undefined : this.#reusedId(actionId, `place ${action.clientOrderId}`);
  }

  #ofAccount(account: AccountId): string {
    return `it names account ${account}, not ${this.#account}`;
  }

  /** Used if no field names the order. Returns a text if another action was answered with the same action id, which is unique. */
  #reusedId(actionId: ActionId, what: string): string | undefined {
    const before = this.#answered.get(actionId);
    if (before !== undefined && before !== what) return `action ${actionId} was already reported for another action`;
    if (isGiven(actionId)) this.#answered.set(actionId, what);
    return undefined;
  }
}

const isGiven = (id: string | undefined): id is string => id !== undefined && id !== '0';
