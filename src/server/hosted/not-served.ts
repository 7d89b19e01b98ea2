// The endpoints of the real exchange that the embedded one does not serve. They are answered with 501, so that a client can distinguish a missing
// feature from a wrong path.
import { Refused } from '../reply.ts';
import { type Route, route } from '../routing.ts';

const PATHS = [
  '/account/{account}/fees/withdrawal',
  '/account/{account}/pnl',
  '/account/{account}/pnl/funding/history/PT1H',
  '/account/{account}/history/withdrawal',
  '/account/{account}/history/deposit',
  '/account/{account}/history/liquidation',
  '/account/volume',
  '/accounts/fee-tiers',
  '/action',
  '/admin',
  '/event/last-acked-nonce',
  '/market/{market}/history/PT1H',
  '/market/{market}/price/prev',
  '/openapi.json',
  '/order/{order}',
  '/order/{order}/trades',
  '/state/download',
  '/state/download/{snapshot}',
  '/state/info',
  '/state/info/hist',
  '/tokens/{token}/stats',
  '/tv',
] as const;

export const notServed = (): readonly Route[] =>
  PATHS.map((path) =>
    route({
      path,
      anyQuery: true,
      answer: () => {
        throw new Refused(501, { message: `the embedded exchange does not serve ${path}` });
      },
    }),
  );
