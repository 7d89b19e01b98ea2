// The checks of `doctor` for a hosted exchange: reachability, latency, clock, schema and account.

import { systemClock } from '../../base/clock.ts';
import { AssertionError, messageOf } from '../../base/errors.ts';
import { publicKeyIn } from '../../base/keys/key.ts';
import { COMMAND } from '../../base/package.ts';
import { counted } from '../../base/text/phrases.ts';
import { toBase58 } from '../../base/wire/ed25519.ts';
import { type HostedClient, hostedClient } from '../client/hosted.ts';
import type { DoctorCheck } from '../operate/check.ts';
import { clientChecks } from '../operate/client-checks.ts';
import { bundledSchema, compareWithPublished } from '../wire/schema/schema.ts';
import { userOf } from './account-reads.ts';
import { approvedSchema, hashOf } from './approvals.ts';
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

const found = (verdict: DoctorCheck['verdict'], says: string, fix?: string): DoctorCheck => ({ check: 'schema', verdict, says, fix });

async function schemaCheck(url: string, client: HostedClient): Promise<DoctorCheck> {
  try {
    const text = await client.schemaText();
    if (hashOf(text) === bundledSchema().hash) return found('ok', 'the exchange serves the bundled schema');
    if (hashOf(text) === approvedSchema({ url })?.sha256)
      return found('ok', 'the exchange serves the schema that you approved: trade with --schema remote');
    const { conflicts, omitted, others } = compareWithPublished(bundledSchema(), text);
    const look = `compare them: ${COMMAND} schema diff --url ${url}; if you trust it: ${COMMAND} schema approve --url ${url}, then --schema remote`;
    const refusal = 'a run with --schema bundled refuses to start, because the exchange would read its orders differently';
    if (conflicts.length > 0) return found('fail', `${refusal}: ${conflicts.join('; ')}`, look);
    const differences = [...omitted, ...others];
    if (differences.length > 0) return found('warn', `the exchange's schema differs from the bundled one: ${differences.join('; ')}`, look);
    return found('ok', 'the text differs from the bundled schema, but everything that the bot uses is the same');
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    const fix =
      'a run does not start while it cannot be read; if the exchange publishes none, a run uses --schema as it is: check that it is the right one';
    return found('warn', `the exchange's own schema cannot be read: ${messageOf(error)}`, fix);
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
