// The requests of the checks of `doctor` at the local process: whether it answers, and for which account.
import type { Transport } from '../../base/transport.ts';
import type { CheckCalls } from '../../run/operate/client-checks.ts';
import { LOCAL_PROCESS } from './public-client.ts';
import { localClient } from './requests/client.ts';

export function localCheckCalls(transport: Transport): CheckCalls {
  const client = localClient({ transport });
  return {
    hintFor: LOCAL_PROCESS.hintFor,
    read: () => client.account(),
    account: async () => `the local process signs for the account ${(await client.account()).username}`,
  };
}
