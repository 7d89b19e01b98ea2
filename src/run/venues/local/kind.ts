// The signing process on the user's machine, which has its own key, account and action schema.
//   open.ts        connects to it
//   canceller.ts   the requests that cancel the orders of its account from outside the run
//   checks.ts      the requests of the checks of `doctor`
import { checkAddress, requireLive, requireNone, requireUrl } from '../flags.ts';
import type { VenueFacts, VenueKind } from '../venue-kind.ts';

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
    const { ClientCanceller } = await import('../../operate/client-canceller.ts');
    return new ClientCanceller({ calls: localCancelCalls(transport), clock, log, transport });
  },
  async runChecks({ url }) {
    const { localCheckCalls } = await import('./checks.ts');
    return (await import('../../operate/client-checks.ts')).clientChecks({ url, callsOver: localCheckCalls });
  },
  feed: async (options) => (await import('./open.ts')).connectLocalFeed(options),
};
