// Exchanges that the library ccxt knows, each by the name `ccxt:NAME`: their public data for paper runs. What is special about them, and why:
//   nothing is traded            ccxt does not say whether a request was sent, so no order would have a definite answer   docs/decisions/019-ccxt.md
//   ccxt sends nothing itself    its requests go over our transports, with our limits, and only reads                    network.ts
//   the first answers decide     which data there is, how often it is polled, and what the start says of it              first-look.ts
//   sizes may be contracts       of several tokens, and ccxt does not say where they are                                  markets.ts
import { wrongFlags } from '../kind/flags.ts';
import type { VenueKind } from '../kind/venue-kind.ts';

const PREFIX = 'ccxt:';

/** The names of these exchanges, in lists of names. */
export const CCXT_NAMES = `${PREFIX}NAME`;

/** Returns the exchange of a name such as `ccxt:binance`, without loading ccxt; undefined for another name. Throws a UserError for ccxt without one. */
export function ccxtKindNamed(name: string): VenueKind | undefined {
  if (name === PREFIX || `${name}:` === PREFIX)
    throw wrongFlags(`"${name}" names no exchange`, 'write ccxt: and the name of an exchange in ccxt, as in ccxt:binance');
  if (!name.startsWith(PREFIX)) return undefined;
  const ofCcxt = name.slice(PREFIX.length);
  return {
    name,
    about: 'paper runs on the public data of an exchange that the library ccxt knows',
    outlivesRun: true,
    address: async () => (await import('./open.ts')).addressOf(ofCcxt),
    facts: (zod) => zod.object({ kind: zod.literal(name) }),
    plan() {
      throw wrongFlags(
        `--exchange ${name} is for --paper alone: no order is sent through ccxt, because its errors do not say whether a request was sent`,
        'use --paper; to trade there, write an adapter (docs/exchanges.md)',
      );
    },
    recover: () => undefined,
    runChecks: async ({ url }) => (await import('./open.ts')).ccxtChecks(ofCcxt, url),
    feed: async (options) => (await import('./open.ts')).connectCcxtFeed(ofCcxt, options),
  };
}
