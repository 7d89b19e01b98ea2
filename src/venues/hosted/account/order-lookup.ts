// Looks one order up in the record of orders, which is another source than the account.
import type { AccountId, OrderId } from '../../../domain/ids.ts';
import { ClientError } from '../../../exchange/kit/client-error.ts';
import type { OrderInfo } from '../../../wire/json/hosted.ts';
import type { HostedClient } from '../requests/client.ts';

/** Returns true if the record shows the order open. Rejects with a ClientError if it cannot be read. */
export async function isListedOpen(client: HostedClient, { account, orderId }: { account: AccountId; orderId: OrderId }): Promise<boolean> {
  const listed = (await inHistory(client, { account, orderId })) ?? (await client.order(orderId));
  return listed.orderId === orderId && listed.finalizationReason === undefined;
}

/** Reads one page, from the order on: exchanges differ in whether they know this cursor. Undefined if the page lacks the order or cannot be read. */
async function inHistory(
  client: HostedClient,
  { account, orderId }: { account: AccountId; orderId: OrderId },
): Promise<OrderInfo | undefined> {
  try {
    for await (const { items } of client.accountOrders(account, { startInclusive: orderId }))
      return items.find((item) => item.orderId === orderId);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
  }
  return undefined;
}
