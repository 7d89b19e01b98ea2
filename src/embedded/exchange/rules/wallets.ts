// The wallets of users outside their accounts, with deposits and withdrawals.
import { assert } from '../../../base/errors.ts';
import type { AccountId, TokenId } from '../../../bot/domain/ids.ts';
import type { TransferOutcome } from '../commands.ts';
import type { FundsMove } from '../history/statement.ts';
import type { ExchangeAccount } from '../state/account.ts';
import { type ExchangeState, moveFunds } from '../state/exchange-state.ts';
import { QUOTE } from '../state/listing.ts';
import { marginsNow } from './account-margins.ts';
import { reservedByBids } from './order-checks.ts';
import { refused } from './placing.ts';

/** An amount of a token, counted as in accounts: Micros for the quote token, lots of its spot market for a base token. */
export interface Funds {
  readonly account: AccountId;
  readonly token: TokenId;
  readonly amount: number;
}

/** A user's accounts share one wallet. Only tokens that the exchange can price can be in it. */
export class Wallets {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  /** Creates tokens in the wallet. */
  endow({ account, token, amount }: Funds): void {
    this.#check(token, amount);
    this.#state.accounts[account]!.wallet[token]! += amount;
  }

  /** Returns the amounts in the wallet, indexed by token id. */
  amounts(account: AccountId): readonly number[] {
    return [...this.#state.accounts[account]!.wallet];
  }

  /** Moves tokens from the wallet to the account; INSUFFICIENT_FUNDS if the wallet has less. */
  deposit({ account: id, token, amount }: Funds): TransferOutcome {
    const account = this.#state.accounts[id]!;
    this.#check(token, amount);
    if (amount > account.wallet[token]!) return refused(this.#state, 'INSUFFICIENT_FUNDS');
    return this.#move(account, { kind: 'deposit', token, amount });
  }

  /** Moves tokens from the account to the wallet; INSUFFICIENT_FUNDS if more than `withdrawable`. */
  withdraw({ account: id, token, amount }: Funds): TransferOutcome {
    const account = this.#state.accounts[id]!;
    this.#check(token, amount);
    if (amount > withdrawable(this.#state, account, token)) return refused(this.#state, 'INSUFFICIENT_FUNDS');
    return this.#move(account, { kind: 'withdrawal', token, amount });
  }

  withdrawable(account: AccountId, token: TokenId): number {
    return withdrawable(this.#state, this.#state.accounts[account]!, token);
  }

  /** The newest thousand deposits and withdrawals of an account, newest first; the money that it was registered with is a deposit. */
  moves(account: AccountId): readonly FundsMove[] {
    return this.#state.accounts[account]!.fundsMoves.values().toReversed();
  }

  #check(token: TokenId, amount: number): void {
    assert(token === QUOTE || this.#state.pricedBy.has(token), `nobody can hold token ${token}`);
    assert(Number.isSafeInteger(amount) && amount > 0, `${amount} is not a positive whole number of its smallest units`);
  }

  #move(account: ExchangeAccount, move: Pick<FundsMove, 'kind' | 'token' | 'amount'>): TransferOutcome {
    account.wallet[move.token]! += move.kind === 'deposit' ? -move.amount : move.amount;
    return { kind: 'accepted', actionId: moveFunds(this.#state, account, move) };
  }
}

/** Returns the maximum withdrawal of a token: the balance that is not reserved for orders, or less if the margins require it. */
export function withdrawable(state: ExchangeState, account: ExchangeAccount, token: TokenId): number {
  const { omf, imf, mf, pon } = marginsNow(state, account);
  const spare = pon > 0 ? omf - imf - 1 : mf; // with positions or orders, `omf` must stay above `imf`
  const marketState = state.pricedBy.get(token);
  if (marketState === undefined)
    return token === QUOTE ? Math.max(0, Math.min(account.balances[QUOTE]! - reservedByBids(state, account), spare)) : 0;
  const { market, prices } = marketState;
  const collateralOfOne = (market.lotValue(prices.index) * state.tokens[token]!.weightBps) / 10_000;
  const free = account.balances[token]! - (account.holdings.get(market.id)?.open.ask ?? 0);
  return Math.max(0, Math.min(free, Math.floor((spare - 1) / collateralOfOne))); // 1 for the rounding of what remains
}
