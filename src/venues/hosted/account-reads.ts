// Reads of an account: the user of a key, the user's accounts, and whether actions must name the account; its fee rates; and one of its orders.
import { UserError } from '../../base/errors.ts';
import { orElse } from '../../base/transport/client-error.ts';
import type { AccountId, OrderId } from '../../bot/domain/ids.ts';
import type { AccountFees } from '../../bot/exchange/kit/venue-client.ts';
import type { HostedClient } from '../client/hosted.ts';
import { firstPage } from '../shared/cursor-pages.ts';
import type { ActionCodec } from '../wire/codec.ts';
import type { User } from '../wire/json/hosted.ts';

/** Returns undefined if the exchange knows no account of this public key (Base58). */
export const userOf = (client: HostedClient, publicKey: string): Promise<User | undefined> =>
  orElse(client.user(publicKey), undefined, 'notFound');

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

/** A rate above this is assumed to be in another unit than parts per million. */
const HIGHEST_PPM = 10_000;

/**
 * Returns the fees. The range covers each tier: which one the account has may change with a trade. Rejects if the exchange does not provide them,
 * or provides them in another unit.
 */
export async function feesOf(account: AccountId, client: HostedClient): Promise<AccountFees> {
  const [brackets, tier] = await Promise.all([client.feeBrackets(), client.feeTier(account)]);
  const bracket = brackets.find((one) => one.tier === tier);
  if (bracket === undefined) throw new Error(`no bracket is listed for fee tier ${tier}`);
  const highest = Math.max(bracket.makerFeePpm, bracket.takerFeePpm);
  if (!(highest >= 0 && highest <= HIGHEST_PPM)) throw new Error(`fee tier ${tier} is listed with ${highest} ppm`);
  const all = brackets.flatMap(({ makerFeePpm, takerFeePpm }) => [makerFeePpm, takerFeePpm]);
  const feeRange = { lowest: Math.min(0, ...all) / 1e6, highest: Math.max(...all.map((ppm) => Math.min(ppm, HIGHEST_PPM))) / 1e6 };
  return { feeRange, feeRate: highest / 1e6, fees: { maker: bracket.makerFeePpm / 1e6, taker: bracket.takerFeePpm / 1e6 } };
}

/** An order of an account. */
interface OrderOfAccount {
  readonly account: AccountId;
  readonly orderId: OrderId;
}

/** Looks the order up in the record of orders, which is another source than the account. Returns true if the record shows the order open. Rejects with a ClientError if it cannot be read. */
export async function isListedOpen(client: HostedClient, { account, orderId }: OrderOfAccount): Promise<boolean> {
  // One page, from the order on: exchanges differ in whether they know this cursor.
  const page = await orElse(firstPage(client.accountOrders(account, { startInclusive: orderId })), undefined);
  const found = page?.items.find((item) => item.orderId === orderId) ?? (await client.order(orderId));
  return found.orderId === orderId && found.finalizationReason === undefined;
}
