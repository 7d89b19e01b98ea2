// The checks of `doctor` for every exchange: whether it answers and how fast, its clock, and what its client adds.

import { type Millis, systemClock } from '../../base/clock.ts';
import { AssertionError, messageOf, UserError } from '../../base/errors.ts';
import { counted } from '../../base/text/phrases.ts';
import { httpTransport } from '../../base/transport/http.ts';
import type { Transport } from '../../base/transport/transport.ts';
import type { PublicClient, VenueClient } from '../../bot/exchange/kit/venue-client.ts';
import { type DoctorCheck, failed } from './check.ts';

const CLOCK_READS = 3;
/** Clock error from which a warning is given: signatures do not depend on the clock, but the times in logs do. */
const WRONG_CLOCK: Millis = 5_000;
/** Latency from which the exchange counts as slow: data would be too old when the bot acts on it. */
const SLOW: Millis = 1_000;

export interface CheckCalls extends Pick<VenueClient, 'hintFor'> {
  /** Reads the exchange's time in seconds; if absent, the latency is that of `read`. */
  readonly seconds?: (() => Promise<number>) | undefined;
  /** One public read. */
  readonly read: () => Promise<unknown>;
  /** Further checks of the exchange, such as of its schema. */
  readonly more?: (() => Promise<DoctorCheck>) | undefined;
  /** Reads the account and says what it has; absent if no account is known. */
  readonly account?: (() => Promise<string | DoctorCheck>) | undefined;
}

export interface ClientChecksOptions {
  readonly url: string;
  /** Returns the requests of the checks. May throw or reject with a UserError, such as for a missing key file, which becomes a failed check. */
  readonly callsOver: (transport: Transport) => CheckCalls | Promise<CheckCalls>;
}

/** Makes the checks of an exchange, and of an account if one is known. Sends only reads. */
export async function clientChecks({ url, callsOver }: ClientChecksOptions): Promise<readonly DoctorCheck[]> {
  const transport = httpTransport({ origin: url, connections: 1 });
  const checks: DoctorCheck[] = [];
  try {
    const { hintFor, seconds, read, more, account } = await callsOver(transport);
    checks.push(...(await orUserError(hintFor, seconds === undefined ? latencyCheck(url, read) : latencyAndClockChecks(url, seconds))));
    if (more !== undefined) checks.push(await more());
    const found = account && (await orUserError(hintFor, account()));
    if (found !== undefined) checks.push(typeof found === 'string' ? { check: 'account', verdict: 'ok', says: found } : found);
    return checks;
  } catch (error) {
    return [...checks, failed(checks.length === 0 ? 'exchange' : 'account', error)];
  } finally {
    await transport.close();
  }
}

/** Turns the failure of a request into a UserError with a hint. */
async function orUserError<T>(hintFor: CheckCalls['hintFor'], asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof UserError || error instanceof AssertionError) throw error;
    throw new UserError({ code: 'exchange', message: messageOf(error), hint: hintFor(error) });
  }
}

/** Returns the requests of the checks of a client; `hasAccount` if it can read one. The key is checked as at a start. */
export const checkCallsOf = (client: PublicClient & Partial<Pick<VenueClient, 'owner' | 'account'>>, hasAccount: boolean): CheckCalls => ({
  hintFor: client.hintFor,
  seconds: client.clock && (() => client.clock!.read()),
  read: () => client.listing(),
  account: hasAccount
    ? async () => {
        await client.owner!();
        const { id, orders } = await client.account!((await client.listing()).markets);
        return `account ${id}, ${counted(orders.length, 'open order')}`;
      }
    : undefined,
});

async function latencyCheck(url: string, read: () => Promise<unknown>): Promise<DoctorCheck[]> {
  const asked = systemClock.now();
  await read();
  return [answersWithin(url, systemClock.now() - asked)];
}

async function latencyAndClockChecks(url: string, seconds: () => Promise<number>): Promise<DoctorCheck[]> {
  const tries: { took: Millis; ahead: Millis }[] = [];
  for (let count = 0; count < CLOCK_READS; count++) {
    const asked = systemClock.now();
    const time = await seconds();
    const took = systemClock.now() - asked;
    tries.push({ took, ahead: asked + took / 2 - time * 1_000 });
  }
  const best = tries.reduce((a, b) => (a.took <= b.took ? a : b));
  return [answersWithin(url, best.took), clockCheck(best.ahead)];
}

const answersWithin = (url: string, took: Millis): DoctorCheck =>
  took <= SLOW
    ? { check: 'exchange', verdict: 'ok', says: `${url} answers within ${took} ms` }
    : { check: 'exchange', verdict: 'warn', says: `${url} takes ${took} ms to answer`, fix: 'run the bot closer to the exchange' };

/** The exchange shows whole seconds, so up to one second ahead counts as no difference. */
export function clockCheck(aheadMs: Millis): DoctorCheck {
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
