// Transfers quote money between accounts, limited to the money that the sender's positions and orders do not need.
import { assert } from '../../../base/assert.ts';
import type { Refusal, TransferOutcome, TransferRequest } from '../commands.ts';
import { type ExchangeState, nextAction, pay } from '../state/exchange-state.ts';
import { QUOTE } from '../state/listing.ts';
import { refused } from './placing.ts';
import { withdrawable } from './wallets.ts';

/** Moves quote money from one account to another, as one action. */
export function transfer(state: ExchangeState, { from, to, amount }: TransferRequest): TransferOutcome {
  const refusal = transferRefusal(state, { from, amount });
  const sender = state.accounts[from];
  const receiver = state.accounts[to];
  if (sender === undefined || receiver === undefined || refusal !== undefined) return refused(state, refusal ?? 'ACCOUNT_NOT_FOUND');
  pay(sender, receiver, amount);
  return { kind: 'accepted', actionId: String(nextAction(state)) };
}

/** Returns why an account may not transfer this amount; undefined if it may. */
export function transferRefusal(state: ExchangeState, { from, amount }: Omit<TransferRequest, 'to'>): Refusal | undefined {
  assert(amount > 0, `a transfer of ${amount}`);
  const sender = state.accounts[from];
  if (sender === undefined) return 'ACCOUNT_NOT_FOUND';
  return amount > withdrawable(state, sender, QUOTE) ? 'INSUFFICIENT_FUNDS' : undefined;
}
