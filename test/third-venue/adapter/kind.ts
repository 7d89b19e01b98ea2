// The third exchange as the program knows it: `--exchange third --url URL --key FILE --live`. The file holds the name that the exchange gave us.
import { resolve } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { messageOf, UserError } from '../../../src/base/errors.ts';
import { readTextFile } from '../../../src/base/files/text-file.ts';
import type { Transport } from '../../../src/base/transport.ts';
import { failed } from '../../../src/run/operate/check.ts';
import { ClientCanceller } from '../../../src/run/operate/client-canceller.ts';
import { clientChecks } from '../../../src/run/operate/client-checks.ts';
import { checkAddress, requireLive, requireNone, requireUrl, wrongFlags } from '../../../src/run/venues/flags.ts';
import type { VenueFacts, VenueKind } from '../../../src/run/venues/venue-kind.ts';
import { thirdClient } from './client.ts';
import { openThird, thirdAccountHolder } from './open.ts';

interface ThirdFacts extends VenueFacts {
  readonly kind: 'third';
  readonly url: string;
  /** Path of the file with the key. */
  readonly key: string;
}

/** Throws a UserError if the file cannot be read. */
function keyIn(file: string): string {
  try {
    return readTextFile(file).trim();
  } catch (error) {
    throw new UserError({
      code: 'key',
      message: `${file} cannot be read: ${messageOf(error)}`,
      hint: 'write the key of your account into it',
    });
  }
}

export const THIRD: VenueKind<ThirdFacts> = {
  name: 'third',
  about: 'an exchange of another make',
  outlivesRun: true,
  exampleUrl: 'https://third.example',
  facts: (zod) => zod.object({ kind: zod.literal('third'), url: zod.string(), key: zod.string() }),
  async plan(flags) {
    requireNone(flags, { of: ['account', 'schema', 'paper'], who: 'the third exchange', hint: 'its key names the account' });
    requireLive(flags);
    const url = requireUrl(THIRD, flags.url);
    if (flags.key === undefined) throw wrongFlags('--exchange third needs --key', 'write the key of your account into a file');
    await checkAddress(url);
    const [file, key] = [resolve(flags.key), keyIn(flags.key)];
    return {
      kind: THIRD,
      runName: ['third'],
      holder: thirdAccountHolder(url),
      facts: (): ThirdFacts => ({ kind: 'third', url, key: file }),
      open: (options) => openThird({ ...options, url, key }),
    };
  },
  recover: ({ url, key }) => (url === undefined || key === undefined ? undefined : { kind: 'third', url, key }),
  canceller: async ({ key }, { transport, clock }) =>
    new ClientCanceller({ client: thirdClient({ transport, clock, key: keyIn(key) }), clock, transport }),
  async examine({ url, key: given, facts }) {
    const file = given ?? facts?.key;
    const clientOver = (transport: Transport) => thirdClient({ transport, clock: systemClock, key: file === undefined ? '' : keyIn(file) });
    return clientChecks({ url, hasAccount: file !== undefined, clientOver });
  },
  examineKey(file) {
    try {
      return { check: 'key', verdict: 'ok', says: `${file} names the account ${keyIn(file)}` };
    } catch (error) {
      return failed('key', error);
    }
  },
};
