// The signing process on the user's machine, which has its own key, account and action schema.
//   open.ts        connects to it
//   canceller.ts   cancels the orders of its account from outside the run
//   checks.ts      the checks of `doctor`
import { checkAddress, requireLive, requireNone, requireUrl } from '../flags.ts';
import type { VenueFacts, VenueKind } from '../venue-kind.ts';
import { localAccountHolder } from './account-holder.ts';

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
    return {
      kind: LOCAL,
      runName: ['local'],
      holder: localAccountHolder(url),
      facts: (): LocalFacts => ({ kind: 'local', url }),
      open: async (options) => (await import('./open.ts')).openLocal({ ...options, ...options.config.local, url }),
    };
  },
  recover: ({ url }) => (url === undefined ? undefined : { kind: 'local', url }),
  matchesDirectory: () => true,
  canceller: async (_, options) => new (await import('./canceller.ts')).LocalCanceller(options),
  runChecks: async ({ url }) => (await import('./checks.ts')).localChecks(url),
  feed: async (options) => (await import('../../../exchange/local/connect.ts')).connectLocalFeed(options),
};
