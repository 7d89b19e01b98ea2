// The endpoints of the real exchange that the embedded one does not serve. They are answered with 501, so that a client can distinguish a missing
// feature from a wrong path.
import { Refused } from '../../../base/server/reply.ts';
import { type Route, route } from '../../../base/server/routing.ts';

/** Each with what the embedded exchange lacks. */
const REASONS = {
  '/account/{account}/history/liquidation': 'it does not keep the margins before and after a liquidation',
  '/admin': 'it has no administrators',
  '/event/last-acked-nonce': 'it is connected to no blockchain',
  '/openapi.json': 'it has no such document of itself',
  '/state/download': 'it keeps no snapshots',
  '/state/download/{snapshot}': 'it keeps no snapshots',
  '/state/info': 'it has no versions of its state',
  '/state/info/hist': 'it has no versions of its state',
  '/tv': 'no document describes its paths and values',
} as const;

export const notServed = (): readonly Route[] =>
  Object.entries(REASONS).map(([path, reason]) =>
    route({
      path,
      anyQuery: true,
      answer: () => {
        throw new Refused(501, { message: `the embedded exchange does not serve ${path}: ${reason}` });
      },
    }),
  );
