// Transfers between the user's wallet and the margin account; meant for a person, one at a time.
import { assert } from '../../../base/assert.ts';
import * as wire from '../../wire/json/local.ts';
import { pathOf, type Requests } from './request.ts';
import { writeAtEitherPath } from './routes.ts';

/** Whole tokens of one coin. */
export interface WalletAmount {
  readonly coin: string;
  readonly size: number;
}

/** Each call is GET as documented; POST only after a 404. Any other failure may hide an executed transfer, so nothing is sent again. */
export interface WalletCalls {
  /** /wallet/deposits: from the wallet to the margin account. */
  deposit(amount: WalletAmount): Promise<wire.WalletOperation>;
  /** /wallet/withdrawals: from the margin account to the wallet. */
  withdraw(amount: WalletAmount): Promise<wire.WalletOperation>;
}

export function walletCalls({ act }: Requests): WalletCalls {
  const moving = (what: 'deposits' | 'withdrawals') => {
    const move = writeAtEitherPath<WalletAmount, wire.WalletOperation>({
      usual: ({ coin, size }) => act({ method: 'GET', path: pathOf(['wallet', what], { coin, size }) }, wire.walletOperation),
      other: ({ coin, size }) => act({ method: 'POST', path: pathOf(['wallet', what]), body: { coin, size } }, wire.walletOperation),
    });
    return async (amount: WalletAmount): Promise<wire.WalletOperation> => {
      assert(Number.isFinite(amount.size) && amount.size > 0, `${amount.size} ${amount.coin} cannot be moved`);
      return move(amount);
    };
  };
  return { deposit: moving('deposits'), withdraw: moving('withdrawals') };
}
