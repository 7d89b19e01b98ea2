// Another client of the bot's user, on the same account, over a socket while the virtual clock stands still.
import { ForeignClient } from '../../foreign/client.ts';
import type { ForeignExchange } from '../../foreign/exchange.ts';
import { type KeyPair, keyNamed } from '../../foreign/keys.ts';

const SECONDS_OF_SESSION = 3_600;

/** Rests a bid by the document's numbering; resolves with its id. Ticks and lots. */
export async function strangersBid(
  { url }: ForeignExchange,
  { user, price, size }: { user: KeyPair; price: bigint; size: bigint },
): Promise<bigint> {
  const client = new ForeignClient({ url, numbering: 'document' });
  const session = keyNamed('stranger');
  const timestamp = await client.engineTime();
  const opened = await client.createSession({ user, session, expiry: timestamp + SECONDS_OF_SESSION, timestamp });
  if (opened.kind !== 'session') throw new Error(`the stranger got no session: ${opened.kind}`);
  const order = { sessionId: opened.sessionId, marketId: 0, side: 'bid', fillMode: 'limit', price, size, timestamp } as const;
  const placed = await client.placeOrder(order, session);
  if (placed.kind !== 'placed' || placed.posted === undefined) throw new Error(`the stranger's bid does not rest: ${placed.kind}`);
  return placed.posted.orderId;
}
