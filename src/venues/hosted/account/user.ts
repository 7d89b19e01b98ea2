// Determines the account to trade with: the user of a key, the user's accounts, and whether actions must name the account.
import { UserError } from '../../../base/errors.ts';
import type { AccountId } from '../../../domain/ids.ts';
import { ClientError } from '../../../exchange/kit/client-error.ts';
import type { ActionCodec } from '../../../wire/codec.ts';
import type { User } from '../../../wire/json/hosted.ts';
import type { HostedClient } from '../requests/client.ts';

/** Returns undefined if the exchange knows no account of this public key (Base58). */
export async function userOf(client: HostedClient, publicKey: string): Promise<User | undefined> {
  try {
    return await client.user(publicKey);
  } catch (error) {
    if (error instanceof ClientError && error.kind === 'notFound') return undefined;
    throw error;
  }
}

export interface Owner {
  readonly account: AccountId;
  /** The account to name in every action; undefined if it is the user's only one. */
  readonly sender: AccountId | undefined;
}

/**
 * Returns the user's first account, or the one in `wanted`. Throws a UserError `account` if the user has none, if `wanted` belongs to another user,
 * and if `wanted` is not the first account and the schema has no field to name it: without a name the exchange acts on the first account.
 */
export function ownerOf(
  user: User | undefined,
  { publicKey, wanted, extras }: { publicKey: string; wanted: AccountId | undefined; extras: ActionCodec['extras'] },
): Owner {
  const accounts = user?.accountIds ?? [];
  const [first] = accounts;
  if (first === undefined) {
    throw refused(
      `the exchange knows no account of the public key ${publicKey}`,
      'make a first deposit with this key, or check that --key is the right one',
    );
  }
  const account = wanted ?? first;
  if (!accounts.includes(account))
    throw refused(`account ${account} does not belong to the public key ${publicKey}`, `its accounts: ${accounts.join(', ')}`);
  if (account !== first && !(extras.placeSender && extras.cancelSender)) {
    throw refused(
      `account ${account} is not the user's first, and the action schema has no sender_account_id to name it`,
      `trade with account ${first}, or use a schema that has the field (--schema)`,
    );
  }
  return { account, sender: accounts.length === 1 ? undefined : account };
}

const refused = (message: string, hint: string): UserError => new UserError({ code: 'account', message, hint });
