// Registry entry of the third exchange: `--exchange third --url URL --key FILE --live`. The key file holds the name and the secret of the API key,
// separated by a space.
import { resolve } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { UserError } from '../../../src/base/errors.ts';
import type { Transport } from '../../../src/base/transport.ts';
import { connectPublicFeed } from '../../../src/exchange/kit/connect-feed.ts';
import { readPrivate } from '../../../src/run/keys/private-file.ts';
import { failed } from '../../../src/run/operate/check.ts';
import { ClientCanceller, cancelCallsOf } from '../../../src/run/operate/client-canceller.ts';
import { checkCallsOf, clientChecks } from '../../../src/run/operate/client-checks.ts';
import { checkAddress, requireLive, requireNone, requireUrl, wrongFlags } from '../../../src/run/venues/flags.ts';
import type { VenueFacts, VenueKind } from '../../../src/run/venues/venue-kind.ts';
import { thirdClient } from './client.ts';
import { openThird, thirdAccountHolder } from './open.ts';
import type { ThirdKey } from './requests.ts';

interface ThirdFacts extends VenueFacts {
  readonly kind: 'third';
  readonly url: string;
  /** Path of the file with the key. */
  readonly key: string;
}

const HINT = 'write the name of your key and its secret into it, in one line';

/** Throws a UserError if the file cannot be read, or can be read by others. */
function keyIn(file: string): ThirdKey {
  const text = new TextDecoder().decode(readPrivate(file, { what: 'key file', hint: HINT }));
  const [name, secret] = text.trim().split(' ');
  if (name === undefined || secret === undefined) throw new UserError({ code: 'key', message: `${file} holds no key`, hint: HINT });
  return { name, secret };
}

/** For public data. */
const NO_KEY: ThirdKey = { name: '', secret: '' };

export const THIRD: VenueKind<ThirdFacts> = {
  name: 'third',
  about: 'an exchange of another make',
  outlivesRun: true,
  exampleUrl: 'https://third.example',
  facts: (zod) => zod.object({ kind: zod.literal('third'), url: zod.string(), key: zod.string() }),
  async plan(flags) {
    requireNone(flags, { of: ['account', 'schema'], who: 'the third exchange', hint: 'its key names the account' });
    requireLive(flags);
    const url = requireUrl(THIRD, flags.url);
    if (flags.key === undefined) throw wrongFlags('--exchange third needs --key', 'write the key of your account into a file');
    await checkAddress(url);
    const file = resolve(flags.key);
    const key = keyIn(flags.key);
    return {
      kind: THIRD,
      runName: ['third'],
      holder: thirdAccountHolder(url),
      facts: (): ThirdFacts => ({ kind: 'third', url, key: file }),
      open: (options) => openThird({ ...options, url, key }),
    };
  },
  recover: ({ url, key }) => (url === undefined || key === undefined ? undefined : { kind: 'third', url, key }),
  canceller: async ({ key }, { transport, clock, log }) =>
    new ClientCanceller({ calls: cancelCallsOf(thirdClient({ transport, clock, key: keyIn(key) })), clock, log, transport }),
  async runChecks({ url, key: given, facts }) {
    const file = given ?? facts?.key;
    const callsOver = (transport: Transport) =>
      checkCallsOf(thirdClient({ transport, clock: systemClock, key: file === undefined ? NO_KEY : keyIn(file) }), file !== undefined);
    return clientChecks({ url, callsOver });
  },
  feed: ({ transport, ...options }) => connectPublicFeed(thirdClient({ transport, clock: options.clock, key: NO_KEY }), options),
  checkKey(file) {
    try {
      return { check: 'key', verdict: 'ok', says: `${file} names the account ${keyIn(file).name}` };
    } catch (error) {
      return failed('key', error);
    }
  },
};
