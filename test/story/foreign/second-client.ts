// A second client of the bot's user on the same account. It connects over a socket while the virtual clock stands still.
import { ForeignClient } from '../../foreign/client.ts';
import type { ForeignExchange } from '../../foreign/exchange.ts';
import { type KeyPair, keyNamed } from '../../foreign/keys.ts';

const SECONDS_OF_SESSION = 3_600;

/** Places a resting bid with the document's numbering; resolves with its id. Price in ticks, size in lots. */
export async function placeSecondClientBid(
  { url }: ForeignExchange,
  { user, price, size }: { user: KeyPair; price: bigint; size: bigint },
): Promise<bigint> {
  const client = new ForeignClient({ url, numbering: 'document' });
  const session = keyNamed('second client');
  const timestamp = await client.engineTime();
  const opened = await client.createSession({ user, session, expiry: timestamp + SECONDS_OF_SESSION, timestamp });
  if (opened.kind !== 'session') throw new Error(`the second client got no session: ${opened.kind}`);
  const order = { sessionId: opened.sessionId, marketId: 0, side: 'bid', fillMode: 'limit', price, size, timestamp } as const;
  const placed = await client.placeOrder(order, session);
  if (placed.kind !== 'placed' || placed.posted === undefined)
    throw new Error(`the bid of the second client does not rest: ${placed.kind}`);
  return placed.posted.orderId;
}
