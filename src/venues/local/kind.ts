// The signing process on the user's machine, which has its own key, account and action schema. What is special about it, and why:
//   trades without ids        a trade is identified by its content and its number among equals        trade-pages.ts
//   receipts without ids      a poll shows what became of an accepted order                           pending-placements.ts
//   flags that are ignored    answers and polls are compared with what was asked for                  flag-verifier.ts
//   no decimals, no margins   both are derived from what the process shows                            listing.ts, margins.ts
//   accounts in pieces        several answers make one account, if they agree                         account-snapshot.ts
//   moved endpoints           each is looked for at both of its paths                                 requests/routes.ts
//   no clock, no numbers      the kit counts time, books and accounts
import { checkAddress, requireLive, requireNone, requireUrl } from '../../run/venues/flags.ts';
import type { VenueFacts, VenueKind } from '../../run/venues/venue-kind.ts';

interface LocalFacts extends VenueFacts {
  readonly kind: 'local';
  readonly url: string;
}

export const LOCAL: VenueKind<LocalFacts> = {
  name: 'local',
  about: 'a signing process on your machine',
  outlivesRun: true,
  exampleUrl: 'http://127.0.0.1:3000',
  facts: (zod) => zod.object({ kind: zod.literal('local'), url: zod.string() }),
  async plan(flags) {
    const hint = 'the local process signs with its own key, for its own account';
    requireNone(flags, { of: ['key', 'account', 'schema'], who: 'the local process', hint });
    requireLive(flags);
    const url = requireUrl(LOCAL, flags.url);
    await checkAddress(url);
    const { localAccountHolder, openLocal } = await import('./open.ts');
    return {
      kind: LOCAL,
      runName: ['local'],
      holder: localAccountHolder(url),
      facts: (): LocalFacts => ({ kind: 'local', url }),
      open: (options) => openLocal({ ...options, ...options.config.local, url }),
    };
  },
  recover: ({ url }) => (url === undefined ? undefined : { kind: 'local', url }),
  matchesDirectory: () => true,
  async canceller(_, { transport, clock, log }) {
    const { localCancelCalls } = await import('./canceller.ts');
    const { ClientCanceller } = await import('../../run/operate/client-canceller.ts');
    return new ClientCanceller({ calls: localCancelCalls(transport), clock, log, transport });
  },
  async runChecks({ url }) {
    const { localCheckCalls } = await import('./checks.ts');
    return (await import('../../run/operate/client-checks.ts')).clientChecks({ url, callsOver: localCheckCalls });
  },
  feed: async (options) => (await import('./open.ts')).connectLocalFeed(options),
};
