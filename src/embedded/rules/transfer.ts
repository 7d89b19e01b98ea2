// Transfers quote money between accounts, limited to the money that the sender's positions and orders do not need.
import { assert } from '../../base/assert.ts';
import type { Refusal, TransferOutcome, TransferRequest } from '../commands.ts';
import { type ExchangeState, nextAction, pay } from '../state/exchange-state.ts';
import { QUOTE } from '../state/listing.ts';
import { withdrawable } from '../state/wallets.ts';
import { refused } from './placing.ts';

export function transfer(state: ExchangeState, { from, to, amount }: TransferRequest): TransferOutcome {
  const refusal = transferRefusal(state, { from, amount });
  const [giver, taker] = [state.accounts[from], state.accounts[to]];
  if (giver === undefined || taker === undefined || refusal !== undefined) return refused(state, refusal ?? 'ACCOUNT_NOT_FOUND');
  pay(giver, taker, amount);
  return { kind: 'accepted', actionId: String(nextAction(state)) };
}

/** Returns why an account may not transfer this amount; undefined if it may. */
export function transferRefusal(state: ExchangeState, { from, amount }: Omit<TransferRequest, 'to'>): Refusal | undefined {
  assert(amount > 0, `a transfer of ${amount}`);
  const giver = state.accounts[from];
  if (giver === undefined) return 'ACCOUNT_NOT_FOUND';
  return amount > withdrawable(state, giver, QUOTE) ? 'INSUFFICIENT_FUNDS' : undefined;
}
