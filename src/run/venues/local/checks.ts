// The checks of `doctor` for the local process: whether it answers, and for which account.
import { systemClock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { LocalError, localClient } from '../../../exchange/local/client/client.ts';
import { httpTransport } from '../../../exchange/transport/http.ts';
import { type Check, failed } from '../../operate/check.ts';

/** Reads the account of the process at this address. */
export async function localChecks(url: string): Promise<readonly Check[]> {
  const transport = httpTransport({ origin: url, connections: 1 });
  try {
    const asked = systemClock.now();
    const account = await localClient({ transport }).account();
    return [
      {
        check: 'exchange',
        verdict: 'ok',
        says: `the local process at ${url} answers within ${systemClock.now() - asked} ms, for the account ${account.username}`,
      },
    ];
  } catch (error) {
    if (error instanceof UserError) return [failed('exchange', error)];
    if (!(error instanceof LocalError)) throw error;
    return [{ check: 'exchange', verdict: 'fail', says: error.message, fix: 'start the local process, or check --url' }];
  } finally {
    await transport.close();
  }
}
