// A transport that sends only reads, so that it cannot change anything.
// This folder has what only a paper run needs: `only-reads.ts`, the transport; `following-clock.ts`, a virtual clock that follows the machine's;
// `commands.ts`, an exchange whose commands are recorded, so that a restart can repeat them. The rules of fills are those of a backtest:
// `embedded/exchange/recorded/recorded-fills.ts`.
import { assert } from '../../base/assert.ts';
import { isRead, type Transport } from '../../base/transport/transport.ts';

/** A request that is neither a GET nor marked as a read is a bug: it throws before anything is sent. */
export function onlyReads(transport: Transport): Transport {
  return {
    request(request, limits) {
      assert(isRead(request), `a paper run sends only reads, not ${request.method} ${request.path}`);
      return transport.request(request, limits);
    },
    reset: (reason) => transport.reset?.(reason),
    renew: () => transport.renew?.(),
    close: () => transport.close(),
  };
}
