// A transport that sends only GET requests, so that it cannot change anything.
// This folder has what only a paper run needs: `get-only.ts`, the transport; `following-clock.ts`, a virtual clock that follows the machine's;
// `commands.ts`, an exchange whose commands are recorded, so that a restart can repeat them. The rules of fills are those of a backtest:
// `embedded/recorded/recorded-fills.ts`.
import { assert } from '../../base/assert.ts';
import type { Transport } from '../../base/transport.ts';

/** A request other than GET is a bug: it throws before anything is sent. */
export function getOnly(transport: Transport): Transport {
  return {
    request(request, limits) {
      assert(request.method === 'GET', `a paper run sends only GET requests, not ${request.method} ${request.path}`);
      return transport.request(request, limits);
    },
    reset: (reason) => transport.reset?.(reason),
    renew: () => transport.renew?.(),
    close: () => transport.close(),
  };
}
