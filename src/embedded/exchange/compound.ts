// The compound commands of the exchange: orders limited by quote money, atomic actions, transfers.

import { assert } from '../../base/errors.ts';
import type {
  AtomicOutcome,
  AtomicRequest,
  LimitedOrder,
  LimitedOutcome,
  PlaceRequest,
  Refusal,
  TransferOutcome,
  TransferRequest,
} from './commands.ts';
import { atomic } from './rules/atomic.ts';
import { placeWithin, refused } from './rules/placing.ts';
import { withdrawable } from './rules/wallets.ts';
import { type ExchangeState, nextAction, pay } from './state/exchange-state.ts';
import { QUOTE } from './state/listing.ts';

/** The public methods, without the private field. */
export type Compound = Pick<CompoundCommands, keyof CompoundCommands>;

export class CompoundCommands {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  /** Places an order as large as its limits of size, quote money and price allow. */
  placeWithin(request: LimitedOrder & Pick<PlaceRequest, 'account'>): LimitedOutcome {
    return placeWithin(this.#state, request);
  }

  /** Executes cancels and orders as one action with one id, all of them or none. */
  atomic(request: AtomicRequest): AtomicOutcome {
    return atomic(this.#state, request);
  }

  transfer(request: TransferRequest): TransferOutcome {
    return transfer(this.#state, request);
  }

  /** Returns why an account may not transfer an amount; undefined if it may. */
  transferRefusal(request: Omit<TransferRequest, 'to'>): Refusal | undefined {
    return transferRefusal(this.#state, request);
  }
}

/** Moves quote money from one account to another, as one action: at most what the sender's positions and orders do not need. */
function transfer(state: ExchangeState, { from, to, amount }: TransferRequest): TransferOutcome {
  const refusal = transferRefusal(state, { from, amount });
  const sender = state.accounts[from];
  const receiver = state.accounts[to];
  if (sender === undefined || receiver === undefined || refusal !== undefined) return refused(state, refusal ?? 'ACCOUNT_NOT_FOUND');
  pay(sender, receiver, amount);
  return { kind: 'accepted', actionId: String(nextAction(state)) };
}

/** Returns why an account may not transfer this amount; undefined if it may. */
function transferRefusal(state: ExchangeState, { from, amount }: Omit<TransferRequest, 'to'>): Refusal | undefined {
  assert(amount > 0, `a transfer of ${amount}`);
  const sender = state.accounts[from];
  if (sender === undefined) return 'ACCOUNT_NOT_FOUND';
  return amount > withdrawable(state, sender, QUOTE) ? 'INSUFFICIENT_FUNDS' : undefined;
}
