// The requests that cancel the orders of the account of a local signing process; the process holds the key.
import type { Transport } from '../../../base/transport.ts';
import { countsOf } from '../../../exchange/local/account-snapshot.ts';
import { localClient } from '../../../exchange/local/client/client.ts';
import { LOCAL_RULES } from '../../../exchange/local/public-client.ts';
import type { CancelCalls } from '../../operate/client-canceller.ts';

export function localCancelCalls(transport: Transport): CancelCalls {
  const client = localClient({ transport });
  return {
    orderLife: LOCAL_RULES.orderLife,
    resting: async () => (await client.openOrders()).map(({ id, clientId }) => ({ orderId: id, clientOrderId: clientId })),
    counts: async () => countsOf({ positions: await client.positions(), orders: [] }),
    cancel: ({ orderId }) => client.cancel(orderId),
  };
}
