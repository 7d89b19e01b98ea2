// The checks of `doctor` for a hosted exchange: reachability, latency, clock, schema and account.
import { systemClock } from '../../base/clock.ts';
import { publicKeyIn } from '../../base/keys/key.ts';
import { counted } from '../../base/text/phrases.ts';
import { toBase58 } from '../../base/wire/ed25519.ts';
import { type HostedClient, hostedClient } from '../client/hosted.ts';
import type { DoctorCheck } from '../operate/check.ts';
import { clientChecks } from '../operate/client-checks.ts';
import { schemaCheck } from '../published-schema/compare.ts';
import { userOf } from './account-reads.ts';
import { HOSTED_EXCHANGE } from './rules.ts';
import { EngineTime } from './session/engine-time.ts';

interface AccountToCheck {
  /** Path of the key file that was given. */
  readonly key: string | undefined;
  /** The public key of the run that was named, in base58. */
  readonly user: string | undefined;
}

/** Makes the checks of an exchange at an address, and of the account of a key or of a run. Sends only GET requests. */
export function hostedChecks(url: string, checked: AccountToCheck): Promise<readonly DoctorCheck[]> {
  const publicKey = publicKeyOf(checked);
  return clientChecks({
    url,
    callsOver(transport) {
      const client = hostedClient({ transport });
      const time = new EngineTime({ client, clock: systemClock });
      const seconds = (): Promise<number> => time.read();
      return {
        hintFor: HOSTED_EXCHANGE.hintFor,
        seconds,
        read: seconds,
        more: () => schemaCheck(url, client),
        ...(publicKey !== undefined && { account: () => accountCheck(client, publicKey) }),
      };
    },
  });
}

/** Returns the public key, in base58, of the account to check. */
function publicKeyOf({ key, user }: AccountToCheck): string | undefined {
  if (key === undefined) return user;
  try {
    return toBase58(publicKeyIn(key));
  } catch {
    return undefined; // the check of the key file reports it
  }
}

async function accountCheck(client: HostedClient, publicKey: string): Promise<string | DoctorCheck> {
  const user = await userOf(client, publicKey);
  const [first] = user?.accountIds ?? [];
  if (user === undefined || first === undefined)
    return { check: 'account', verdict: 'warn', says: 'the exchange has no account for this key', fix: 'make a first deposit with it' };
  const { orders } = await client.account(first);
  return `account ${first}, ${counted(user.sessions.length, 'session')}, ${counted(orders.length, 'open order')}`;
}
