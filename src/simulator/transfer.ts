// Quote money from one account to another, as long as the first keeps what its positions and its resting orders need.
import { assert } from '../base/assert.ts';
import type { TransferOutcome, TransferRequest } from './commands.ts';
import { type House, nextAction, pay } from './house.ts';
import { QUOTE } from './listing.ts';
import { refused } from './placing.ts';
import { withdrawable } from './wallets.ts';

export function transfer(house: House, { from, to, amount }: TransferRequest): TransferOutcome {
  assert(amount > 0, `a transfer of ${amount}`);
  const [giver, taker] = [house.accounts[from], house.accounts[to]];
  if (giver === undefined || taker === undefined) return refused(house, 'ACCOUNT_NOT_FOUND');
  if (amount > withdrawable(house, giver, QUOTE)) return refused(house, 'INSUFFICIENT_FUNDS');
  pay(giver, taker, amount);
  return { kind: 'accepted', actionId: String(nextAction(house)) };
}
