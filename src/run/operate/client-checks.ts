// The checks of `doctor` through an exchange's client: whether the exchange answers, and what the account has.
import { systemClock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { counted } from '../../base/text/counted.ts';
import type { Transport } from '../../base/transport.ts';
import { ClientError } from '../../exchange/kit/client-error.ts';
import type { VenueClient } from '../../exchange/kit/venue-client.ts';
import { httpTransport } from '../../exchange/transport/http.ts';
import { type Check, failed } from './check.ts';

export interface ClientChecksOptions {
  readonly url: string;
  /** True if the client can read an account. */
  readonly hasAccount: boolean;
  /** Creates the client. May throw a UserError, such as for a missing key file, which becomes a failed check. */
  readonly clientOver: (transport: Transport) => VenueClient;
}

export async function clientChecks({ url, hasAccount, clientOver }: ClientChecksOptions): Promise<readonly Check[]> {
  const transport = httpTransport({ origin: url, connections: 1 });
  const checks: Check[] = [];
  try {
    const client = clientOver(transport);
    const asked = systemClock.now();
    const { markets } = await orUserError(client, client.listing());
    const took = systemClock.now() - asked;
    checks.push({ check: 'exchange', verdict: 'ok', says: `${url} answers within ${took} ms, with ${counted(markets.length, 'market')}` });
    if (!hasAccount) return checks;
    const { id, orders } = await orUserError(client, client.account(markets));
    return [...checks, { check: 'account', verdict: 'ok', says: `account ${id}, ${counted(orders.length, 'open order')}` }];
  } catch (error) {
    return [...checks, failed(checks.length === 0 ? 'exchange' : 'account', error)];
  } finally {
    await transport.close();
  }
}

/** Turns a ClientError into a UserError with a hint. */
async function orUserError<T>({ hintFor }: Pick<VenueClient, 'hintFor'>, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new UserError({ code: 'exchange', message: error.message, hint: hintFor(error) });
  }
}
