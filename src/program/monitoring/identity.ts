// What distinguishes runs of the same strategy: state directory, account, public key, address, practice or real money.
import type { AccountRef } from '../../bot/domain/ids.ts';
import type { VenueFacts } from '../../venues/kind/venue-kind.ts';

export interface RunIdentity {
  /** The state directory. */
  readonly state: string;
  /** Absent until the exchange has named it. */
  readonly account?: AccountRef | undefined;
  /** The public part of the user's key, in base58; absent if the run has no key. */
  readonly publicKey?: string | undefined;
  /** The exchange's address; absent for an embedded exchange. */
  readonly url?: string | undefined;
  readonly money: 'practice' | 'real';
}

/** Returns the identity of a run. `account` is used if the facts of the run have none. */
export function identityOf(
  exchange: VenueFacts & { readonly account?: unknown },
  { state, isReal, account }: { readonly state: string; readonly isReal: boolean; readonly account?: AccountRef | undefined },
): RunIdentity {
  const own = exchange.account;
  return {
    state,
    account: typeof own === 'number' || typeof own === 'string' ? own : account,
    publicKey: exchange.user,
    url: exchange.url,
    money: isReal ? 'real' : 'practice',
  };
}

/** Number of characters of a key that are shown. */
const SHOWN = 8;

/** Returns the identity in a few words, without the state directory: `real money, account 12, key 7xKXtg2C…, host:443`. */
export function identityWords({ account, publicKey, url, money }: RunIdentity): string {
  const parts = [
    money === 'real' ? 'real money' : 'practice',
    account === undefined ? undefined : `account ${account}`,
    publicKey === undefined ? undefined : `key ${publicKey.length > SHOWN ? `${publicKey.slice(0, SHOWN)}…` : publicKey}`,
    url === undefined || !URL.canParse(url) ? url : new URL(url).host,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** Returns for example `hosted`, or `hosted (paper)` for a paper run. */
export const exchangeWords = ({ exchange, paper }: { readonly exchange: string; readonly paper?: true | undefined }): string =>
  paper === true ? `${exchange} (paper)` : exchange;
