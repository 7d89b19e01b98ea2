// The checks of `doctor` for a hosted exchange: reachability, latency, clock, schema and account.
import { AssertionError } from '../../../base/assert.ts';
import { type Millis, systemClock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { COMMAND } from '../../../base/package.ts';
import { counted } from '../../../base/text/counted.ts';
import { userOf } from '../../../exchange/hosted/account/user.ts';
import { type HostedClient, hostedClient } from '../../../exchange/hosted/client/client.ts';
import { orConnectError } from '../../../exchange/hosted/connect-errors.ts';
import { secondsOfReading } from '../../../exchange/hosted/session/engine-time.ts';
import { httpTransport } from '../../../exchange/transport/http.ts';
import { toBase58 } from '../../../wire/ed25519.ts';
import { bundledSchema, compareWithPublished } from '../../../wire/schema/schema.ts';
import { publicKeyIn } from '../../keys/key.ts';
import { type Check, failed } from '../../operate/check.ts';
import { approvedSchema, hashOf } from './approvals.ts';

const CLOCK_READS = 3;
/** Clock error from which a warning is given: signatures do not depend on the clock, but the times in logs do. */
const WRONG_CLOCK: Millis = 5_000;
/** Latency from which the exchange counts as slow: data would be too old when the bot acts on it. */
const SLOW: Millis = 1_000;

interface AccountToCheck {
  /** Path of the key file that was given. */
  readonly key: string | undefined;
  /** The public key of the run that was named, in base58. */
  readonly user: string | undefined;
}

/** Makes the checks of an exchange at an address, and of the account of a key or of a run. Sends only GET requests. */
export async function hostedChecks(url: string, checked: AccountToCheck): Promise<readonly Check[]> {
  const publicKey = publicKeyOf(checked);
  const transport = httpTransport({ origin: url, connections: 1 });
  try {
    const client = hostedClient({ transport });
    const checks = [...(await orConnectError(latencyAndClockChecks(url, client)))];
    checks.push(await schemaCheck(url, client));
    if (publicKey !== undefined) checks.push(await accountCheck(client, publicKey));
    return checks;
  } catch (error) {
    return [failed('exchange', error)];
  } finally {
    await transport.close();
  }
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

async function latencyAndClockChecks(url: string, client: HostedClient): Promise<readonly Check[]> {
  const tries: { took: Millis; ahead: Millis }[] = [];
  for (let read = 0; read < CLOCK_READS; read++) {
    const asked = systemClock.now();
    const seconds = secondsOfReading(await client.timestamp());
    const took = systemClock.now() - asked;
    tries.push({ took, ahead: asked + took / 2 - seconds * 1_000 });
  }
  const best = tries.reduce((a, b) => (a.took <= b.took ? a : b));
  return [
    best.took <= SLOW
      ? { check: 'exchange', verdict: 'ok', says: `${url} answers within ${best.took} ms` }
      : { check: 'exchange', verdict: 'warn', says: `${url} takes ${best.took} ms to answer`, fix: 'run the bot closer to the exchange' },
    clockCheck(best.ahead),
  ];
}

/** The exchange shows whole seconds, so up to one second ahead counts as no difference. */
export function clockCheck(aheadMs: Millis): Check {
  const off = aheadMs < 0 ? aheadMs : Math.max(0, aheadMs - 1_000);
  const says =
    Math.abs(off) < 1_000
      ? "within a second of the exchange's"
      : `${(Math.abs(off) / 1_000).toFixed(1)} s ${off > 0 ? 'ahead of' : 'behind'} the exchange's`;
  if (Math.abs(off) < WRONG_CLOCK) return { check: 'clock', verdict: 'ok', says };
  return {
    check: 'clock',
    verdict: 'warn',
    says,
    fix: "orders are not affected (they are signed with the exchange's time), but times in logs are wrong: let NTP set this clock",
  };
}

async function schemaCheck(url: string, client: HostedClient): Promise<Check> {
  try {
    const text = await client.schemaText();
    if (hashOf(text) === bundledSchema().hash) return { check: 'schema', verdict: 'ok', says: 'the exchange serves the bundled schema' };
    if (hashOf(text) === approvedSchema({ url })?.sha256)
      return { check: 'schema', verdict: 'ok', says: 'the exchange serves the schema that you approved: trade with --schema remote' };
    const { conflicts, omitted, others } = compareWithPublished(bundledSchema(), text);
    const look = `compare them: ${COMMAND} schema diff --url ${url}; if you trust it: ${COMMAND} schema approve --url ${url}, then --schema remote`;
    if (conflicts.length > 0) {
      const says = `a run with --schema bundled refuses to start, because the exchange would read its orders differently: ${conflicts.join('; ')}`;
      return { check: 'schema', verdict: 'fail', says, fix: look };
    }
    if (omitted.length + others.length === 0)
      return {
        check: 'schema',
        verdict: 'ok',
        says: 'the text differs from the bundled schema, but everything that the bot uses is the same',
      };
    return {
      check: 'schema',
      verdict: 'warn',
      says: `the exchange's schema differs from the bundled one: ${[...omitted, ...others].join('; ')}`,
      fix: look,
    };
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    return {
      check: 'schema',
      verdict: 'warn',
      says: `the exchange's own schema cannot be read: ${messageOf(error)}`,
      fix: 'a run does not start while it cannot be read; if the exchange publishes none, a run uses --schema as it is: check that it is the right one',
    };
  }
}

async function accountCheck(client: HostedClient, publicKey: string): Promise<Check> {
  const user = await orConnectError(userOf(client, publicKey));
  const [first] = user?.accountIds ?? [];
  if (user === undefined || first === undefined)
    return { check: 'account', verdict: 'warn', says: 'the exchange has no account for this key', fix: 'make a first deposit with it' };
  const { orders } = await orConnectError(client.account(first));
  return {
    check: 'account',
    verdict: 'ok',
    says: `account ${first}, ${counted(user.sessions.length, 'session')}, ${counted(orders.length, 'open order')}`,
  };
}
