// The requests that cancel the orders of the account of a local signing process; the process holds the key.
import type { Transport } from '../../base/transport.ts';
import type { CancelCalls } from '../../run/operate/client-canceller.ts';
import { countsOf } from './account-snapshot.ts';
import { LOCAL_RULES } from './public-client.ts';
import { localClient } from './requests/client.ts';

export function localCancelCalls(transport: Transport): CancelCalls {
  const client = localClient({ transport });
  return {
    orderLife: LOCAL_RULES.orderLife,
    resting: async () => (await client.openOrders()).map(({ id, clientId }) => ({ orderId: id, clientOrderId: clientId })),
    counts: async () => countsOf({ positions: await client.positions(), orders: [] }),
    cancel: ({ orderId }) => client.cancel(orderId),
  };
}
