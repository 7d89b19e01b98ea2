// What `doctor` says of an exchange by its client: whether it answers, and what the account has.
import { systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { counted } from '../../base/text/counted.ts';
import { ClientError } from '../../exchange/kit/client-error.ts';
import type { VenueClient } from '../../exchange/kit/venue-client.ts';
import type { Check } from './check.ts';

/** `hasAccount`: the client can read an account. */
export async function clientChecks(
  client: VenueClient,
  { url, hasAccount }: { url: string; hasAccount: boolean },
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  try {
    const asked = systemClock.now();
    const { markets } = await client.listing();
    const took = systemClock.now() - asked;
    checks.push({ check: 'exchange', verdict: 'ok', says: `${url} answers within ${took} ms, with ${counted(markets.length, 'market')}` });
    if (!hasAccount) return checks;
    const { id, orders } = await client.account(markets);
    return [...checks, { check: 'account', verdict: 'ok', says: `account ${id}, ${counted(orders.length, 'open order')}` }];
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const check = checks.length === 0 ? 'exchange' : 'account';
    return [...checks, { check, verdict: 'fail', says: messageOf(error), fix: client.hintFor(error) }];
  }
}
