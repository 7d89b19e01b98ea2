// The identity of a trader through a local process: its address, until the process has named the account.
import type { Trader } from '../../core/start-check.ts';

/** A restart needs only the same account number, because the address may change with the port. */
export const localTrader = (url: string): Trader => ({ exchange: 'local', url: new URL(url).origin, identity: 'account' });
