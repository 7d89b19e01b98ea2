// Transfers quote money between accounts, as long as the first keeps what its positions and its resting orders need.
import { assert } from '../../base/assert.ts';
import type { TransferOutcome, TransferRequest } from '../commands.ts';
import { type ExchangeState, nextAction, pay } from '../state/exchange-state.ts';
import { QUOTE } from '../state/listing.ts';
import { withdrawable } from '../state/wallets.ts';
import { refused } from './placing.ts';

export function transfer(state: ExchangeState, { from, to, amount }: TransferRequest): TransferOutcome {
  assert(amount > 0, `a transfer of ${amount}`);
  const [giver, taker] = [state.accounts[from], state.accounts[to]];
  if (giver === undefined || taker === undefined) return refused(state, 'ACCOUNT_NOT_FOUND');
  if (amount > withdrawable(state, giver, QUOTE)) return refused(state, 'INSUFFICIENT_FUNDS');
  pay(giver, taker, amount);
  return { kind: 'accepted', actionId: String(nextAction(state)) };
}
