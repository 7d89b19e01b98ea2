// The reads of a start, before anything is decided on them: the account, several times, and our trades from before the run.
import { type Clock, type Millis, sleep } from '../../../base/clock.ts';
import type { Account } from '../../domain/account.ts';
import { compareIds } from '../../domain/ids.ts';
import type { Fill } from '../../domain/order.ts';
import { ACCOUNTS_AT_START, type Admit, type FoundAtStart } from '../port.ts';
import type { Retry } from './start-retries.ts';
import type { FillSource } from './streams/account-streams.ts';
import type { Resumption } from './streams/trade-tail.ts';

/**
 * Longer than an account lags or omits orders by mistake, unless the exchange's accounts may be behind for longer; equal to the time between two
 * accounts that prove an order gone.
 */
export const BETWEEN_ACCOUNTS: Millis = 2_000;

export interface AccountsOptions {
  readonly clock: Clock;
  readonly retry: Retry;
  /** Reads the account; `count` is the number of earlier reads. */
  readonly read: (count: number) => Promise<Account>;
  /** The longest time that an account may be behind the exchange, if longer than BETWEEN_ACCOUNTS. */
  readonly accountLag?: Millis | undefined;
  /** Time between two requests; by default BETWEEN_ACCOUNTS or `accountLag`, so that the last account shows all that was done before the first request. */
  readonly apartMs?: Millis | undefined;
}

/**
 * Returns the accounts, oldest first. An account with a lower number than an earlier one comes from a cache and is requested again; unless the next one
 * is not lower, and was requested longer after the earlier one than a cache lags: then the earlier number was wrong.
 */
export async function accountsAtStart({
  clock,
  retry,
  read,
  accountLag = 0,
  apartMs = Math.max(BETWEEN_ACCOUNTS, accountLag),
}: AccountsOptions): Promise<readonly [Account, ...Account[]]> {
  const first = await retry(() => read(0));
  const accounts: [Account, ...Account[]] = [first];
  let newest = first;
  let newestAt = clock.now();
  let lower: Account | undefined;
  const notOlder = async (): Promise<Account> => {
    const asked = clock.now();
    const account = await read(accounts.length);
    if (compareIds(account.updateId, newest.updateId) >= 0) return account;
    const agrees = lower !== undefined && compareIds(account.updateId, lower.updateId) >= 0;
    lower = account;
    if (agrees && asked >= newestAt + 2 * Math.max(BETWEEN_ACCOUNTS, accountLag)) return account;
    throw new Error(`the account with the number ${account.updateId} is older than the one before, with ${newest.updateId}`);
  };
  while (accounts.length < ACCOUNTS_AT_START) {
    if (apartMs > 0) await sleep(clock, apartMs);
    newest = await retry(notOlder);
    newestAt = clock.now();
    lower = undefined;
    accounts.push(newest);
  }
  return accounts;
}

export interface AdmissionOptions extends Pick<AccountsOptions, 'clock' | 'accountLag'> {
  readonly admit?: Admit | undefined;
  /** `apartMs` of the reads. */
  readonly betweenAccountsMs?: Millis | undefined;
}

/** Reads the account several times and calls `admit` with it. Reads nothing without `admit`. */
export async function admitAccount(
  { clock, admit, accountLag, betweenAccountsMs: apartMs }: AdmissionOptions,
  { account, markets, retry, read }: Pick<FoundAtStart, 'account' | 'markets'> & Pick<AccountsOptions, 'retry' | 'read'>,
): Promise<void> {
  if (admit === undefined) return;
  admit({ account, markets, accounts: await accountsAtStart({ clock, retry, read, accountLag, apartMs }) });
}

export interface EarlierTradesOptions {
  readonly resume?: Resumption | undefined;
  readonly onEarlierTrades?: ((earlier: readonly Fill[]) => void) | undefined;
}

/** Marks the trades from before the run as reported, because they do not belong to it. Reads nothing if an earlier process is resumed. */
export async function skipEarlierTrades(
  trades: FillSource,
  { retry, resume, onEarlierTrades }: EarlierTradesOptions & { readonly retry: Retry },
): Promise<void> {
  if (resume !== undefined) return;
  const earlier = trades.takeNew(await retry(() => trades.read()));
  onEarlierTrades?.(earlier);
}
