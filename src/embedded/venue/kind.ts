// The embedded exchange, in the process of the run. The default: no key, no network, no money.
//   open.ts          starts it and connects to it over HTTP with the real protocol; candles from before it began
//   market-file.ts   reads how its markets move: a name, or a file
//   checks.ts        the checks of `doctor`
import { requireNone } from '../../venues/kind/flags.ts';
import type { VenueKind } from '../../venues/kind/venue-kind.ts';

export const EMBEDDED: VenueKind = {
  name: 'embedded',
  about: 'no key, no network, no money',
  outlivesRun: false,
  streams: true,
  facts: (zod) => zod.object({ kind: zod.literal('embedded') }),
  async plan(flags) {
    requireNone(flags, {
      of: ['url', 'key', 'account', 'paper', 'live', 'schema'],
      who: 'the embedded exchange',
      hint: 'for a real exchange, add --exchange hosted',
    });
    const regime = (await import('./market-file.ts')).readRegime(flags.market);
    return {
      kind: EMBEDDED,
      runName: ['embedded'],
      holder: { exchange: 'embedded', identity: 'none' },
      facts: () => ({ kind: 'embedded' }),
      open: async (options) => (await import('./open.ts')).openEmbedded({ ...options, regime, streams: flags.streams }),
    };
  },
  recover: () => ({ kind: 'embedded' }),
  killTexts: {
    ended: 'its process has ended, and with it the embedded exchange and its orders',
    alive: 'its process has not ended, and the embedded exchange is part of it: end the process yourself',
  },
  runChecks: async () => (await import('./checks.ts')).embeddedChecks(),
};
