// Who trades through a local process: it is known by its address until it has named the account.
import type { Trader } from '../../core/start-check.ts';

/** The address of the process may change with its port, so the number of the account is enough to know it again. */
export const localTrader = (url: string): Trader => ({ exchange: 'local', url: new URL(url).origin, identity: 'account' });
